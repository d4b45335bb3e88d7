# The report and the command line of all benchmarks.
add_library(tvp_bench_report STATIC ${PROJECT_SOURCE_DIR}/tests/support/bench_report.cpp)
target_link_libraries(tvp_bench_report PUBLIC tvp_options PRIVATE nlohmann_json::nlohmann_json)

tvp_optimize_lightly(tvp_bench_report)

# Everything that `vp bench` runs.
add_custom_target(tvp_benches)

# tvp_bench(NAME name SOURCES a.cpp… LIBRARIES lib…)
# The executable bench/bench_<name> of the build folder, where `vp bench` looks for it; no test.
function(tvp_bench)
  cmake_parse_arguments(B "" "NAME" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(bench_${B_NAME} ${B_SOURCES})
  target_link_libraries(bench_${B_NAME} PRIVATE tvp_bench_report ${B_LIBRARIES})
  target_compile_options(bench_${B_NAME} PRIVATE $<$<CONFIG:Release>:-O3>)  # unlike tests
  set_target_properties(bench_${B_NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
  add_dependencies(tvp_benches bench_${B_NAME})
endfunction()
