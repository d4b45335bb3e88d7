# tensix_vp_add_rtl(NAME name TOP module SOURCES file... KIND mesh_router [PARAMETERS name=value...])
#
# Makes SystemVerilog of yours usable as a part of a system, with Verilator. `mesh_router`: the module `name` in
# libNAME.so, which mesh.router=rtl:PATH selects. The pins of each kind are on the page of the package's components
# (share/tensix-vp/models/rtl/README.md in an installation, models/rtl/README.md in the source tree).
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
  set(kinds mesh_router)
  if(NOT RTL_KIND IN_LIST kinds)
    string(REPLACE ";" ", " kinds "${kinds}")
    message(FATAL_ERROR "tensix_vp_add_rtl(NAME ${RTL_NAME}): KIND ${RTL_KIND}: expected ${kinds}")
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
  set(text "#include \"V${RTL_NAME}.h\"\n#include \"tensix_vp/rtl/mesh_router_glue.h\"\n\n"
           "extern \"C\" __attribute__((visibility(\"default\"))) const tensix_vp::rtl::MeshRouterModule*\n"
           "tensix_vp_mesh_router() {\n"
           "  using Router = tensix_vp::rtl::VerilatedMeshRouter<V${RTL_NAME}>\;\n"
           "  return tensix_vp::rtl::mesh_router_module<Router>(\"${RTL_NAME}\")\;\n}\n")
  string(CONCAT text ${text})
  file(GENERATE OUTPUT ${glue} CONTENT "${text}")
  add_library(${RTL_NAME} MODULE ${glue})
  verilate(${RTL_NAME} PREFIX V${RTL_NAME} TOP_MODULE ${RTL_TOP} SOURCES ${RTL_SOURCES} VERILATOR_ARGS ${arguments})
  target_include_directories(${RTL_NAME} SYSTEM PRIVATE ${TENSIX_VP_RTL_HEADERS})
  target_compile_features(${RTL_NAME} PRIVATE cxx_std_20)
  # Verilator's own code stays private: a process may load several of these libraries.
  target_compile_definitions(${RTL_NAME} PRIVATE VL_TIME_CONTEXT)
  set_target_properties(${RTL_NAME} PROPERTIES CXX_VISIBILITY_PRESET hidden UNITY_BUILD OFF DISABLE_PRECOMPILE_HEADERS ON)
  target_compile_options(${RTL_NAME} PRIVATE -w)
  target_link_options(${RTL_NAME} PRIVATE -Wl,--no-undefined)
endfunction()
