#include "sw/runtime/buffers/bank_manager.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "sw/runtime/errors.h"

namespace tvp::runtime {

BankManager::BankManager(std::string name, std::uint64_t base, std::uint64_t end,
                         std::uint64_t alignment, bool top_down)
    : name_(std::move(name)),
      base_((base + alignment - 1) / alignment * alignment),
      end_(end / alignment * alignment),
      alignment_(alignment),
      top_down_(top_down) {}

std::uint64_t BankManager::allocate(std::uint64_t bytes) {
  const std::uint64_t size = (bytes + alignment_ - 1) / alignment_ * alignment_;
  if (size == 0) bad_use(name_, "a buffer of no bytes");
  if (top_down_) {
    std::uint64_t gap_end = end_;
    for (auto it = used_.rbegin(); it != used_.rend(); ++it) {
      if (gap_end - (it->first + it->second) >= size) break;
      gap_end = it->first;
    }
    if (gap_end - base_ >= size) {
      used_.emplace(gap_end - size, size);
      return gap_end - size;
    }
  } else {
    std::uint64_t gap_begin = base_;
    for (const auto& [address, length] : used_) {
      if (address - gap_begin >= size) break;
      gap_begin = address + length;
    }
    if (end_ - gap_begin >= size) {
      used_.emplace(gap_begin, size);
      return gap_begin;
    }
  }
  bad_use(name_, "no room for " + std::to_string(size) + " bytes a bank between " +
                     std::to_string(base_) + " and " + std::to_string(end_));
}

void BankManager::set_base(std::uint64_t base) {
  if (lowest() < base || base > end_)
    bad_use(name_, "is to begin at " + std::to_string(base) + ", but " +
                       (in_use() ? "has a buffer at " + std::to_string(lowest())
                                 : "ends at " + std::to_string(end_)));
  base_ = base;
}

std::uint64_t BankManager::used() const {
  std::uint64_t bytes = 0;
  for (const auto& [address, length] : used_) bytes += length;
  return bytes;
}

std::uint64_t BankManager::largest_room() const {
  std::uint64_t room = 0, gap_begin = base_;
  for (const auto& [address, length] : used_) {
    room = std::max(room, address - gap_begin);
    gap_begin = address + length;
  }
  return std::max(room, end_ - gap_begin);
}

std::uint64_t BankManager::lowest() const { return used_.empty() ? end_ : used_.begin()->first; }

}  // namespace tvp::runtime
