set(COPROCESSOR_MOVEMENT_SOURCES address_counters.cpp l1_accumulation.cpp pack_conversion.cpp pack_stream.cpp
    packers.cpp
    unpack_conversion.cpp unpackers.cpp unpackers_nop.cpp)
