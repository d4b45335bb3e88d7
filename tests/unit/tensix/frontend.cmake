tvp_test(NAME unit_tensix_opcodes SOURCES opcodes_test.cpp LIBRARIES tvp_regs)
foreach(part expanders wait_gate scalar_unit configuration_unit sync_unit mover coprocessor)
  tvp_test(NAME unit_tensix_${part} SOURCES ${part}_test.cpp LIBRARIES tvp_coprocessor)
endforeach()
tvp_test(NAME unit_tensix_tile_matmul SOURCES tile_matmul_test.cpp LIBRARIES tvp_coprocessor tvp_tile)

# The benchmark of frontends and wait gates; not a test.
tvp_bench(NAME coprocessor SOURCES bench_coprocessor.cpp LIBRARIES tvp_coprocessor GTest::gtest)
