# cmake --install: the program, the library with its headers and its find_package(tensix_vp) config,
# and what both read at run time (see foundation/source_root.h).
include(CMakePackageConfigHelpers)

install(TARGETS tensix-vp RUNTIME)
target_include_directories(tensix_vp INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
install(TARGETS tensix_vp EXPORT tensix_vp LIBRARY)
# Beside the library, which loads it when a setting asks for RTL.
install(TARGETS tvp_rtl_module LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
# A host may load a copy of the library that lies nowhere, so the library carries its prefix.
install(CODE "set(library \"${CMAKE_INSTALL_LIBDIR}/libtensix_vp.so\")
set(objcopy \"${CMAKE_OBJCOPY}\")")
install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/TvpInstallPrefix.cmake)
install(DIRECTORY platform/include/tensix_vp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN libttsim.h)

set(config ${CMAKE_INSTALL_LIBDIR}/cmake/tensix_vp)
install(EXPORT tensix_vp NAMESPACE tensix_vp:: DESTINATION ${config} FILE tensix_vpConfig.cmake)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/tensix_vpConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/tensix_vpConfigVersion.cmake DESTINATION ${config})

set(root ${CMAKE_INSTALL_DATADIR}/tensix-vp)
install(DIRECTORY firmware waves DESTINATION ${root} PATTERN CMakeLists.txt EXCLUDE)
install(DIRECTORY models DESTINATION ${root}
        FILES_MATCHING PATTERN README.md REGEX "/regs/.*\\.h$")
install(DIRECTORY platform/chips platform/systems platform/validation DESTINATION ${root}/platform)
install(DIRECTORY sw/report/page DESTINATION ${root}/sw/report)
