#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "platform/checks/chip_checks.h"
#include "platform/checks/code_names.h"

namespace tvp::mutation {

/// A run of a PIM program from its events (`record.events`), with all accesses of cores to windows
/// (`keep_stores`). Proves that a change which passes makes no difference, however long messages,
/// transfers and cores take.
///
/// The checks of units compare each use of WRAM with the order that counts, messages and barriers
/// give, never with the cycles of the run. If they find nothing, each load and transfer gets the
/// same bytes for every timing. Then the units also take the same paths, unless they branch on a
/// count in another way than to wait for it.
class UnitRun : private checks::CodeNames,
                private foundation::FaultPolicy,
                private foundation::WarningSink {
 public:
  explicit UnitRun(const std::filesystem::path& file);
  /// For tests.
  UnitRun() = default;
  void add(const std::string& unit, const support::ProbeEvent& event);

  /// The proof for a change in this run.
  bool is_ordered() const { return !units_.empty() && is_ordered_; }
  /// The windows into which bytes come are where those of `other` are, so messages have the same
  /// places. They all fit in a run that passes. Signals need no window.
  bool has_windows_of(const UnitRun& other) const;

 private:
  /// Addresses of a channel's windows in their order, and whether bytes have come.
  struct Channel {
    std::vector<std::uint64_t> windows{};
    bool has_data = false;
  };
  std::string describe(const checks::CodeOwner&, std::uint32_t, support::Cycle) const override {
    return "";
  }
  bool is_of(const std::string&, const checks::CodeOwner&, std::uint32_t) const override {
    return false;
  }
  bool is_of_first(const checks::CodeOwner&, std::uint32_t) const override { return false; }
  void raise(const foundation::Fault&) override { is_ordered_ = false; }
  void warn(const foundation::Fault&) override { is_ordered_ = false; }

  checks::ChipChecks checks_{*this};
  std::map<std::string, checks::TileChecks*> units_;
  std::map<std::pair<std::string, std::uint32_t>, Channel> channels_;
  bool is_ordered_ = true;
};

}  // namespace tvp::mutation
