# Lightly optimized code runs outside of the simulation and waits for users, files and compilers: command line,
# descriptions, reports. The optimizer would take half of its compile time without a visible effect. Code that
# runs while simulated time passes, or over all of a workload's data, needs the optimizer.
function(tvp_optimize_lightly)
  foreach(target ${ARGN})
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endforeach()
endfunction()
