include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(pugixml)
# What the host runtime links; it is found as the tree finds it (foundation/CMakeLists.txt).
find_dependency(PkgConfig)
pkg_check_modules(TVP_ELF REQUIRED IMPORTED_TARGET libelf)
pkg_check_modules(TVP_TOML REQUIRED IMPORTED_TARGET tomlplusplus)
pkg_check_modules(TVP_XXHASH REQUIRED IMPORTED_TARGET libxxhash)
find_package(fmt QUIET)  # tensix_vp::metalium links it
include(${CMAKE_CURRENT_LIST_DIR}/tensix_vpTargets.cmake)
