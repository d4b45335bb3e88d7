# Compile options of all our targets, which link tvp_options. Users of an installed copy do not get them.
set(TVP_SANITIZE "" CACHE STRING "Sanitizers to build with: address,undefined or thread")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)  # everything ends in libtensix_vp.so

add_library(tvp_options INTERFACE)
target_include_directories(tvp_options INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
# GCC 12 reports overlapping and overlong copies in std::string concatenation that do not exist (GCC bug
# 105651), the latter two with precompiled headers.
set(warnings -Wall -Wextra -Wshadow -Wconversion -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  list(APPEND warnings -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds)
endif()
target_compile_options(tvp_options INTERFACE "$<BUILD_INTERFACE:${warnings}>")
# ccache needs this option to know the dependencies of a precompiled header.
target_compile_options(tvp_options INTERFACE
                       $<BUILD_INTERFACE:$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>>)
# GCC collects garbage when its memory has doubled, which took 8 to 25 % of the time of measured files. With the
# larger limit they use 350 to 620 MB.
target_compile_options(tvp_options INTERFACE
                       "$<BUILD_INTERFACE:$<$<COMPILE_LANG_AND_ID:CXX,GNU>:SHELL:--param ggc-min-heapsize=1048576>>")
if(TVP_SANITIZE)
  target_compile_options(tvp_options INTERFACE -fsanitize=${TVP_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(tvp_options INTERFACE -fsanitize=${TVP_SANITIZE})
endif()
if(TVP_SANITIZE MATCHES address)
  # No stack instrumentation: an exception that leaves a coroutine looks like a stack underflow.
  target_compile_options(tvp_options INTERFACE -fno-sanitize-recover=undefined --param asan-stack=0)
elseif(TVP_SANITIZE STREQUAL thread)
  # GCC has no model of std::atomic_thread_fence for this sanitizer and warns of each.
  target_compile_options(tvp_options INTERFACE -Wno-tsan)
endif()
