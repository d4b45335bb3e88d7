#include "foundation/recording/host_message.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "foundation/fault.h"
#include "foundation/hex.h"

namespace tvp::foundation {

namespace {

using Kind = HostMessage::Kind;

struct Word {
  Kind kind;
  const char* text;
};
constexpr std::array<Word, 7> kWords{{{Kind::kWrite, "WRITE"},
                                      {Kind::kRead, "READ"},
                                      {Kind::kResetAssert, "RESET_ASSERT"},
                                      {Kind::kResetDeassert, "RESET_DEASSERT"},
                                      {Kind::kHost, "HOST"},
                                      {Kind::kClock, "CLOCK"},
                                      {Kind::kExit, "EXIT"}}};

constexpr std::string_view kBlanks = " \t\r";

/// Text of the file for an error message, with control characters escaped.
std::string quoted(std::string_view text) {
  constexpr std::size_t kMost = 40;
  std::string shown = "'";
  for (const char c : text.substr(0, kMost)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7F) {
      shown += c;
    } else {
      shown += "\\x" + hex_digits(byte, 2);
    }
  }
  return shown + (text.size() > kMost ? "…'" : "'");
}

std::string_view next_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(kBlanks));
  line.remove_prefix(word.size());
  return word;
}

bool parse_number(std::string_view text, std::uint64_t& value, int base) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc() && end == text.data() + text.size();
}

bool has_hex_prefix(std::string_view text) {
  return text.starts_with("0x") || text.starts_with("0X");
}

/// Decimal, or hexadecimal with prefix 0x.
bool parse_count(std::string_view text, std::uint64_t& value) {
  return has_hex_prefix(text) ? parse_number(text.substr(2), value, 16)
                              : parse_number(text, value, 10);
}

unsigned digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
  return 16;
}

/// Reads the fields of one line into a message. Refuses a repeated field.
class FieldReader {
 public:
  FieldReader(HostMessage& message, const std::string& where, std::string_view kind)
      : message_(message), where_(where), kind_(kind) {}

  void take(std::string_view word) {
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      fail(quoted(word) + ": expected FIELD=VALUE");
    }
    const std::string_view name = word.substr(0, equals);
    const std::string_view value = word.substr(equals + 1);
    if (std::find(seen_.begin(), seen_.end(), name) != seen_.end()) {
      fail(std::string(name) + ": expected once in a line");
    }
    seen_.push_back(name);
    if (name == "chip") {
      message_.chip = small(name, value, HostMessage::kDevices, "a PCI device from 0 to 31");
    } else if (name == "core") {
      take_core(value);
    } else if (name == "bar") {
      message_.bar = small(name, value, 3, "0 or 2");
      if (*message_.bar == 1) expected(name, "0 or 2", value);
    } else if (name == "addr") {
      take_address(value);
    } else if (name == "size") {
      take_size(value);
    } else if (name == "data") {
      if (value != "-") take_bytes(name, value, message_.data);
    } else if (name == "reply") {
      if (value != "-") take_bytes(name, value, message_.reply.emplace());
    } else {
      fail("unknown field " + quoted(name) +
           ": expected chip, core, bar, addr, size, data or reply");
    }
  }

  /// Checks that all required fields are there and agree with each other.
  void finish() {
    const bool reset = message_.kind == Kind::kResetAssert || message_.kind == Kind::kResetDeassert;
    const bool host = message_.kind == Kind::kHost;
    if (host && (has("core") || has("bar") || has("chip"))) {
      fail("core, bar and chip: expected none of them, the memory is the host's");
    }
    if (!host && has("core") == has("bar")) fail("core=X,Y: expected, or bar=N instead of it");
    if (reset && has("bar")) fail("core=X,Y: expected");
    if (message_.kind != Kind::kRead && message_.kind != Kind::kWrite && !host && !reset) return;
    if (message_.kind != Kind::kRead) message_.reply.reset();
    if (reset) {
      if (message_.data.size() > 4) fail("data: expected - or the 4 bytes of a mask");
      return;
    }
    if (!has("addr")) fail("addr=0xHEX: expected");
    if (!has("size")) fail("size=N: expected");
    check_range();
    if (message_.kind != Kind::kRead && message_.data.size() != message_.size) {
      fail("data: expected " + std::to_string(message_.size) + " bytes as size says, not " +
           std::to_string(message_.data.size()));
    }
    if (message_.reply && message_.reply->size() != message_.size) {
      fail("reply: expected " + std::to_string(message_.size) + " bytes as size says, not " +
           std::to_string(message_.reply->size()));
    }
  }

 private:
  [[noreturn]] void fail(const std::string& text) const {
    throw Fault(FaultKind::kDescription, where_, std::string(kind_) + ": " + text);
  }
  [[noreturn]] void expected(std::string_view name, const std::string& what,
                             std::string_view value) const {
    fail(std::string(name) + ": expected " + what + ", not " + quoted(value));
  }
  bool has(std::string_view name) const {
    return std::find(seen_.begin(), seen_.end(), name) != seen_.end();
  }

  unsigned small(std::string_view name, std::string_view value, unsigned end,
                 const std::string& what) const {
    std::uint64_t number = 0;
    if (!parse_number(value, number, 10) || number >= end) expected(name, what, value);
    return static_cast<unsigned>(number);
  }

  void take_core(std::string_view value) {
    const std::string what = "X,Y, coordinates of NoC 0 from 0 to 63";
    const std::size_t comma = value.find(',');
    if (comma == std::string_view::npos) expected("core", what, value);
    message_.x = small("core", value.substr(0, comma), HostMessage::kCoordinates, what);
    message_.y = small("core", value.substr(comma + 1), HostMessage::kCoordinates, what);
  }

  void take_address(std::string_view value) {
    if (!has_hex_prefix(value) || !parse_number(value.substr(2), message_.address, 16)) {
      expected("addr", "0xHEX", value);
    }
  }

  void take_size(std::string_view value) {
    std::uint64_t number = 0;
    if (!parse_count(value, number) || number > HostMessage::kMaxBytes) {
      expected("size", "a number of bytes from 0 to " + std::to_string(HostMessage::kMaxBytes),
               value);
    }
    message_.size = static_cast<std::uint32_t>(number);
  }

  void take_bytes(std::string_view name, std::string_view value, HostMessage::Bytes& bytes) const {
    if (has_hex_prefix(value)) value.remove_prefix(2);
    if (value.size() % 2 != 0) expected(name, "an even number of hexadecimal digits or -", value);
    bytes.reserve(value.size() / 2);
    for (std::size_t i = 0; i < value.size(); i += 2) {
      const unsigned byte = digit(value[i]) << 4 | digit(value[i + 1]);
      if (byte > 0xFF || digit(value[i + 1]) > 15) {
        expected(name, "hexadecimal digits or -", value.substr(i));
      }
      bytes.push_back(static_cast<std::uint8_t>(byte));
    }
  }

  /// Checks that the last byte has an address: 36 bits in a tile, 64 bits in a BAR or the host.
  void check_range() const {
    const std::uint64_t last = message_.kind == Kind::kHost || message_.bar
                                   ? std::numeric_limits<std::uint64_t>::max()
                                   : (std::uint64_t{1} << HostMessage::kTileAddressBits) - 1;
    const std::uint64_t rest = message_.size == 0 ? 0 : message_.size - 1;
    if (message_.address > last || rest > last - message_.address) {
      fail("addr: expected all " + std::to_string(message_.size) + " bytes at or below " +
           hex(last) + ", not from " + hex(message_.address) + " on");
    }
  }

  HostMessage& message_;
  const std::string& where_;
  std::string_view kind_;
  std::vector<std::string_view> seen_;
};

