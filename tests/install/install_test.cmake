# cmake --install, the installed program, and a project that finds the installed library.
set(prefix ${WORK}/prefix)
file(REMOVE_RECURSE ${prefix} ${WORK}/consumer_build)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGN} ended with ${code}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# ./vp builds the program only; the installation builds the rest.
file(REMOVE ${BUILD}/sw/metalium/libtvp_metalium.a)
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
run(${prefix}/bin/tensix-vp run noc_exchange --report ${WORK}/report.json --page ${WORK}/page.html)
if(NOT output MATCHES "noc_exchange on [a-z0-9_]+: passed")
  message(FATAL_ERROR "the installed program does not say that its workload passed:\n${output}")
endif()
run(${prefix}/bin/tensix-vp list --limits)
# Messages begin with the installed program's name.
execute_process(COMMAND ${prefix}/bin/tensix-vp run picture RESULT_VARIABLE code ERROR_VARIABLE error)
if(NOT code EQUAL 2 OR NOT error MATCHES "^tensix-vp: .*'tensix-vp list' shows all")
  message(FATAL_ERROR "an unknown workload ends with ${code}:\n${error}")
endif()

# The program must read the installed copies and must not start without them.
file(RENAME ${prefix}/share/tensix-vp/platform ${prefix}/share/tensix-vp/elsewhere)
execute_process(COMMAND ${prefix}/bin/tensix-vp run noc_exchange
                RESULT_VARIABLE code OUTPUT_QUIET ERROR_VARIABLE error)
if(NOT code EQUAL 2 OR NOT error MATCHES "${prefix}/share/tensix-vp/platform/systems")
  message(FATAL_ERROR "without its systems the installed program ended with ${code}:\n${error}")
endif()
file(RENAME ${prefix}/share/tensix-vp/elsewhere ${prefix}/share/tensix-vp/platform)

