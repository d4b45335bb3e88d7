include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(pugixml)
# Libraries of the host runtime, found in the same way as in the tree (foundation/CMakeLists.txt).
find_dependency(PkgConfig)
pkg_check_modules(TVP_ELF REQUIRED IMPORTED_TARGET libelf)
pkg_check_modules(TVP_TOML REQUIRED IMPORTED_TARGET tomlplusplus)
pkg_check_modules(TVP_XXHASH REQUIRED IMPORTED_TARGET libxxhash)
find_package(fmt QUIET)  # tensix_vp::metalium links it
include(${CMAKE_CURRENT_LIST_DIR}/tensix_vpTargets.cmake)
