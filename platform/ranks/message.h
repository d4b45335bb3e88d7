#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tvp::platform {

/// Bytes for another rank. Values are read in the order in which they were written. All ranks run
/// the same build, so values keep their layout in memory.
class Message {
 public:
  Message() = default;
  explicit Message(std::vector<std::uint8_t> bytes) : bytes_(std::move(bytes)) {}

  template <typename Value>
  Message& put(const Value& value) {
    static_assert(std::is_trivially_copyable_v<Value>);
    return put_bytes(&value, sizeof value);
  }
  Message& put_bytes(const void* data, std::size_t size) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + size);
    if (size != 0) std::memcpy(bytes_.data() + at, data, size);
    return *this;
  }
  Message& put_text(std::string_view text) {
    put(static_cast<std::uint32_t>(text.size()));
    return put_bytes(text.data(), text.size());
  }

  template <typename Value>
  Value get() {
    static_assert(std::is_trivially_copyable_v<Value>);
    Value value;
    get_bytes(&value, sizeof value);
    return value;
  }
  void get_bytes(void* data, std::size_t size) {
    const std::uint8_t* const from = take(size);
    if (size != 0) std::memcpy(data, from, size);
  }
  std::string get_text();
  /// The next bytes. The pointer is valid until the message changes.
  std::uint8_t* take(std::size_t size);

  bool at_end() const { return read_ == bytes_.size(); }
  std::size_t size() const { return bytes_.size(); }
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }
  void clear() {
    bytes_.clear();
    read_ = 0;
  }

 private:
  std::vector<std::uint8_t> bytes_;
  std::size_t read_ = 0;
};

}  // namespace tvp::platform
