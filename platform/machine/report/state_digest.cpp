#include "platform/machine/report/state_digest.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace tvp::platform {

namespace {

/// Which host pages of a range have memory, as the operating system reports. All of them if it does
/// not.
class HostPages {
 public:
  HostPages(const std::uint8_t* bytes, std::size_t size)
      : page_bytes_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
        first_(reinterpret_cast<std::uintptr_t>(bytes) / page_bytes_) {
    const std::uintptr_t last = (reinterpret_cast<std::uintptr_t>(bytes) + size - 1) / page_bytes_;
    entries_.resize(last - first_ + 1);
    static const int file = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    const std::size_t wanted = entries_.size() * sizeof(std::uint64_t);
    const auto at = static_cast<off_t>(first_ * sizeof(std::uint64_t));
    known_ = file >= 0 && pread(file, entries_.data(), wanted, at) == static_cast<ssize_t>(wanted);
  }
  /// False only when no byte of [from, from + size) has ever been written.
  bool may_hold_data(const std::uint8_t* from, std::size_t size) const {
    if (!known_) return true;
    constexpr std::uint64_t kPresentOrSwapped = 3ULL << 62;
    const std::uintptr_t a = reinterpret_cast<std::uintptr_t>(from) / page_bytes_ - first_;
    const std::uintptr_t b =
        (reinterpret_cast<std::uintptr_t>(from) + size - 1) / page_bytes_ - first_;
    return std::any_of(entries_.begin() + static_cast<std::ptrdiff_t>(a),
                       entries_.begin() + static_cast<std::ptrdiff_t>(b) + 1,
                       [](std::uint64_t e) { return (e & kPresentOrSwapped) != 0; });
  }

 private:
  std::size_t page_bytes_;
  std::uintptr_t first_;
  bool known_ = false;
  std::vector<std::uint64_t> entries_;
};

}  // namespace

void StateDigest::add_memory(std::uint64_t tag, const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return;
  mix(tag);
  const HostPages pages(bytes, size);
  for (std::size_t at = 0; at < size; at += kPageBytes) {
    const std::size_t n = std::min(kPageBytes, size - at);
    if (pages.may_hold_data(bytes + at, n)) add_page(at, bytes + at, n);
  }
}

void StateDigest::add_page(std::uint64_t address, const std::uint8_t* bytes, std::size_t size) {
  static constexpr std::uint8_t kZeros[kPageBytes] = {};
  if (std::memcmp(bytes, kZeros, size) == 0) return;
  mix(address);
  std::size_t at = 0;
  for (; at + 8 <= size; at += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes + at, 8);
    mix(word);
  }
  for (; at < size; ++at) mix(bytes[at]);
}

}  // namespace tvp::platform
