#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "platform/checks/event_types.h"
#include "platform/checks/record/dram_buffers.h"

namespace tvp::checks {

struct TileContext;

/// The writes of a chip's cores without a known answer, and the signals that these cores sent
/// meanwhile to other tiles than the destination.
///
/// A signal does not wait for data that travels elsewhere (ISA NoC/Ordering.md). A tile that got
/// such a signal and reads the data therefore relies on luck, whatever the model's cycles are. The
/// data counts as arrived at the next signal of the same core, if the core has read the counter of
/// answers before. A signal of a third tile counts, too, if that tile has got a signal since the
/// write. Other notifications (registers, the host, small reads that may be polls) count for all
/// data.
class SignalledWrites {
 public:
  static constexpr std::uint32_t kMostOfSignal = 16;  ///< bytes of a write that may be a flag

  explicit SignalledWrites(const DramBuffers* dram) : dram_(dram) {}

  /// A rectangle of tiles in coordinates of NoC 0, or a DRAM bank: (bank, kDram).
  struct Place {
    static constexpr std::uint8_t kDram = 0xFF;
    std::uint8_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    std::uint64_t address = 0;
    std::uint32_t bytes = 0;

    bool has_same_tiles(const Place& other) const {
      return x0 == other.x0 && y0 == other.y0 && x1 == other.x1 && y1 == other.y1;
    }
    bool meets(const Place& other) const {
      return x0 <= other.x1 && other.x0 <= x1 && y0 <= other.y1 && other.y0 <= y1 &&
             address < other.address + other.bytes && other.address < address + bytes;
    }
  };
  struct Command {
    Place place;
    BusMaster niu = BusMaster::kNoc0, core = BusMaster::kDebug;
    std::uint32_t pc = 0;
    Cycle cycle = 0;
  };
  /// The tile with `sender` signalled before its write had arrived, and the data is read.
  struct Found {
    const TileContext* sender = nullptr;
    Command write, signal;
  };

  /// Number of signals that have arrived at tiles of the chip.
  std::uint64_t moment() const { return moment_; }
  /// The moment at which a tile last got a signal, began a program, or looked for one elsewhere.
  /// For a tile that is not known this is now.
  std::uint64_t heard(unsigned x, unsigned y) const;

  class Tile;
  /// `context` outlives this object.
  Tile& add(const TileContext& context);

 private:
  static constexpr unsigned kColumns = 32;
  Tile* at(unsigned x, unsigned y) const {
    return x < kColumns && y < kColumns ? by_place_[y * kColumns + x] : nullptr;
  }
  Place place_of(const ProbeEvent& command) const;

  const DramBuffers* const dram_;
  std::vector<std::unique_ptr<Tile>> tiles_;
  std::array<Tile*, kColumns * kColumns> by_place_{};
  std::uint64_t moment_ = 0;
};

class SignalledWrites::Tile {
 public:
  Tile(SignalledWrites& chip, const TileContext& context) : chip_(chip), context_(context) {}

  /// A core of the tile started this command. The result is not empty if it reads data that the
  /// tile's latest signals do not order.
  std::optional<Found> command(const ProbeEvent& event);
  /// A core has read the counter of answers of the NIU, so its writes have arrived.
  void answered(BusMaster niu) { answered_[niu_of(niu)] = count_; }
  /// A NIU of the tile serves this request.
  void requested(const ProbeEvent& event);
  void program_ends() {
    answered_ = {count_, count_};
    incoming_.clear();
    looked_ = ++chip_.moment_;
  }
  std::uint64_t heard() const { return std::max(heard_, looked_); }

 private:
  static constexpr std::size_t kMost = 64;  ///< if there are more writes, the oldest are dropped
  struct Write : Command {
    std::uint64_t moment = 0;
    /// The first of the writes before it, without a gap, that have the same core and tiles.
    std::uint64_t same_since = 0;
  };
  /// The latest signal of a core to this tile, if writes [first, end) of the core that go to other
  /// tiles had no known answer.
  struct Incoming {
    const Tile* sender = nullptr;
    Command signal;
    std::array<std::uint64_t, 2> answered{};
    std::uint64_t end = 0;
    std::uint64_t moment = 0;  ///< when the oldest of these writes started
  };

  static unsigned niu_of(BusMaster niu) { return niu == BusMaster::kNoc1 ? 1 : 0; }
  const Write& write_at(std::uint64_t number) const { return writes_[number % kMost]; }
  std::uint64_t oldest() const { return count_ < kMost ? 0 : count_ - kMost; }
  void writes(const Command& command);
  void signals(const Command& command);
  void hear(const Incoming& incoming, bool is_ordered);
  std::optional<Found> reads(const Place& place) const;

  SignalledWrites& chip_;
  const TileContext& context_;
  std::array<Write, kMost> writes_;
  std::uint64_t count_ = 0;
  std::array<std::uint64_t, 2> answered_{};  ///< index: NIU; earlier writes have arrived
  std::vector<Incoming> incoming_;
  std::uint64_t heard_ = 0;   ///< moment of the last signal that has arrived
  std::uint64_t looked_ = 0;  ///< moment of the last small read or the program's begin
};

}  // namespace tvp::checks
