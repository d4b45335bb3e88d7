# cmake --install: the program, the library, the host runtime, their headers and the
# find_package(tensix_vp) config (TvpPackage has its targets), and what is read at run time (see
# foundation/source_root.h).
include(CMakePackageConfigHelpers)

# `ninja tvp_installed` builds what cmake --install takes, without tests and benchmarks.
set(libraries tvp_package_runtime tvp_package_pim tvp_package_workload tvp_package_collectives tvp_package_metalium
              tvp_metalium tvp_collectives tvp_schedules tvp_runtime tvp_foundation tvp_regs tvp_options)
add_custom_target(tvp_installed)
foreach(target tensix-vp tensix_vp tensix_vp_host tensix_vp_models tvp_rtl_module ${libraries})
  get_target_property(type ${target} TYPE)
  if(NOT type STREQUAL INTERFACE_LIBRARY)
    add_dependencies(tvp_installed ${target})
  endif()
endforeach()

# ./vp builds the program alone, so installing builds the rest first.
install(CODE "execute_process(COMMAND \"${CMAKE_COMMAND}\" --build \"${PROJECT_BINARY_DIR}\" --target tvp_installed
                RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  message(FATAL_ERROR \"Nothing is installed: the build of the target tvp_installed failed\")
endif()")
install(TARGETS tensix-vp RUNTIME)
install(TARGETS tensix_vp EXPORT tensix_vp LIBRARY)
install(TARGETS tensix_vp_host EXPORT tensix_vp LIBRARY)
install(FILES sw/c_api/tensix_vp/host.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tensix_vp)
find_program(TVP_PYTHON python3 HINTS /usr/bin)
install(CODE "set(module \"${PROJECT_SOURCE_DIR}/sw/python/tensix_vp\")
set(python \"${TVP_PYTHON}\")")
install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/TvpInstallPython.cmake)
# Modules for SystemC users: the component `models`, which only they look for.
install(TARGETS tensix_vp_models EXPORT tensix_vp_models LIBRARY)
install(DIRECTORY platform/components/tensix_vp models/sockets/tensix_vp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h")
if(TARGET tensix_vp_mpi)
  # Beside the library, which loads it under mpirun.
  install(TARGETS tensix_vp_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  add_dependencies(tvp_installed tensix_vp_mpi)
endif()
# Beside the library, which loads it when a setting asks for RTL.
install(TARGETS tvp_rtl_module LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS ${libraries} EXPORT tensix_vp ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/tensix_vp)
# A host may load a copy of the library from memory, so the library contains its prefix.
install(CODE "set(libraries \"${CMAKE_INSTALL_LIBDIR}/libtensix_vp.so\" \"${CMAKE_INSTALL_LIBDIR}/libtensix_vp_models.so\")
set(objcopy \"${CMAKE_OBJCOPY}\")")
install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/TvpInstallPrefix.cmake)
install(DIRECTORY foundation/abi/tensix_vp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN libttsim.h)
# Headers keep their paths in the source tree, because they include each other by these paths.
install(DIRECTORY foundation DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tensix_vp FILES_MATCHING PATTERN "*.h"
        PATTERN abi EXCLUDE)
install(DIRECTORY sw/runtime DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tensix_vp/sw FILES_MATCHING PATTERN "*.h")
install(DIRECTORY sw/metalium DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tensix_vp/sw FILES_MATCHING PATTERN "*.h")
install(DIRECTORY ${PROJECT_BINARY_DIR}/sw/metalium/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tensix_vp/metalium)
install(DIRECTORY sw/collectives DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tensix_vp/sw FILES_MATCHING PATTERN "*.h")
install(FILES sw/workloads/workload.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tensix_vp/sw/workloads)

set(config ${CMAKE_INSTALL_LIBDIR}/cmake/tensix_vp)
install(EXPORT tensix_vp NAMESPACE tensix_vp:: DESTINATION ${config} FILE tensix_vpTargets.cmake)
install(EXPORT tensix_vp_models NAMESPACE tensix_vp:: DESTINATION ${config} FILE tensix_vpModelsTargets.cmake)
install(FILES cmake/tensix_vpConfig.cmake cmake/TensixVpMetaliumRelease.cmake sw/metalium/releases.txt
              cmake/TensixVpAddRtl.cmake cmake/tensix_vp_mesh_router.cpp.in
              cmake/tensix_vp_bus_device.cpp.in cmake/tensix_vp_bus_device.h.in
              cmake/tensix_vp_noc_node.cpp.in cmake/tensix_vp_noc_node.h.in DESTINATION ${config})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tensix_vpConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tensix_vpConfigVersion.cmake DESTINATION ${config})

set(root ${CMAKE_INSTALL_DATADIR}/tensix-vp)
install(DIRECTORY firmware waves DESTINATION ${root} PATTERN CMakeLists.txt EXCLUDE)
install(DIRECTORY models DESTINATION ${root} FILES_MATCHING PATTERN README.md PATTERN protocol.md PATTERN "*.sv")
install(DIRECTORY foundation/regs foundation/contract DESTINATION ${root}/foundation
        FILES_MATCHING PATTERN README.md PATTERN "*.h" PATTERN "*.def")
install(DIRECTORY platform/chips platform/systems platform/validation DESTINATION ${root}/platform)
install(DIRECTORY sw/report/page DESTINATION ${root}/sw/report)
install(DIRECTORY sw/examples DESTINATION ${root}/sw)

# Man page and completion, which the build of tensix-vp makes.
set(manual ${PROJECT_BINARY_DIR}/platform/manual)
install(FILES ${manual}/tensix-vp.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${manual}/tensix-vp DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${manual}/_tensix-vp DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
