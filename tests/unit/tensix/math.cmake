foreach(test matrix_arithmetic matrix_timing matrix_unit vector_float vector_macro vector_memory
             vector_unit)
  tvp_test(NAME unit_tensix_${test} SOURCES ${test}_test.cpp LIBRARIES tvp_coprocessor)
endforeach()
