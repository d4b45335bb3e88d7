#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "foundation/chip/chip_spec.h"
#include "models/noc/endpoint_type.h"
#include "platform/checks/record/last_writers.h"

namespace tvp::checks {

/// The buffers that a host has in the DRAM of a chip, each in the same range of all banks, and who
/// reaches beyond them. Nothing in hardware knows of buffers.
class DramBuffers {
 public:
  struct Buffer {
    std::uint64_t bank_bytes = 0;  ///< in each bank
    /// Pages go round the banks, one to each; 0: no pages, but any bytes of the range.
    std::uint32_t pages = 0;
    std::uint32_t page_bytes = 0;  ///< from a page of a bank to the next
    std::uint32_t banks = 0;
  };

  explicit DramBuffers(const foundation::ChipSpec& spec) : spec_(spec) {}

  /// From this address of each bank on, instead of what was there; none without bytes.
  void set(std::uint64_t address, const Buffer& buffer);

  /// How often they have changed.
  std::uint64_t changes() const { return changes_; }

  /// [address, address + bytes) of a DRAM tile.
  struct Found {
    std::string beyond;  ///< what of it lies in no page of a buffer, if any does
    unsigned bank = 0;
    std::uint64_t address = 0;            ///< in the bank
    std::uint64_t buffer = 0;             ///< where the buffer begins in which it lies
    std::uint64_t bank_bytes = 0;         ///< of that buffer
    std::uint32_t page_bytes = 0;         ///< likewise; 0: none
    std::optional<std::uint64_t> before;  ///< where the one before it begins
  };
  /// Nothing is found as long as the host has no buffers.
  Found look_up(noc::Node noc0, std::uint64_t address, std::uint32_t bytes) const;
  /// A command of a core that writes; without a cycle, none: the host.
  struct Command {
    support::Cycle cycle = support::kNever;
    unsigned x = 0, y = 0;  ///< of the core
    support::BusMaster core = support::BusMaster::kDebug;
    std::uint32_t pc = 0;
    std::uint32_t from = 0;                    ///< in its L1
    std::optional<LastWriters::Write> made{};  ///< who had written that
    std::uint64_t address = 0;                 ///< in the bank
    std::uint32_t bytes = 0;

    bool is_of_host() const { return cycle == support::kNever; }
  };
  /// A command writes there; `of_nothing`: what nobody has made, and who does so.
  void written(noc::Node noc0, std::uint64_t address, std::uint32_t bytes,
               const std::string& of_nothing, const Command& by);
  /// The host does.
  void written(noc::Node noc0, std::uint64_t address, std::uint32_t bytes);
  struct Origin {
    std::uint64_t buffer = 0;         ///< where it begins
    const Command* writer = nullptr;  ///< of that byte; null: none, or so many that it is forgotten
    const Command* neighbor = nullptr;  ///< of others in its page
    std::vector<std::string> given{};   ///< to the kernels of these cores
  };
  /// The command of a kernel that wrote a byte of a buffer; nothing outside of buffers.
  std::optional<Origin> origin(noc::Node noc0, std::uint64_t address) const;
  /// A kernel of that core has this word among its arguments, which may be where a buffer begins.
  void given(std::uint64_t word, const std::string& core);
  struct Unwritten {
    std::uint64_t buffer = 0;
    std::uint32_t page = 0;
    std::uint64_t made_at = 0;         ///< changes() then
    std::vector<std::string> given{};  ///< to the kernels of these cores
    std::string of_nothing{};          ///< who has sent there what nobody has made; none
  };
  /// A page there that nobody has written since its buffer was made.
  std::optional<Unwritten> unwritten(noc::Node noc0, std::uint64_t address,
                                     std::uint32_t bytes) const;
  std::string beyond(noc::Node noc0, std::uint64_t address, std::uint32_t bytes) const {
    return look_up(noc0, address, bytes).beyond;
  }

 private:
  struct Place {
    unsigned bank;
    std::uint64_t address;  ///< in the bank
  };
  Place place_of(noc::Node noc0, std::uint64_t address) const;
  struct Held : Buffer {
    std::uint64_t made_at = 0;
    std::vector<bool> written{};  ///< by page; without pages, one for all; of too many, none
    std::vector<std::string> given{};
    std::map<std::uint64_t, std::string> of_nothing{};  ///< by page
    /// Writers by key_of(): the latest of each place of a page, at most kMostOfPage.
    std::unordered_map<std::uint64_t, std::vector<Command>> writers{};
  };
  static constexpr std::size_t kMostOfPage = 16;
  static std::uint64_t range_bytes(const Held& buffer);
  static std::uint64_t key_of(std::uint64_t range, unsigned bank);
  static void note_writer(Held& buffer, std::uint64_t from, const Place& at, Command by);
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
  Buffers buffers_;  ///< by address in a bank
  std::uint64_t changes_ = 0;
};

}  // namespace tvp::checks
