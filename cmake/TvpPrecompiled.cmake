# Headers that most files include, parsed once: SystemC, GoogleTest and the standard library take longer
# to read than most of our files take to compile. Without them (to see whether each file includes what it
# needs): -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON, as the presets `debug` and `asan` do.
# A precompiled header also costs time in every file that uses it, depending on its size. <nlohmann/json.hpp>
# alone costs 0.7 s, so it is not precompiled.
#
# Executables have their own sets, because their position-independent code differs from that of libraries, and a
# precompiled header fits only one of the two.
set(TVP_PRECOMPILED_STANDARD <algorithm> <array> <bit> <cstdint> <cstring> <functional> <map> <memory>
    <optional> <set> <string> <utility> <vector>)
set(TVP_PRECOMPILED_SYSTEMC <systemc> <tlm> <tlm_utils/simple_initiator_socket.h>
    <tlm_utils/simple_target_socket.h>)

set(empty ${PROJECT_BINARY_DIR}/precompiled/empty.cpp)
file(CONFIGURE OUTPUT ${empty} CONTENT
     "extern \"C\" int sc_main(int, char**) { return 0; }  // libsystemc.so asks for it\nint main() { return 0; }\n")

function(tvp_precompiled_set name)
  cmake_parse_arguments(P "EXECUTABLE" "" "HEADERS;LIBRARIES" ${ARGN})
  if(P_EXECUTABLE)
    add_executable(${name} EXCLUDE_FROM_ALL ${empty})
  else()
    add_library(${name} STATIC EXCLUDE_FROM_ALL ${empty})
  endif()
  target_link_libraries(${name} PRIVATE tvp_options ${P_LIBRARIES})
  target_precompile_headers(${name} PRIVATE ${P_HEADERS})
endfunction()

tvp_precompiled_set(tvp_precompiled_standard HEADERS ${TVP_PRECOMPILED_STANDARD})
tvp_precompiled_set(tvp_precompiled_model HEADERS ${TVP_PRECOMPILED_STANDARD} ${TVP_PRECOMPILED_SYSTEMC}
                    LIBRARIES tvp::systemc)
tvp_precompiled_set(tvp_precompiled_program EXECUTABLE HEADERS ${TVP_PRECOMPILED_STANDARD})
tvp_precompiled_set(tvp_precompiled_test EXECUTABLE
                    HEADERS ${TVP_PRECOMPILED_STANDARD} ${TVP_PRECOMPILED_SYSTEMC} <gtest/gtest.h>
                    LIBRARIES tvp::systemc GTest::gtest)

tvp_precompiled_set(tvp_precompiled_host_test EXECUTABLE HEADERS ${TVP_PRECOMPILED_STANDARD} <gtest/gtest.h>
                    LIBRARIES GTest::gtest)

# Sets `result` when `target` gets `library` from any of what it links.
function(tvp_links_to target library result)
  set(seen)
  set(queue ${target})
  set(${result} OFF PARENT_SCOPE)
  while(queue)
    list(POP_FRONT queue one)
    if(one STREQUAL library)
      set(${result} ON PARENT_SCOPE)
      return()
    endif()
    if(one IN_LIST seen OR NOT TARGET ${one})
      continue()
    endif()
    list(APPEND seen ${one})
    get_target_property(aliased ${one} ALIASED_TARGET)
    if(aliased)
      list(APPEND queue ${aliased})
      continue()
    endif()
    foreach(property LINK_LIBRARIES INTERFACE_LINK_LIBRARIES)
      get_target_property(libraries ${one} ${property})
      if(libraries)
        list(APPEND queue ${libraries})
      endif()
    endforeach()
  endwhile()
endfunction()

# Gives every library and program of ours that is declared in or below `folder` the set that fits it.
function(tvp_use_precompiled folder)
  tvp_compiled_targets(${folder} targets)
  foreach(target ${targets})
    get_target_property(type ${target} TYPE)
    get_target_property(own ${target} PRECOMPILE_HEADERS)
    tvp_links_to(${target} tvp_options ours)
    if(own OR NOT ours)
      continue()
    endif()
    tvp_links_to(${target} tvp_systemc systemc)
    tvp_links_to(${target} GTest::gtest test)
    if(type STREQUAL EXECUTABLE)
      if(systemc AND test)
        set(set test)
      elseif(test)
        set(set host_test)
      elseif(systemc)
        set(set model_program)
      else()
        set(set program)
      endif()
    elseif(systemc)
      set(set model)
    else()
      set(set standard)
    endif()
    if(TARGET tvp_precompiled_${set})
      set_target_properties(${target} PROPERTIES PRECOMPILE_HEADERS_REUSE_FROM tvp_precompiled_${set})
    endif()
  endforeach()
endfunction()
