set(COPROCESSOR_MATH_SOURCES math_config.cpp matrix_arithmetic.cpp matrix_moves.cpp matrix_pool.cpp
    matrix_unit.cpp)
