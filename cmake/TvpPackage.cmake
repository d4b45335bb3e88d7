# Targets for other projects: tensix_vp::runtime, tensix_vp::pim, tensix_vp::workload, tensix_vp::collectives,
# tensix_vp::metalium, and the library itself, tensix_vp::tensix_vp. The names are the same with an installed copy
# and with add_subdirectory. The targets have headers and libraries, but none of our compiler flags.
add_library(tensix_vp::tensix_vp ALIAS tensix_vp)

function(tvp_package_library name)
  add_library(tvp_package_${name} INTERFACE)
  add_library(tensix_vp::${name} ALIAS tvp_package_${name})
  set_target_properties(tvp_package_${name} PROPERTIES EXPORT_NAME ${name})
  # Headers are included by their path in the source tree; those that firmware needs, too, are
  # installed beside it.
  target_include_directories(tvp_package_${name} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/tensix_vp>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_DATADIR}/tensix-vp>)
  target_compile_features(tvp_package_${name} INTERFACE cxx_std_20)
  target_link_libraries(tvp_package_${name} INTERFACE ${ARGN} $<LINK_ONLY:tvp_runtime> tensix_vp)
endfunction()

tvp_package_library(runtime)
tvp_package_library(pim)
tvp_package_library(workload)
tvp_package_library(collectives $<LINK_ONLY:tvp_collectives>)
# Programs for tt-metal's host API find its headers by their own names. tt-metal's compiler also accepts
# narrowing in lists of arguments.
tvp_package_library(metalium $<LINK_ONLY:tvp_metalium> fmt::fmt-header-only)
target_include_directories(tvp_package_metalium INTERFACE
  $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/sw/metalium/include>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/tensix_vp/metalium>)
target_compile_options(tvp_package_metalium INTERFACE -Wno-narrowing)
target_include_directories(tensix_vp INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/foundation/abi>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

# Modules for a user's own SystemC simulation: tensix_vp::models.
add_library(tensix_vp::models ALIAS tensix_vp_models)
target_include_directories(tensix_vp_models SYSTEM INTERFACE $<BUILD_INTERFACE:${SYSTEMC_INCLUDE_DIRS}>)
target_compile_definitions(tensix_vp_models INTERFACE SC_CPLUSPLUS=201703L)
target_compile_features(tensix_vp_models INTERFACE cxx_std_17)
target_link_libraries(tensix_vp_models INTERFACE $<BUILD_INTERFACE:${SYSTEMC_LINK_LIBRARIES}>)
