#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tvp::debug {

/// Two lower-case digits a byte.
std::string to_hex(std::string_view bytes);
/// Empty when `digits` is not an even number of hexadecimal digits.
std::optional<std::string> from_hex(std::string_view digits);
/// Removes the leading hexadecimal number from `text`. Empty if there is none, or if it exceeds 64
/// bits.
std::optional<std::uint64_t> take_hex(std::string_view& text);

/// The frame around a packet: $, text with }-escapes, #, checksum (GDB manual, Remote Protocol,
/// Overview).
std::string encode_packet(std::string_view payload);

/// Splits a stream of bytes into packets.
class PacketDecoder {
 public:
  enum class Kind : std::uint8_t {
    kPacket,       ///< `payload` is without its escapes
    kBadChecksum,  ///< also: too long, or no valid checksum
    kAck,
    kNack,
    kInterrupt,  ///< Ctrl-C
  };
  struct Item {
    Kind kind = Kind::kPacket;
    std::string payload;
  };
  /// Longer payloads are refused. The server announces this size.
  static constexpr std::size_t kMaxPayload = 16384;

  void feed(std::string_view bytes);
  /// The next complete item; empty if more bytes are needed. Skips other bytes between packets.
  std::optional<Item> next();

 private:
  std::optional<Item> packet();
  std::string_view rest() const { return std::string_view(input_).substr(begin_); }

  std::string input_;
  std::size_t begin_ = 0;  ///< start of the bytes that are not decoded yet
};

}  // namespace tvp::debug
