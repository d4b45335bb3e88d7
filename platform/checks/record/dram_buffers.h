#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "foundation/chip/chip_spec.h"
#include "models/noc/endpoint_type.h"
#include "platform/checks/record/last_writers.h"

namespace tvp::checks {

/// The buffers that a host has in the DRAM of a chip, each in the same range of all banks, with
/// their writers. Hardware does not know about buffers.
class DramBuffers {
 public:
  struct Buffer {
    std::uint64_t bank_bytes = 0;  ///< in each bank
    /// Pages alternate between the banks; 0: the buffer has no pages, but any bytes of the range.
    std::uint32_t pages = 0;
    std::uint32_t page_bytes = 0;  ///< distance of two pages in a bank
    std::uint32_t banks = 0;
  };

  explicit DramBuffers(const foundation::ChipSpec& spec) : spec_(spec) {}

  struct Place {
    unsigned bank;
    std::uint64_t address;  ///< in the bank
  };
  Place place_of(noc::Node noc0, std::uint64_t address) const;

  /// Sets the buffer at this address of each bank and replaces the one that was there. A buffer
  /// without bytes removes it.
  void set(std::uint64_t address, const Buffer& buffer);

  /// Number of calls of set().
  std::uint64_t changes() const { return changes_; }

  /// Result of a search for [address, address + bytes) of a DRAM tile.
  struct Found {
    std::string beyond;  ///< text about the part outside all pages of buffers; "" if there is none
    unsigned bank = 0;
    std::uint64_t address = 0;            ///< in the bank
    std::uint64_t buffer = 0;             ///< begin of the buffer that contains the address
    std::uint64_t bank_bytes = 0;         ///< the buffer's bytes in each bank
    std::uint32_t page_bytes = 0;         ///< the buffer's Buffer::page_bytes
    std::optional<std::uint64_t> before;  ///< begin of the buffer before it
  };
  /// The result is empty as long as the host has no buffers.
  Found look_up(noc::Node noc0, std::uint64_t address, std::uint32_t bytes) const;
  /// A command of a core that writes. Without a cycle, the host wrote instead.
  struct Command {
    support::Cycle cycle = support::kNever;
    unsigned x = 0, y = 0;  ///< place of the core's tile
    support::BusMaster core = support::BusMaster::kDebug;
    std::uint32_t pc = 0;
    std::uint32_t from = 0;    ///< source address in the tile's L1
    std::uint64_t sample = 0;  ///< equal data has equal samples
    /// SignalledWrites::moment() of the command, and that at which the tile last heard from others.
    std::uint64_t moment = 0, heard = 0;
    std::optional<LastWriters::Write> made{};  ///< last writer of the source
    std::uint64_t address = 0;                 ///< in the bank
    std::uint32_t bytes = 0;

    bool is_of_host() const { return cycle == support::kNever; }
  };
  /// A command writes there. `of_nothing`: text about the sender if nothing has ever written the
  /// source of the data, else "". Returns a command of another tile that has written other data
  /// there, and of which the tile of this one cannot know.
  std::optional<Command> written(noc::Node noc0, std::uint64_t address, std::uint32_t bytes,
                                 const std::string& of_nothing, const Command& by);
  /// The host writes there.
  void written(noc::Node noc0, std::uint64_t address, std::uint32_t bytes);
  struct Origin {
    std::uint64_t buffer = 0;           ///< begin of the buffer
    const Command* writer = nullptr;    ///< writer of the byte; null: none is recorded
    const Command* neighbor = nullptr;  ///< writer of other bytes of the page
    std::vector<std::string> given{};   ///< cores whose kernels have the buffer's address
  };
  /// The command of a kernel that wrote a byte of a buffer; nothing outside of buffers.
  std::optional<Origin> origin(noc::Node noc0, std::uint64_t address) const;
  /// A kernel of that core has this word among its arguments. It may be the address of a buffer.
  /// `kernel` returns the name of the kernel's file; empty: unknown.
  void given(std::uint64_t word, const std::string& core,
             const std::function<std::string()>& kernel = {});
  struct Unwritten {
    std::uint64_t buffer = 0;
    std::uint32_t page = 0;
    std::uint64_t made_at = 0;         ///< changes() when the buffer was set
    std::vector<std::string> given{};  ///< cores whose kernels have the buffer's address
    std::string of_nothing{};          ///< see written(); "": no command has written the page
  };
  /// The first page there that neither a kernel nor the host has written since set(), or only with
  /// data that nothing has made.
  std::optional<Unwritten> unwritten(noc::Node noc0, std::uint64_t address,
                                     std::uint32_t bytes) const;
  /// "page 3 of the buffer at 0x20"; "" outside of buffers and in buffers without pages.
  std::string page_text(noc::Node noc0, std::uint64_t address) const;
  std::string beyond(noc::Node noc0, std::uint64_t address, std::uint32_t bytes) const {
    return look_up(noc0, address, bytes).beyond;
  }

 private:
  /// A core whose kernel has the address of a buffer.
  struct Holder {
    std::string core{};
    std::function<std::string()> kernel{};

    /// "chip0.tensix(1,1).BRISC (writer.cpp)"
    std::string text() const {
      const std::string file = kernel ? kernel() : std::string();
      return file.empty() ? core : core + " (" + file + ")";
    }
  };
  static std::vector<std::string> texts_of(const std::vector<Holder>& holders);
  struct Held : Buffer {
    std::uint64_t made_at = 0;
    /// Flags by page. A buffer without pages has one entry, a buffer with more than kMostPages has
    /// none.
    std::vector<bool> written{};
    std::vector<Holder> given{};
    std::map<std::uint64_t, std::string> of_nothing{};  ///< see written(), by page
    /// Writers by key_of(): the latest of each place of a page, at most kMostOfPage.
    std::unordered_map<std::uint64_t, std::vector<Command>> writers{};
  };
  static constexpr std::size_t kMostOfPage = 16;
  static std::uint64_t range_bytes(const Held& buffer);
  static std::uint64_t key_of(std::uint64_t range, unsigned bank);
  static bool are_rivals(const Command& earlier, const Command& later);
  static std::optional<Command> note_writer(Held& buffer, std::uint64_t from, const Place& at,
                                            Command by);
  using Buffers = std::map<std::uint64_t, Held>;
  Buffers::const_iterator around(std::uint64_t address) const;
  /// The part of a buffer in a bank: a page, and the number of pages that follow in the same bank.
  struct Pages {
    std::uint64_t first = 0, step = 1, count = 0;
  };
  static Pages pages_of(const Held& buffer, std::uint64_t from, const Place& at,
                        std::uint32_t bytes);
  std::string beyond_at(const Place& at) const;

  const foundation::ChipSpec& spec_;
  Buffers buffers_;  ///< key: begin in each bank
  std::uint64_t changes_ = 0;
};

}  // namespace tvp::checks
