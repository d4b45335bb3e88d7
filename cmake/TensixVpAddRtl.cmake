# tensix_vp_add_rtl(NAME name TOP module SOURCES file... KIND mesh_router|bus_device|noc_node [PARAMETERS name=value...])
#
# Makes SystemVerilog of yours usable as a part of a system, with Verilator. PARAMETERS are those of the module TOP.
#
#   mesh_router  the module libNAME.so, which mesh.router=rtl:PATH selects
#   bus_device   the shared library libNAME.so, which the key rtl.devices=PATH:X:Y of a Board selects, and its header NAME.h
#                with make_NAME(), for tensix_vp::RtlDevice in a program that links NAME
#   noc_node     the same, for rtl.nodes=PATH:X:Y and tensix_vp::RtlNode
#
# The pins are described in share/tensix-vp/models/rtl/README.md of an installation, and in models/rtl/README.md.
function(tensix_vp_add_rtl)
  cmake_parse_arguments(RTL "" "NAME;TOP;KIND" "SOURCES;PARAMETERS" ${ARGN})
  foreach(key NAME TOP KIND SOURCES)
    if(NOT RTL_${key})
      message(FATAL_ERROR "tensix_vp_add_rtl: ${key} is missing")
    endif()
  endforeach()
  if(RTL_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tensix_vp_add_rtl(NAME ${RTL_NAME}): unknown arguments: ${RTL_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT RTL_KIND MATCHES "^(mesh_router|bus_device|noc_node)$")
    message(FATAL_ERROR "tensix_vp_add_rtl(NAME ${RTL_NAME}): KIND ${RTL_KIND}: expected mesh_router, "
                        "bus_device or noc_node")
  endif()
  find_package(verilator QUIET HINTS /usr/share/verilator)
  if(NOT verilator_FOUND)
    message(FATAL_ERROR "tensix_vp_add_rtl(NAME ${RTL_NAME}) needs Verilator (Debian: verilator)")
  endif()
  # In the source tree, or in the CMake folder of an installation.
  set(here ${CMAKE_CURRENT_FUNCTION_LIST_DIR})
  find_path(TENSIX_VP_RTL_HEADERS tensix_vp/rtl/mesh_router.h NO_DEFAULT_PATH
            HINTS ${here}/../models/sockets ${here}/../../../include ${here}/../../../../include)

  set(arguments -Wno-fatal --x-assign unique --x-initial unique)
  foreach(parameter ${RTL_PARAMETERS})
    list(APPEND arguments -G${parameter})
  endforeach()
  set(glue ${CMAKE_CURRENT_BINARY_DIR}/${RTL_NAME}_${RTL_KIND}.cpp)
  if(RTL_KIND STREQUAL mesh_router)
    add_library(${RTL_NAME} MODULE ${glue})
  else()
    add_library(${RTL_NAME} SHARED ${glue})
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/${RTL_NAME}_include)
    set(TENSIX_VP_RTL_NAME ${RTL_NAME})
    configure_file(${here}/tensix_vp_${RTL_KIND}.h.in ${folder}/${RTL_NAME}.h @ONLY)
    target_include_directories(${RTL_NAME} PUBLIC ${folder} ${TENSIX_VP_RTL_HEADERS})
  endif()
  target_link_options(${RTL_NAME} PRIVATE -Wl,--no-undefined)
  set(TENSIX_VP_RTL_NAME ${RTL_NAME})
  configure_file(${here}/tensix_vp_${RTL_KIND}.cpp.in ${glue} @ONLY)
  verilate(${RTL_NAME} PREFIX V${RTL_NAME} TOP_MODULE ${RTL_TOP} SOURCES ${RTL_SOURCES} VERILATOR_ARGS ${arguments})
  # Generated files are compiled together, as Verilator's makefiles do; its runtime is not.
  get_target_property(alone ${RTL_NAME} SOURCES)
  list(FILTER alone INCLUDE REGEX "/include/verilated")
  set_source_files_properties(${alone} ${glue} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  target_include_directories(${RTL_NAME} SYSTEM PRIVATE ${TENSIX_VP_RTL_HEADERS})
  target_compile_features(${RTL_NAME} PRIVATE cxx_std_20)
  # Verilator's own code stays private: a process may load several of these libraries.
  target_compile_definitions(${RTL_NAME} PRIVATE VL_TIME_CONTEXT)
  set_target_properties(${RTL_NAME} PROPERTIES CXX_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON
                                               UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0
                                               DISABLE_PRECOMPILE_HEADERS ON)
  target_compile_options(${RTL_NAME} PRIVATE -w)
endfunction()
