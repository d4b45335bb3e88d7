# The release build compiles the files of a library some at a time (CMAKE_UNITY_BUILD), so that SystemC and
# the templates of its sockets are worked through once for all of them. What cannot be joined with its
# neighbors stands here.
function(tvp_compile_alone)
  foreach(target ${ARGN})
    if(TARGET ${target})
      set_target_properties(${target} PROPERTIES UNITY_BUILD OFF)
    endif()
  endforeach()
endfunction()

# Generated code, and C code of others.
tvp_compile_alone(tvp_verilated tvp_fstapi)
tvp_compile_alone(tvp_ethernet tvp_pim tvp_rtl tvp_rtl_models tvp_report tvp_machine tvp_noc)

function(tvp_compile_file_alone folder)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/${folder}/)
  set_source_files_properties(${ARGN} DIRECTORY ${PROJECT_SOURCE_DIR}/${folder}
                              PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
tvp_compile_file_alone(models/tensix/coprocessor vector_round.cpp vector_simple.cpp)
tvp_compile_file_alone(sw/runtime pim_system.cpp)
tvp_compile_file_alone(sw/workloads/microbenchmarks fabric_latency.cpp)
tvp_compile_file_alone(sw/collectives vectors.cpp)
tvp_compile_file_alone(platform/cli sweep_plan.cpp sweep_command.cpp)
