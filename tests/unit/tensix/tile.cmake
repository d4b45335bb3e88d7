tvp_test(NAME unit_tensix_l1 SOURCES l1_test.cpp LIBRARIES tvp_tile)
tvp_test(NAME unit_tensix_mailboxes SOURCES mailboxes_test.cpp LIBRARIES tvp_tile)
tvp_test(NAME unit_tensix_pc_buffers SOURCES pc_buffers_test.cpp LIBRARIES tvp_tile)
tvp_test(NAME unit_tensix_tile_bus SOURCES tile_bus_test.cpp LIBRARIES tvp_tile)
