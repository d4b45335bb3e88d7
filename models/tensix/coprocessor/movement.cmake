set(COPROCESSOR_MOVEMENT_SOURCES address_counters.cpp pack_conversion.cpp packers.cpp
    unpack_conversion.cpp unpackers.cpp)
