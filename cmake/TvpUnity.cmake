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

# C code of others.
tvp_compile_alone(tvp_fstapi)
