#pragma once

#include <cstdint>

namespace tvp::programs {

/// Builds a linked list of records in random order, walks it, and merge-sorts it: dependent loads,
/// short loops, data-dependent branches.
inline std::uint32_t list_sort(std::uint32_t rounds) {
  constexpr std::uint32_t kRecords = 256;
  constexpr std::uint32_t kEnd = ~0U;
  struct Record {
    std::uint32_t next, key, payload;
  };
  static Record records[kRecords];
  std::uint32_t sum = 0, seed = 12345;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    for (std::uint32_t i = 0; i < kRecords; ++i) {
      seed = seed * 1664525U + 1013904223U;
      records[i] = {i + 1 == kRecords ? kEnd : i + 1, seed >> 8, i};
    }
    std::uint32_t head = 0;
    for (std::uint32_t run = 1; run < kRecords; run *= 2) {
      std::uint32_t left = head, tail = kEnd;
      head = kEnd;
      while (left != kEnd) {
        std::uint32_t right = left, lefts = 0, rights = run;
        while (lefts < run && right != kEnd) {
          ++lefts;
          right = records[right].next;
        }
        while (lefts > 0 || (rights > 0 && right != kEnd)) {
          std::uint32_t taken = right;
          const bool from_left = lefts > 0 && (rights == 0 || right == kEnd ||
                                               records[left].key <= records[right].key);
          if (from_left) {
            taken = left;
            left = records[left].next;
            --lefts;
          } else {
            right = records[right].next;
            --rights;
          }
          if (tail == kEnd) {
            head = taken;
          } else {
            records[tail].next = taken;
          }
          tail = taken;
        }
        left = right;
      }
      records[tail].next = kEnd;
    }
    std::uint32_t place = 0;
    for (std::uint32_t at = head; at != kEnd; at = records[at].next) {
      sum = sum * 31 + records[at].payload * ++place + records[at].key;
    }
  }
  return sum;
}

}  // namespace tvp::programs
