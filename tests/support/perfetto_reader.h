#pragma once

#include <zlib.h>

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tvp::test {

/// Reads the parts of Perfetto's format that the platform writes.
class PerfettoReader {
 public:
  struct Event {
    std::string group;  ///< name of the process
    std::string track;
    std::string name;  ///< empty at the end of a slice and for counters
    std::uint64_t type = 0;
    std::uint64_t ns = 0;
    std::uint64_t value = 0;   ///< the number of a counter
    std::uint64_t leaves = 0;  ///< number of the arrow that begins here; 0: none
    std::uint64_t ends = 0;
  };
  static constexpr std::uint64_t kBegin = 1, kEnd = 2, kInstant = 3, kCounter = 4;

  explicit PerfettoReader(const std::string& content) { packets(content); }
  const std::vector<Event>& events() const { return events_; }

 private:
  struct Field {
    std::uint64_t number = 0;
    std::string content;
  };
  using Message = std::map<std::uint64_t, Field>;

  static std::uint64_t varint(const std::string& bytes, std::size_t& at) {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes.at(at++));
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return value;
    }
  }
  static std::vector<std::pair<std::uint64_t, Field>> fields(const std::string& bytes) {
    std::vector<std::pair<std::uint64_t, Field>> fields;
    for (std::size_t at = 0; at < bytes.size();) {
      const std::uint64_t key = varint(bytes, at);
      Field field;
      if ((key & 7) == 0) {
        field.number = varint(bytes, at);
      } else if ((key & 7) == 1) {
        for (unsigned i = 0; i < 8; ++i)
          field.number |= std::uint64_t{static_cast<unsigned char>(bytes.at(at++))} << (8 * i);
      } else if ((key & 7) == 2) {
        const std::uint64_t length = varint(bytes, at);
        if (length > bytes.size() - at) throw std::runtime_error("a field ends behind its message");
        field.content = bytes.substr(at, length);
        at += length;
      } else {
        throw std::runtime_error("a field of unknown type");
      }
      fields.emplace_back(key >> 3, field);
    }
    return fields;
  }
  static Message message(const std::string& bytes) {
    Message message;
    for (const auto& [number, field] : fields(bytes)) message[number] = field;
    return message;
  }
  static std::string inflated(const std::string& bytes) {
    std::string out(std::size_t{4} << 20, '\0');
    uLongf length = out.size();
    if (::uncompress(reinterpret_cast<Bytef*>(out.data()), &length,
                     reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()) != Z_OK)
      throw std::runtime_error("a block that cannot be decompressed");
    out.resize(length);
    return out;
  }
  void packets(const std::string& content) {
    for (const auto& [number, field] : fields(content)) {
      if (number != 1) throw std::runtime_error("a trace has only packets");
      Message packet = message(field.content);
      if (packet.count(50) != 0) {
        packets(inflated(packet[50].content));
        continue;
      }
      if (packet.count(60) != 0) describe(message(packet[60].content));
      for (const auto& [kind, interned] : fields(packet[12].content)) {
        Message name = message(interned.content);
        if (kind == 2) names_[name[1].number] = name[2].content;
      }
      if (packet.count(11) != 0) add(packet[8].number, message(packet[11].content));
    }
  }
  void describe(Message descriptor) {
    auto& [group, track] = tracks_[descriptor[1].number];
    if (descriptor.count(3) != 0) {
      group = message(descriptor[3].content)[6].content;
    } else {
      group = tracks_.at(descriptor[5].number).first;
      track = descriptor[2].content;
    }
  }
  void add(std::uint64_t ns, Message event) {
    const auto& [group, track] = tracks_.at(event.at(11).number);
    events_.push_back({.group = group,
                       .track = track,
                       .name = event.count(10) != 0 ? names_.at(event[10].number) : "",
                       .type = event.at(9).number,
                       .ns = ns,
                       .value = event[30].number,
                       .leaves = event[47].number,
                       .ends = event[48].number});
  }

  std::map<std::uint64_t, std::pair<std::string, std::string>> tracks_;
  std::map<std::uint64_t, std::string> names_;
  std::vector<Event> events_;
};

}  // namespace tvp::test
