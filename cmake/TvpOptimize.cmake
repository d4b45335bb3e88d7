# Code that runs before and after a simulation, or around it, and waits for people, files and compilers:
# command line, descriptions, reports. The optimizer would take half of the time that it takes to
# compile, and nobody would see the difference. What runs while simulated time passes, or over all of a
# workload's data, is not of this kind.
function(tvp_optimize_lightly)
  foreach(target ${ARGN})
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endforeach()
endfunction()
