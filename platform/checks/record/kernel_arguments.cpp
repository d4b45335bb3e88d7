#include "platform/checks/record/kernel_arguments.h"

#include <algorithm>
#include <cstring>

namespace tvp::checks {

KernelArguments::KernelArguments(const TileContext& tile) : l1_(tile.l1) {
  for (const TileContext::Core& core : tile.cores) cores_.push_back({.master = core.master});
}

const KernelArguments::Core* KernelArguments::known(BusMaster core) const {
  for (const Core& each : cores_)
    if (each.master == core) return &each;
  return nullptr;
}

KernelArguments::Core* KernelArguments::known(BusMaster core) {
  for (Core& each : cores_)
    if (each.master == core) return &each;
  return nullptr;
}

bool KernelArguments::announced(const ProbeEvent& event) {
  Core* const core = known(event.core);
  if (core == nullptr) return false;
  if (event.kind == ProbeEvent::Kind::kKernel) {
    core->given.clear();
    core->stored.clear();
    return true;
  }
  core->given.push_back(event.value);
  core->is_sorted = false;
  return true;
}

bool KernelArguments::has(BusMaster master, std::uint64_t word) {
  Core* const core = known(master);
  if (core == nullptr) return false;
  if (!core->is_sorted) std::sort(core->given.begin(), core->given.end());
  core->is_sorted = true;
  return std::binary_search(core->given.begin(), core->given.end(), word);
}

bool KernelArguments::has_any(BusMaster master, std::uint64_t begin, std::uint64_t bytes,
                              std::uint64_t step) const {
  const Core* const core = known(master);
  return core != nullptr &&
         std::any_of(core->given.begin(), core->given.end(), [&](std::uint32_t word) {
           return word >= begin && word - begin < bytes && (word - begin) % step == 0;
         });
}

bool KernelArguments::tile_has_any(std::uint64_t begin, std::uint64_t bytes) const {
  return std::any_of(cores_.begin(), cores_.end(),
                     [&](const Core& core) { return has_any(core.master, begin, bytes, 1); });
}

std::uint32_t KernelArguments::nearest(BusMaster master, std::uint64_t address) const {
  std::uint32_t nearest = 0;
  if (const Core* const core = known(master); core != nullptr)
    for (const std::uint32_t word : core->given)
      if (word <= address) nearest = std::max(nearest, word);
  return nearest;
}

bool KernelArguments::is_in_l1(BusMaster master, std::uint32_t buffer,
                               std::span<const std::uint32_t> others) {
  Core* const core = known(master);
  if (core == nullptr) return false;
  if (std::find(core->stored.begin(), core->stored.end(), buffer) != core->stored.end())
    return true;
  std::ptrdiff_t times = 0;
  for (const Core& each : cores_) times -= std::count(each.given.begin(), each.given.end(), buffer);
  for (std::size_t at = 0; at + sizeof buffer <= l1_.size() && times <= 0; at += sizeof buffer) {
    std::uint32_t word = 0;
    std::memcpy(&word, l1_.data() + at, sizeof word);
    if (word == buffer || std::find(others.begin(), others.end(), word) != others.end()) ++times;
  }
  if (times <= 0) return false;
  core->stored.push_back(buffer);
  return true;
}

void KernelArguments::forget_l1() {
  for (Core& core : cores_) core.stored.clear();
}

}  // namespace tvp::checks