# The Python module of the prefix finds the program and the libraries beside it.
if(PYTHON)
  file(GLOB module ${prefix}/lib/python3/dist-packages/tensix_vp/py.typed)
  if(NOT module)
    message(FATAL_ERROR "the Python module is not in ${prefix}/lib/python3/dist-packages")
  endif()
  run(${CMAKE_COMMAND} -E env PYTHONPATH=${prefix}/lib/python3/dist-packages ${PYTHON} -B -c
      "import tensix_vp\nwith tensix_vp.open_mesh('pair') as mesh: print(len(mesh), tensix_vp.run('noc_exchange', rounds=2).passed)
print(tensix_vp.installation.program(), tensix_vp.installation.library('libtensix_vp_host.so'))")
  if(NOT output MATCHES "^2 True\n${prefix}/bin/tensix-vp ${prefix}/lib")
    message(FATAL_ERROR "the installed Python module prints:\n${output}")
  endif()
endif()

# A program for a release of tt-metal that is not in the table is refused before anything is built.
execute_process(COMMAND ${CMAKE_COMMAND} -S ${CONSUMER} -B ${WORK}/consumer_build -G ${GENERATOR}
                        -DCMAKE_PREFIX_PATH=${prefix} -DTENSIX_VP_METALIUM_RELEASE=v0.59
                RESULT_VARIABLE code OUTPUT_QUIET ERROR_VARIABLE error)
string(REGEX REPLACE "[ \n]+" " " error "${error}")
if(code EQUAL 0 OR NOT error MATCHES "release v0.59 of tt-metal is not supported: expected one of 0.52.0-rc27, 0.60, ")
  message(FATAL_ERROR "the release 0.59 of tt-metal ends with ${code}:\n${error}")
endif()
run(${CMAKE_COMMAND} -S ${CONSUMER} -B ${WORK}/consumer_build -G ${GENERATOR}
    -DCMAKE_PREFIX_PATH=${prefix} -DTENSIX_VP_METALIUM_RELEASE=0.66)
run(${CMAKE_COMMAND} --build ${WORK}/consumer_build)
run(${WORK}/consumer_build/consumer)
run(${WORK}/consumer_build/for_tt_metal)

# A copy of the library elsewhere finds the files installed beside the original.
file(GLOB_RECURSE library ${prefix}/libtensix_vp.so)
run(${WORK}/consumer_build/from_memory ${library})
file(RENAME ${prefix}/share/tensix-vp/platform/systems ${prefix}/share/elsewhere)
execute_process(COMMAND ${WORK}/consumer_build/from_memory ${library}
                RESULT_VARIABLE code OUTPUT_VARIABLE output)
if(NOT code EQUAL 1 OR NOT output MATCHES "${prefix}/share/tensix-vp/platform/systems")
  message(FATAL_ERROR "without its systems, a copy of the library ended with ${code}:\n${output}")
endif()
run(${CMAKE_COMMAND} -E env TENSIX_VP_SYSTEMS=${prefix}/share/elsewhere
    ${WORK}/consumer_build/from_memory ${library})
file(RENAME ${prefix}/share/elsewhere ${prefix}/share/tensix-vp/platform/systems)

# The examples, from the installed copy alone, by the commands of their README.
set(examples ${WORK}/examples)
file(REMOVE_RECURSE ${examples})
file(COPY ${prefix}/share/tensix-vp/sw/examples DESTINATION ${WORK})
run(${CMAKE_COMMAND} -S ${examples} -B ${examples}/build -G ${GENERATOR} -DCMAKE_PREFIX_PATH=${prefix})
run(${CMAKE_COMMAND} --build ${examples}/build)
foreach(example hello loopback eltwise matmul reduction sharded ring matmul_multicast sub_devices
        trace_replay two_chips column_parallel all_reduce pim_sum)
  run(${examples}/build/${example})
  if(NOT output MATCHES "(^|\n)${example}: .*: as ")
    message(FATAL_ERROR "${example} does not say that its result is right:\n${output}")
  endif()
endforeach()

foreach(example host_and_board foreign_dram accelerator core_alone joined_chips pim_dimm rtl_device tile_alone)
  run(${examples}/build/systemc/${example})
endforeach()
run(${examples}/build/systemc/accelerator ${examples}/build/systemc/libsquares_node.so)
# Routers in SystemVerilog in the place of the model, all or one.
set(routers ${WORK}/routers_build)
file(REMOVE_RECURSE ${routers})
run(${CMAKE_COMMAND} -S ${CONSUMER}/routers -B ${routers} -G ${GENERATOR} -DCMAKE_PREFIX_PATH=${prefix}
    -DROUTER=${examples}/systemc/xy_router.sv)
run(${CMAKE_COMMAND} --build ${routers})
function(run_with_router router code)
  execute_process(COMMAND ${prefix}/bin/tensix-vp run pim_allreduce --report ${WORK}/router.json
                          --set bytes=512,mesh.flow_control=hold,router=${router}
                  RESULT_VARIABLE ended OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT ended EQUAL code)
    message(FATAL_ERROR "with router=${router} the run ended with ${ended}:\n${text}")
  endif()
  file(READ ${WORK}/router.json report)
  string(JSON time GET "${report}" simulated_ps)
  set(time ${time} PARENT_SCOPE)
  set(text "${text}" PARENT_SCOPE)
endfunction()
run_with_router(tlm 0)
set(expected ${time})
foreach(where "" ":3:2")
  run_with_router(rtl:${routers}/libright.so${where} 0)
  if(NOT time EQUAL expected)
    message(FATAL_ERROR "a router in RTL takes ${time} ps, the model ${expected} ps")
  endif()
endforeach()
run_with_router(rtl:${routers}/libstuck.so:3:2 4)
if(NOT text MATCHES "mesh.router \\(3,2\\) is never ready at its west input: packet [0-9]+ from .* created at [0-9.]+ ns")
  message(FATAL_ERROR "the router that is never ready is not named:\n${text}")
endif()
run_with_router(rtl:${routers}/libflipping.so:3:2 1)
if(NOT text MATCHES "mesh.router \\(3,2\\): alters bit 13 of the payload at its east output")
  message(FATAL_ERROR "the router that flips a bit is not named:\n${text}")
endif()

execute_process(COMMAND ${CMAKE_COMMAND} -S ${CONSUMER}/components -B ${WORK}/components_build -G ${GENERATOR}
                        -DCMAKE_PREFIX_PATH=${prefix} RESULT_VARIABLE code OUTPUT_QUIET ERROR_VARIABLE error)
if(code EQUAL 0 OR NOT error MATCHES "unknown component waves: expected models")
  message(FATAL_ERROR "an unknown component ended with ${code}:\n${error}")
endif()

# The firmware is that of the library that is loaded, wherever a copy of it lies.
file(COPY ${library} DESTINATION ${examples}/elsewhere)
set(copy ${examples}/elsewhere/libtensix_vp.so)
run(${CMAKE_COMMAND} -E env TENSIX_VP_LIBRARY=${copy} ${examples}/build/eltwise)
file(RENAME ${prefix}/share/tensix-vp/firmware ${prefix}/share/tensix-vp/elsewhere)
execute_process(COMMAND ${CMAKE_COMMAND} -E env TENSIX_VP_LIBRARY=${copy} ${examples}/build/eltwise
                RESULT_VARIABLE code OUTPUT_QUIET ERROR_VARIABLE error)
if(NOT code EQUAL 2 OR NOT error MATCHES "${prefix}/share/tensix-vp")
  message(FATAL_ERROR "without its firmware, an example ended with ${code}:\n${error}")
endif()
file(RENAME ${prefix}/share/tensix-vp/elsewhere ${prefix}/share/tensix-vp/firmware)