std::uint32_t parse_cycles(std::string_view word, const std::string& where) {
  std::uint64_t cycles = 0;
  if (!parse_count(word, cycles) || cycles > std::numeric_limits<std::uint32_t>::max()) {
    throw Fault(FaultKind::kDescription, where,
                "CLOCK: expected a number of cycles from 0 to 4294967295, not " + quoted(word));
  }
  return static_cast<std::uint32_t>(cycles);
}

void append_hex(std::string& line, const HostMessage::Bytes& bytes) {
  if (bytes.empty()) line += '-';
  for (const std::uint8_t byte : bytes) {
    line += "0123456789abcdef"[byte >> 4];
    line += "0123456789abcdef"[byte & 15];
  }
}

}  // namespace

HostMessage HostMessage::parse(std::string_view line, const std::string& where) {
  const std::string_view first = next_word(line);
  const auto* word =
      std::find_if(kWords.begin(), kWords.end(), [&](const Word& w) { return first == w.text; });
  if (word == kWords.end()) {
    throw Fault(FaultKind::kDescription, where,
                quoted(first) +
                    ": expected WRITE, READ, RESET_ASSERT, RESET_DEASSERT, HOST, CLOCK, "
                    "EXIT or a comment behind #");
  }
  HostMessage message;
  message.kind = word->kind;
  if (message.kind == Kind::kClock) message.cycles = parse_cycles(next_word(line), where);
  if (!message.has_place() && message.kind != Kind::kExit) {
    if (const std::string_view more = next_word(line); !more.empty()) {
      throw Fault(FaultKind::kDescription, where,
                  std::string(first) + ": expected the end of the line, not " + quoted(more));
    }
    return message;
  }
  FieldReader fields(message, where, first);
  for (std::string_view next = next_word(line); !next.empty(); next = next_word(line)) {
    fields.take(next);
  }
  // Other programs write the fields of a place behind EXIT too.
  if (message.kind == Kind::kExit) return HostMessage{};
  fields.finish();
  return message;
}

std::string HostMessage::to_line() const {
  const auto* word =
      std::find_if(kWords.begin(), kWords.end(), [&](const Word& w) { return kind == w.kind; });
  std::string line = word->text;
  if (kind == Kind::kClock) line += " " + std::to_string(cycles);
  if (!has_place()) return line + "\n";
  line.reserve(128 + 2 * (data.size() + (reply ? reply->size() : 0)));
  if (bar) line += " bar=" + std::to_string(*bar);
  if (!bar && kind != Kind::kHost) line += " core=" + std::to_string(x) + "," + std::to_string(y);
  line += " addr=" + hex(address) + " size=" + std::to_string(size) + " data=";
  append_hex(line, data);
  if (reply) {
    line += " reply=";
    append_hex(line, *reply);
  }
  if (chip != 0) line += " chip=" + std::to_string(chip);
  return line + "\n";
}

}  // namespace tvp::foundation
