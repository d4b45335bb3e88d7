#include "models/tensix/coprocessor/pack/pack_stream.h"

#include <algorithm>
#include <cstring>

#include "models/tensix/coprocessor/lanes/lanes.h"

namespace tvp::tensix::coprocessor {

namespace {

/// Copies the low parts of `values` in order.
template <typename T>
[[gnu::always_inline]] inline void copy_low(const std::uint32_t* values, unsigned count,
                                            std::uint8_t* bytes) {
  constexpr unsigned kRow = PackStream::kMaxValues;
  std::array<T, kRow> low;
  if (count % kRow == 0) {
    for (unsigned row = 0; row < count; row += kRow) {
      for (unsigned i = 0; i < kRow; ++i) low[i] = static_cast<T>(values[row + i]);
      std::memcpy(bytes + row * sizeof(T), low.data(), sizeof low);
    }
    return;
  }
  for (unsigned i = 0; i < count; ++i) low[i] = static_cast<T>(values[i]);
  std::memcpy(bytes, low.data(), count * sizeof(T));
}
/// True if copying is all that is needed.
[[gnu::always_inline]] inline bool copy_low(const std::uint32_t* values, unsigned count,
                                            unsigned bits, std::uint8_t* bytes) {
  if (bits == 32) {
    copy_low<std::uint32_t>(values, count, bytes);
  } else if (bits == 16) {
    copy_low<std::uint16_t>(values, count, bytes);
  } else if (bits == 8) {
    copy_low<std::uint8_t>(values, count, bytes);
  } else {
    return false;
  }
  return true;
}

}  // namespace

void PackStream::append(const std::uint32_t* values, unsigned count, unsigned bits) {
  if (append_in_place(values, count, bits)) return;
  for (unsigned i = 0; i < count; i += kMaxValues) {
    append_row(values + i, std::min(count - i, kMaxValues), bits);
  }
}

/// Copies whole beats to places of L1 whose content is not needed.
TVP_ALSO_WIDE bool PackStream::append_in_place(const std::uint32_t* values, unsigned count,
                                               unsigned bits) noexcept {
  const unsigned total = count * bits / 8;
  if (bytes_ != 0 || accumulates_ || total % kBeatBytes != 0) return false;
  if (byte_address_ + total > l1_.size_bytes()) return false;
  if (!copy_low(values, count, bits, l1_.bytes() + byte_address_)) return false;
  if (beats_ == 0) first_byte_ = byte_address_;
  byte_address_ += total;
  beats_ += total / kBeatBytes;
  return true;
}

TVP_ALSO_WIDE void PackStream::append_row(const std::uint32_t* values, unsigned count,
                                          unsigned bits) noexcept {
  std::array<std::uint8_t, 4 * kMaxValues> bytes;
  if (!copy_low(values, count, bits, bytes.data())) {
    bytes.fill(0);
    for (unsigned i = 0; i < count; ++i) {
      std::uint8_t& byte = bytes[i * bits / 8];
      byte = static_cast<std::uint8_t>(byte | values[i] << (i * bits % 8));
    }
  }
  const unsigned total = count * bits / 8;
  unsigned taken = 0;
  if (bytes_ == 0) {
    for (; taken + kBeatBytes <= total; taken += kBeatBytes) write_beat(&bytes[taken]);
  }
  while (taken < total) {
    const unsigned run = std::min(total - taken, kBeatBytes - bytes_);
    std::memcpy(&buffer_[bytes_], &bytes[taken], run);
    taken += run;
    bytes_ += run;
    if (bytes_ == kBeatBytes) write_beat(buffer_.data());
  }
}

void PackStream::end_tile() {
  if (bytes_ != 0) {
    std::fill(buffer_.begin() + bytes_, buffer_.end(), std::uint8_t{0});
    write_beat(buffer_.data());
  }
  needs_new_address_ = true;
}

void PackStream::write_beat(const std::uint8_t* beat) {
  if (beats_ == 0) first_byte_ = byte_address_;
  if (byte_address_ + kBeatBytes > l1_.size_bytes()) {
    overrun_ = true;
  } else if (accumulates_) {
    L1Accumulation::add(format_, beat, l1_.bytes() + byte_address_);
  } else {
    std::memcpy(l1_.bytes() + byte_address_, beat, kBeatBytes);
  }
  byte_address_ += kBeatBytes;
  beats_ += 1;
  bytes_ = 0;
}

}  // namespace tvp::tensix::coprocessor
