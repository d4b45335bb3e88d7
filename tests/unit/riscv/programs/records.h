#pragma once

#include <cstdint>

namespace tvp::programs {

namespace records_of {

struct Record {
  std::uint32_t key, size, owner, group, mode, time, link, check;
};

/// Eight stores in a row.
[[gnu::noinline]] inline void make(Record& record, std::uint32_t key, std::uint32_t time) {
  record = {.key = key,
            .size = key >> 3,
            .owner = key & 0xFF,
            .group = time & 7,
            .mode = 0x1ED,
            .time = time,
            .link = ~key,
            .check = key ^ time};
}
[[gnu::noinline]] inline std::uint32_t find(const Record* records, std::uint32_t count,
                                            std::uint32_t key) {
  for (std::uint32_t i = 0; i < count; ++i) {
    if (records[i].key == key) return i;
  }
  return count;
}

}  // namespace records_of

/// Creates, copies and searches records: streams of stores and of loads.
inline std::uint32_t records(std::uint32_t rounds) {
  using records_of::Record;
  constexpr std::uint32_t kRecords = 64;
  static Record list[kRecords], other[kRecords];
  std::uint32_t key = 12345, sum = 0;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    for (std::uint32_t i = 0; i < kRecords; ++i) {
      key = key * 1103515245U + 12345U;
      records_of::make(list[i], key >> 8, round + i);
    }
    for (std::uint32_t i = 0; i < kRecords; ++i) other[(i * 5 + round) % kRecords] = list[i];
    const std::uint32_t at = records_of::find(other, kRecords, key >> 8);
    sum = sum * 31 + at + other[round % kRecords].check;
  }
  return sum;
}

}  // namespace tvp::programs
