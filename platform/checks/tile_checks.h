#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "models/support/huge_pages.h"
#include "models/support/probe.h"
#include "platform/checks/check.h"
#include "platform/checks/record/tile_record.h"
#include "platform/checks/record/unit_record.h"

namespace tvp::checks {

/// The checks of one tile behind its probe. A check that fails (throws anything but a fault of the
/// firmware) sees no more events, and the run goes on.
class TileChecks : public Probe::Listener, public support::OnHugePages {
 public:
  using Make = std::function<std::vector<std::unique_ptr<Check>>(const TileContext&)>;
  /// Receives the name of a check that has failed, and the reason.
  using Failed = std::function<void(const std::string& name, const std::string& reason)>;

  TileChecks(const TileContext& context, const Make& make, Failed failed);
  TileChecks(const TileChecks&) = delete;
  TileChecks& operator=(const TileChecks&) = delete;

  Probe& probe() { return probe_; }
  /// Null: the tile is no Tensix tile.
  TileRecord* record() const { return record_.get(); }
  /// Empty unless the tile is a PIM unit.
  const UnitRecord& unit_record() const { return unit_record_; }
  void on(const ProbeEvent& event) override;
  bool awaits(std::uint32_t first, std::uint32_t last) const override {
    return record_->page_uses.awaits(first, last);
  }
  /// An event without a model, if a check wants it.
  void report(const ProbeEvent& event) {
    if (probe_.wants(event.kind)) on(event);
  }

  // Announcements of the host.

  /// The code of core `number` (tensix_vp_core) in L1.
  void load(unsigned number, const std::string& elf_path, ElfImages& images) {
    code_.add(number, elf_path, images);
  }
  const LoadedCode& code() const { return code_; }
  /// The previous program is over. If there are buffers, a program with these circular buffers
  /// starts next.
  void set_buffers(std::span<const PageUses::Buffer> buffers);
  /// The arguments of the kernel that core `number` starts next; false if there is no such core.
  bool give_arguments(unsigned number, std::span<const std::uint32_t> words);
  /// The host has written these bytes of L1 for the program; false if they are not in L1.
  bool give(const TileContext::Given& given, std::uint32_t address, std::uint32_t bytes);
  /// The data that the current program was given.
  const std::vector<TileContext::Given>& given() const { return given_; }

  /// See Check::found_so_far.
  std::vector<foundation::Fault> found_so_far(bool is_idle) const;
  const std::string& where() const { return context_.where; }
  /// The check of this name sees no more events.
  void disable(const std::string& name);

 private:
  bool is_on(const Check& check) const;
  void handle(const ProbeEvent& event);
  void choose();
  void report_finding(const ProbeEvent& event);
  /// Calls `call` for `check` (null: for the record of L1). Returns false if it has failed and is
  /// disabled.
  template <typename Call>
  bool guard(const Check* check, const Call& call) const;

  Probe probe_;
  TileContext context_;
  LoadedCode code_;
  std::vector<TileContext::Given> given_;
  std::unique_ptr<TileRecord> record_;
  UnitRecord unit_record_;
  UnitOrder::Unit* order_ = nullptr;  ///< null: the tile is no PIM unit
  bool keeps_record_ = true;
  Probe::Kinds record_kinds_ = 0;
  Probe::Kinds unit_kinds_ = 0;
  std::vector<std::unique_ptr<Check>> checks_;
  std::vector<const Check*> disabled_;
  /// Those that get events of the kind at which the record has found nothing.
  std::array<std::vector<Check*>, ProbeEvent::kKinds> by_kind_;
  Probe::Kinds check_kinds_ = 0;  ///< kinds that they get
  Failed failed_;
};

}  // namespace tvp::checks
