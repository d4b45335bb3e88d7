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
/// Takes the hexadecimal number that `text` begins with off it; empty when there is none, or when
/// it needs more than 64 bits.
std::optional<std::uint64_t> take_hex(std::string_view& text);

/// The frame around a packet: $, text with }-escapes, #, checksum (GDB manual, Remote Protocol,
/// Overview).
std::string encode_packet(std::string_view payload);

/// Makes packets of a stream of bytes.
class PacketDecoder {
 public:
  enum class Kind : std::uint8_t {
    kPacket,       ///< `payload` is without its escapes
    kBadChecksum,  ///< or too long, or with a checksum that is no number
    kAck,
    kNack,
    kInterrupt,  ///< Ctrl-C
  };
  struct Item {
    Kind kind = Kind::kPacket;
    std::string payload;
  };
  /// Payloads beyond it are refused. The size that the server announces.
  static constexpr std::size_t kMaxPayload = 16384;

  void feed(std::string_view bytes);
  /// The next complete item; empty when more bytes are needed. Bytes between packets that mean
  /// nothing are skipped.
  std::optional<Item> next();

 private:
  std::optional<Item> packet();
  std::string_view rest() const { return std::string_view(input_).substr(begin_); }

  std::string input_;
  std::size_t begin_ = 0;  ///< of what is not decoded yet
};

}  // namespace tvp::debug
