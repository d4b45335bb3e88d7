find_package(GTest REQUIRED)

# The sc_main of a test executable: runs GoogleTest inside the SystemC main. Objects, because the
# linker would not take sc_main out of an archive for the main of libsystemc.
set(support ${PROJECT_SOURCE_DIR}/tests/support)
add_library(tvp_test_main OBJECT ${support}/test_main.cpp ${support}/choose_file.cpp)
target_link_libraries(tvp_test_main PUBLIC tvp_options tvp::systemc GTest::gtest)

# The main of tests that have no SystemC in them.
add_library(tvp_host_test_main OBJECT ${support}/host_test_main.cpp ${support}/choose_file.cpp)
target_link_libraries(tvp_host_test_main PUBLIC tvp_options GTest::gtest)

# Checks that both sides of a TLM socket follow its protocol.
add_library(tvp_tlm_checker STATIC EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/tests/support/transport_rules.cpp)
target_link_libraries(tvp_tlm_checker PUBLIC tvp_options tvp::systemc GTest::gtest)

# Random traffic for sockets of the base protocol.
add_library(tvp_random_traffic STATIC EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/tests/support/random_traffic.cpp
            ${PROJECT_SOURCE_DIR}/tests/support/random_responder.cpp)
target_link_libraries(tvp_random_traffic PUBLIC tvp_tlm_checker)

# Runs the built program like a user. Tests that link it depend on tensix-vp and tensix_vp.
find_package(nlohmann_json REQUIRED)
add_library(tvp_test_program STATIC EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/tests/support/program.cpp)
target_compile_definitions(tvp_test_program PRIVATE TVP_PROGRAM="$<TARGET_FILE:tensix-vp>")
target_link_libraries(tvp_test_program PUBLIC tvp_options tvp_foundation GTest::gtest nlohmann_json::nlohmann_json)

tvp_optimize_lightly(tvp_test_main tvp_host_test_main tvp_tlm_checker tvp_random_traffic tvp_test_program)

# Time limit and labels of a ctest entry. Sanitizers need longer limits. cmake/lsan.supp lists leaks of other
# libraries. The leak checker guesses the addresses of thread-local variables of loaded libraries, and crashes
# if the guess is wrong.
function(tvp_test_properties name timeout labels)
  if(TVP_SANITIZE)
    math(EXPR timeout "${timeout} * 20")
    set_property(TEST ${name} PROPERTY ENVIRONMENT
                 "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/cmake/lsan.supp:print_suppressions=0"
                 "ASAN_OPTIONS=intercept_tls_get_addr=0"
                 "UBSAN_OPTIONS=print_stacktrace=1")
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${timeout} LABELS "${labels}")
endfunction()

# tvp_test(NAME name SOURCES a.cpp… LIBRARIES lib… [TIMEOUT s] [LABELS l…])
# One executable and one ctest entry: SystemC cannot be reset within a process.
function(tvp_test)
  cmake_parse_arguments(T "" "NAME;TIMEOUT" "SOURCES;LIBRARIES;LABELS" ${ARGN})
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 60)
  endif()
  add_executable(${T_NAME} ${T_SOURCES} $<TARGET_OBJECTS:tvp_test_main>)
  target_link_libraries(${T_NAME} PRIVATE tvp_test_main ${T_LIBRARIES})
  add_test(NAME ${T_NAME} COMMAND ${T_NAME} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  tvp_test_properties(${T_NAME} ${T_TIMEOUT} "${T_LABELS}")
endfunction()

# tvp_block_tests(NAME name TESTS test… [SOURCES a.cpp…] LIBRARIES lib… [TIMEOUT s] [LABELS l…] [HOST])
#
# The tests of a block are one executable, compiled with unity builds. Each test has a file test_test.cpp and a
# ctest entry name_test, because SystemC cannot be reset within a process. A test may be in a folder
# (folder/test); the entry's name omits the folder. HOST: there is no SystemC.
function(tvp_block_tests)
  cmake_parse_arguments(T "HOST" "NAME;TIMEOUT" "TESTS;SOURCES;LIBRARIES;LABELS" ${ARGN})
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 60)
  endif()
  list(TRANSFORM T_TESTS APPEND _test.cpp OUTPUT_VARIABLE files)
  if(T_HOST)
    set(main tvp_host_test_main)
  else()
    set(main tvp_test_main)
  endif()
  add_executable(${T_NAME} ${files} ${T_SOURCES} $<TARGET_OBJECTS:${main}>)
  set_target_properties(${T_NAME} PROPERTIES UNITY_BUILD "${TVP_JOIN_TESTS}" UNITY_BUILD_BATCH_SIZE 6)
  target_link_libraries(${T_NAME} PRIVATE ${main} ${T_LIBRARIES})
  foreach(path ${T_TESTS})
    get_filename_component(test ${path} NAME)
    add_test(NAME ${T_NAME}_${test} COMMAND ${T_NAME} --file=${path}_test.cpp
             WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    tvp_test_properties(${T_NAME}_${test} ${T_TIMEOUT} "${T_LABELS}")
  endforeach()
endfunction()
