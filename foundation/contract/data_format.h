#pragma once
// Numbers of the data formats as kernels and descriptors use them, for kernels and host. The low
// four bits are the hardware's field (ISA TensixCoprocessor/Unpackers, Packers).

#include <stdint.h>

enum class DataFormat : uint8_t {
  Float32 = 0,
  Float16 = 1,
  Bfp8 = 2,
  Bfp4 = 3,
  Tf32 = 4,
  Float16_b = 5,
  Bfp8_b = 6,
  Bfp4_b = 7,
  Int32 = 8,
  UInt16 = 9,
  Lf8 = 10,
  Bfp2 = 11,
  Int8 = 14,
  Bfp2_b = 15,
  UInt32 = 24,
  UInt8 = 30,
  // Formats for moving data only. Hardware has none of them; coprocessors get the float format of
  // the same width.
  RawUInt8 = 240,
  RawUInt16 = 241,
  RawUInt32 = 242,
  Invalid = 255,
};
