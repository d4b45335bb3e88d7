foreach(test tensix_config unpack_conversion pack_conversion address_counters unpackers unpackers_random packers movement_round_trip
        movement_issue)
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${test}_test.cpp)
    tvp_test(NAME unit_tensix_${test} SOURCES ${test}_test.cpp LIBRARIES tvp_coprocessor tvp_tile)
  endif()
endforeach()
