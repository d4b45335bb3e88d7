#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "models/support/l1_intake.h"
#include "models/support/watch.h"
#include "models/tensix/l1_port.h"
#include "models/tensix/tile/l1_banks.h"
#include "models/tensix/tile/l1_ports.h"
#include "models/tensix/tile/returning_words.h"

namespace tvp::tensix {

/// The scratchpad of a tile: bytes, and the load of its access ports (ISA TensixTile/L1.md).
///
/// Each port moves one aligned 16-byte word in a cycle, if its bank is free (L1Banks). A narrow
/// write or an atomic holds it for five cycles. A client's own transfers follow each other; clients
/// that share a port take turns word by word. A transfer that others join later still ends at the
/// announced time, but later transfers wait for both, so the port never exceeds its rate. Words
/// that a NIU writes wait for the banks that narrow writes of cores hold.
class L1 : public L1Port {
 public:
  static constexpr unsigned kWordBytes = 16;
  static constexpr support::Cycle kReadModifyWriteCycles = 5;

  L1(std::uint32_t size_bytes, support::WatchHub& watch_hub,
     Generation generation = Generation::kWormhole);

  std::uint32_t size_bytes() const override { return size_bytes_; }
  std::uint8_t* bytes() override { return bytes_.get(); }
  support::Cycle reserve(L1Client client, std::uint32_t address, std::uint32_t bytes, bool write,
                         unsigned beats_per_cycle, support::Cycle now) override;
  support::Cycle reserve_rows(L1Client client, const L1Rows& rows, unsigned lanes,
                              support::Cycle now) override;
  support::Cycle accumulate(L1Client client, std::uint32_t address, std::uint32_t bytes,
                            unsigned cycles, support::Cycle now) override;
  /// Sets the holders of banks that delay NIUs; without it there are none.
  void meet(support::L1Holders& holders);
  /// Intake of NIU 0 or 1 for L1.
  support::L1Intake& intake(unsigned niu) { return intakes_[niu]; }
  /// True if narrow writes delay the latest transfer of this client beyond the time of its ports.
  /// Writes during the delay itself do not count.
  bool is_held_up(L1Client client) const;
  /// Remaining delay of this client's write to `address` because of these, by the known accesses.
  support::Cycle overdue(L1Client client, std::uint32_t address, support::Cycle now);
  bool contains(std::uint64_t address, std::uint64_t bytes) const {
    return address <= size_bytes_ && bytes <= size_bytes_ - address;
  }

  /// 16-byte words that have passed port `port`.
  std::uint64_t words_moved(unsigned port) const { return ports_[port].words; }

 protected:
  void written(std::uint32_t address, std::uint32_t bytes, support::Cycle now,
               unsigned order) override {
    watch_hub_.l1_written(address, bytes, now, order);
  }

 private:
  struct Free {
    void operator()(std::uint8_t* p) const { std::free(p); }
  };

  struct Port {
    support::Cycle free = 0;  ///< end of everything granted
    support::Cycle turn = 1;  ///< cycles for each word of the latest transfer
    std::uint64_t words = 0;
  };
  /// Words in turns of `turn` cycles on up to `most_lanes` of a client's ports.
  struct Words {
    std::uint32_t first = 0, count = 0;
    unsigned most_lanes = 1;
    support::Cycle turn = 1;
    std::uint32_t of_row = 0, between_rows = 0;  ///< L1Banks::Stream
  };
  support::Cycle occupy(L1Client client, const Words& words, support::Cycle now);
  support::Cycle wait_at_banks(L1Client client, const L1Banks::Stream& stream);
  support::Cycle wait_for_holders(L1Client client, const support::L1Holders::Stream& written,
                                  support::Cycle now);
  static bool is_niu_write(L1Client client) {
    return client == L1Client::kNoc0Write || client == L1Client::kNoc1Write;
  }
  static bool is_niu_read(L1Client client) {
    return client == L1Client::kNoc0Read || client == L1Client::kNoc1Read;
  }
  static unsigned niu_of(L1Client client) {
    return client == L1Client::kNoc1Write || client == L1Client::kNoc1Read ? 1 : 0;
  }

  std::uint32_t size_bytes_;
  const L1Ports& ports_of_;
  /// From calloc, so that the host only provides used pages.
  std::unique_ptr<std::uint8_t[], Free> bytes_;
  support::WatchHub& watch_hub_;
  std::array<Port, L1Ports::kMost> ports_{};
  L1Banks banks_;
  bool meets_holders_ = false;
  std::array<support::L1Intake, 2> intakes_;
  std::array<ReturningWords, 2> returning_;
  /// The latest transfers of a NIU that cores' stores delay; only few are unfinished.
  struct HeldUp {
    struct Transfer {
      std::uint32_t address = 0;
      std::uint32_t arrived = 0;  ///< L1Intake::arrived() with it
    };
    static constexpr unsigned kMost = 16;
    std::array<Transfer, kMost> latest;
    unsigned count = 0;
    bool is_last = false;  ///< the last transfer is one of them
  };
  std::array<HeldUp, 2> held_up_;
  /// End of each client's last transfer.
  std::array<support::Cycle, static_cast<std::size_t>(L1Client::kCount)> client_free_{};
};

}  // namespace tvp::tensix
