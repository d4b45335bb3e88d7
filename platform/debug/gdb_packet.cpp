#include "platform/debug/gdb_packet.h"

namespace tvp::debug {

namespace {

constexpr char kEscape = '}';
constexpr char kEscapeBit = 0x20;
constexpr char kInterruptByte = 0x03;

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

char digit_of(unsigned value) { return "0123456789abcdef"[value & 0xFU]; }

std::uint8_t checksum(std::string_view text) {
  unsigned sum = 0;
  for (const char c : text) sum += static_cast<unsigned char>(c);
  return static_cast<std::uint8_t>(sum);
}

std::string without_escapes(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escaped = text[i] == kEscape && i + 1 < text.size();
    plain += escaped ? static_cast<char>(text[++i] ^ kEscapeBit) : text[i];
  }
  return plain;
}

}  // namespace

std::string to_hex(std::string_view bytes) {
  std::string digits;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    digits += digit_of(byte >> 4);
    digits += digit_of(byte);
  }
  return digits;
}

std::optional<std::string> from_hex(std::string_view digits) {
  if (digits.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const int high = digit(digits[i]);
    const int low = digit(digits[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

std::optional<std::uint64_t> take_hex(std::string_view& text) {
  std::uint64_t value = 0;
  std::size_t used = 0;
  while (used < text.size() && digit(text[used]) >= 0) {
    if (value >> 60 != 0) return std::nullopt;
    value = value << 4 | static_cast<std::uint64_t>(digit(text[used++]));
  }
  if (used == 0) return std::nullopt;
  text.remove_prefix(used);
  return value;
}

std::string encode_packet(std::string_view payload) {
  std::string text;
  for (const char c : payload) {
    if (c == '#' || c == '$' || c == '*' || c == kEscape) {
      text += kEscape;
      text += static_cast<char>(c ^ kEscapeBit);
    } else {
      text += c;
    }
  }
  const std::uint8_t sum = checksum(text);
  return "$" + text + "#" + digit_of(sum >> 4) + digit_of(sum);
}

/// Removes decoded bytes when they are half of the buffer, so that each byte moves at most once,
/// whatever the size of a read.
void PacketDecoder::feed(std::string_view bytes) {
  if (begin_ >= input_.size() - begin_) {
    input_.erase(0, begin_);
    begin_ = 0;
  }
  input_ += bytes;
}

std::optional<PacketDecoder::Item> PacketDecoder::next() {
  while (begin_ < input_.size()) {
    const char first = input_[begin_];
    if (first == '$') return packet();
    ++begin_;
    if (first == '+') return Item{Kind::kAck, {}};
    if (first == '-') return Item{Kind::kNack, {}};
    if (first == kInterruptByte) return Item{Kind::kInterrupt, {}};
  }
  return std::nullopt;
}

/// The rest begins with $.
std::optional<PacketDecoder::Item> PacketDecoder::packet() {
  const std::string_view rest = this->rest();
  // A $ inside is the start of the next packet: the end of this one was lost.
  const std::size_t end = rest.find_first_of("#$", 1);
  if (end == std::string_view::npos) {
    if (rest.size() <= 2 * kMaxPayload) return std::nullopt;
    begin_ = input_.size();
    return Item{Kind::kBadChecksum, {}};
  }
  if (rest[end] == '$') {
    begin_ += end;
    return Item{Kind::kBadChecksum, {}};
  }
  if (rest.size() < end + 3) return std::nullopt;
  const std::string text(rest.substr(1, end - 1));
  const std::optional<std::string> sum = from_hex(rest.substr(end + 1, 2));
  begin_ += end + 3;
  if (!sum || static_cast<std::uint8_t>(sum->front()) != checksum(text)) {
    return Item{Kind::kBadChecksum, {}};
  }
  Item item{Kind::kPacket, without_escapes(text)};
  if (item.payload.size() > kMaxPayload) return Item{Kind::kBadChecksum, {}};
  return item;
}

}  // namespace tvp::debug
