#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "foundation/recording/host_message.h"
#include "foundation/recording/known_bytes.h"

namespace tvp::replay {

/// The recorded content of each place, and the places at which the chips answered differently.
class ReplyLedger {
 public:
  using Message = foundation::HostMessage;
  enum class Expectation : std::uint8_t {
    kSame,   ///< equal to the last read of the place
    kNew,    ///< different from the last read: a poll
    kFirst,  ///< first read since the host's last write
  };

  Expectation expectation_of(const Message& read) const;
  /// True if no chip has changed the place: the reply has the bytes of the last read or, without
  /// one, those that the host wrote.
  bool as_known(const Message& read, const Message::Bytes& got) const;

  /// Stores a reply and the chips' answer. A difference counts if no later reply of the place
  /// explains it: the chips were faster then.
  void replied(const Message& read, const Message::Bytes& got, const std::string& where);
  /// Throws Fault(kDescription) if it needs too much memory.
  void written(const Message& write, const std::string& where);
  void finish();

  std::uint64_t compared() const { return compared_; }
  std::uint64_t different() const { return different_; }
  /// The number of these that differ only in times that firmware has measured.
  std::uint64_t different_times() const { return different_times_; }
  std::uint64_t different_bytes() const { return different_bytes_; }
  /// One line for each of the first differences.
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  struct Unit {
    unsigned chip;
    unsigned bar;  ///< kNoBar: a tile
    unsigned x;
    unsigned y;
    auto operator<=>(const Unit&) const = default;
  };
  struct Place {
    std::uint64_t address;
    std::uint32_t size;
    auto operator<=>(const Place&) const = default;
  };
  struct Difference {
    std::string where;
    Message read;
    Message::Bytes got;
  };
  struct Tile {
    std::map<Place, std::uint64_t> replies;  ///< hash of the last reply
    std::map<Place, Difference> open;        ///< differences that a later reply may explain
    std::uint32_t longest = 0;               ///< largest read
    foundation::KnownBytes written;          ///< bytes that the host wrote
  };
  static Unit unit_of(const Message& message);
  const Tile* find(const Message& message) const;
  void count(const Difference& difference);
  void remember(const std::string& where);

  std::map<Unit, Tile> tiles_;
  std::uint64_t places_ = 0;  ///< number of places in all replies
  std::size_t pages_ = 0;     ///< number of pages in all writes
  std::uint64_t compared_ = 0;
  std::uint64_t different_ = 0;
  std::uint64_t different_times_ = 0;
  std::uint64_t different_bytes_ = 0;
  std::vector<std::string> texts_;
};

}  // namespace tvp::replay
