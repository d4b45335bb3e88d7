#include "tests/fuzz/packets.h"

#include <cstdio>
#include <iterator>

#include "platform/debug/gdb_packet.h"

namespace tvp::test {

namespace {

constexpr std::uint64_t kAddresses[] = {
    0,          4,          0x10,       0x4000,     0x4002,     0x8000,      0x16DFFC,
    0x16E000,   0x7FFFFFFF, 0x80000000, 0xFFB00000, 0xFFB00FFE, 0xFFB11000,  0xFFB12000,
    0xFFB20000, 0xFFB80000, 0xFFC00000, 0xFFC00004, 0xFFC05FFC, 0xFFE40000,  0xFFEF0000,
    0xFFF80000, 0xFFFFFFF0, 0xFFFFFFFC, 0xFFFFFFFF, 0x1000,     0x100000000, 0xFFFFFFFFFFFFFFFF};
constexpr std::uint64_t kLengths[] = {
    0,      1,      2,      3,      4,          8,          0x40,       0xFFF,
    0x1000, 0x1001, 0x4000, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFF0, 0xFFFFFFFF, 0x100000000};
constexpr const char* kQueries[] = {"fThreadInfo",
                                    "sThreadInfo",
                                    "C",
                                    "Attached",
                                    "Attached:1",
                                    "Symbol::",
                                    "Xfer:features:read:target.xml:",
                                    "Xfer:threads:read::",
                                    "Xfer:libraries:read::",
                                    "Xfer:libraries-svr4:read::",
                                    "Xfer:exec-file:read:",
                                    "Xfer:memory-map:read::",
                                    "Xfer:features:write:target.xml:",
                                    "ThreadExtraInfo,",
                                    "Rcmd,",
                                    "Offsets",
                                    "CRC:",
                                    "Search:memory:",
                                    "StartNoAckMode"};
constexpr const char* kMonitor[] = {"74696d65",
                                    "636f726573",
                                    "77686f2d7761697473",
                                    "656c66",
                                    "636f6465",
                                    "00ff",
                                    "",
                                    "676f746f20316e73",
                                    "676f746f20323030306379636c6573",
                                    "676f746f203175",
                                    "676f746f20"};

std::string hex(std::uint64_t value) {
  char text[20];
  std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(value));
  return text;
}

}  // namespace

std::string Packets::number() {
  switch (random_.below(3)) {
    case 0:
      return hex(kAddresses[random_.below(std::size(kAddresses))]);
    case 1:
      return hex(kLengths[random_.below(std::size(kLengths))]);
    default:
      return hex(random_.next() >> random_.below(64));
  }
}

std::string Packets::thread() {
  static const char* const kOthers[] = {"-1",     "0",     "p-1", "p0.0",
                                        "p-1.-1", "p1.-1", "p.1", "p",
                                        "ffff",   "p1.2",  "",    "pffffffffffffffff.1"};
  if (random_.below(4) == 0) return kOthers[random_.below(std::size(kOthers))];
  return "p" + hex(random_.below(8)) + ".1";
}

std::string Packets::range() {
  const bool near = random_.below(2) == 0;
  const std::uint64_t address = kAddresses[random_.below(std::size(kAddresses))];
  const std::uint64_t length = kLengths[random_.below(std::size(kLengths))];
  return hex(near ? address - random_.below(8) : address) + "," + hex(length);
}

std::string Packets::bytes() {
  std::string digits;
  for (auto n = random_.below(40); n > 0; --n) digits += "0123456789abcdefg"[random_.below(17)];
  return digits;
}

std::string Packets::payload() {
  switch (random_.below(25)) {
    case 0:
      return "?";
    case 1:
      return "g";
    case 2:
      return "G" + bytes();
    case 3:
    case 4:
      return "p" + (random_.below(2) == 0 ? hex(random_.below(40)) : number());
    case 5:
      return "P" + hex(random_.below(36)) + "=" + (random_.below(2) == 0 ? bytes() : "00400000");
    case 6:
    case 7:
    case 8:
      return "m" + range();
    case 9:
      return "M" + range() + ":" + bytes();
    case 10: {
      const std::string data = bytes();
      return "X" + hex(kAddresses[random_.below(std::size(kAddresses))]) + "," + hex(data.size()) +
             ":" + data;
    }
    case 11:
    case 12:
      return "H" + std::string(1, "cgxG"[random_.below(4)]) + thread();
    case 13:
      return "T" + thread();
    case 14:
    case 15:
    case 16:
      return std::string(1, "Zz"[random_.below(2)]) + hex(random_.below(6)) + "," + range();
    case 17:
    case 18: {
      std::string text = std::string("q") + kQueries[random_.below(std::size(kQueries))];
      if (text == "qRcmd,") return text + kMonitor[random_.below(std::size(kMonitor))];
      if (text == "qThreadExtraInfo,") return text + thread();
      if (text.ends_with(":")) text += range();
      return text;
    }
    case 19: {
      std::string text = "vCont";
      for (auto n = random_.below(4); n > 0; --n) {
        text += ";" + std::string(1, "cCsSrtx"[random_.below(7)]);
        if (random_.below(3) == 0) text += range();
        if (random_.below(2) == 0) text += ":" + thread();
      }
      return text;
    }
    case 20:
      return std::string(1, "cCsS"[random_.below(4)]) + (random_.below(2) == 0 ? "" : number());
    case 21:
      return "QStartNoAckMode";
    case 22:
      return "!";
    case 23:
      return random_.below(2) == 0 ? "bs" : "bc";
    default:
      return bytes();
  }
}

void Packets::damage(std::string& text) {
  for (auto n = 1 + random_.below(3); n > 0; --n) {
    const std::size_t at = random_.below(text.size() + 1);
    switch (random_.below(4)) {
      case 0:
        text.insert(at, 1, static_cast<char>(random_.below(256)));
        break;
      case 1:
        if (at < text.size()) text.erase(at, 1 + random_.below(8));
        break;
      case 2:
        text.insert(at, number());
        break;
      default:
        text.insert(at,
                    std::string(random_.below(2) == 0 ? 4 : 0x4100, ",;:-p."[random_.below(6)]));
    }
  }
}

std::string Packets::next() {
  std::string text = payload();
  if (random_.below(8) == 0) damage(text);
  // The test sends packets that end or restart the run separately.
  if (text.empty() || text.front() == 'k' || text.front() == 'D' || text.starts_with("vKill") ||
      text.starts_with("qSupported"))
    text = "?";
  std::string line = debug::encode_packet(text);
  if (random_.below(64) == 0) damage(line);
  return line;
}

std::optional<std::string> Packets::torn(std::string bytes) {
  if (random_.below(16) != 0) return std::nullopt;
  bytes.resize(random_.below(bytes.size() + 1));
  for (auto n = random_.below(4); n > 0; --n) bytes.insert(random_.below(bytes.size() + 1), 1, 3);
  return bytes;
}

}  // namespace tvp::test
