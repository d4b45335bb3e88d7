#include "platform/checks/tile_checks.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "foundation/fault.h"

namespace tvp::checks {

TileChecks::TileChecks(std::unique_ptr<TileContext> context,
                       std::vector<std::unique_ptr<Check>> checks, Failed failed)
    : context_(std::move(context)), checks_(std::move(checks)), failed_(std::move(failed)) {
  choose();
}

/// A kind that no check wants costs its model one test of a bit.
void TileChecks::choose() {
  Probe::Kinds wanted = 0;
  for (unsigned kind = 0; kind < ProbeEvent::kKinds; ++kind) {
    by_kind_[kind].clear();
    for (const auto& check : checks_) {
      const Probe::Kinds bit = Probe::bit(static_cast<ProbeEvent::Kind>(kind));
      const bool off =
          std::find(disabled_.begin(), disabled_.end(), check.get()) != disabled_.end();
      if (off || (check->kinds() & bit) == 0) continue;
      by_kind_[kind].push_back(check.get());
      wanted |= bit;
    }
  }
  probe_.listen(*this, wanted);
}

template <typename Call>
void TileChecks::guard(Check& check, const Call& call) {
  try {
    call(check);
  } catch (const foundation::Fault& fault) {
    if (fault.kind() == foundation::FaultKind::kFirmware) throw;  // what the check has found
    failed_(check.name(), fault.what());
  } catch (const std::exception& error) {
    failed_(check.name(), error.what());
  }
}

void TileChecks::on(const ProbeEvent& event) {
  // By index: a check that fails leaves the list.
  std::vector<Check*>& interested = by_kind_[static_cast<unsigned>(event.kind)];
  for (std::size_t i = 0; i < interested.size();) {
    Check* const check = interested[i];
    guard(*check, [&](Check& each) { each.on(event); });
    if (i < interested.size() && interested[i] == check) ++i;
  }
}

void TileChecks::program_ends() {
  for (const auto& check : checks_) {
    if (std::find(disabled_.begin(), disabled_.end(), check.get()) != disabled_.end()) continue;
    guard(*check, [](Check& each) { each.program_ends(); });
  }
}

void TileChecks::disable(const std::string& name) {
  for (const auto& check : checks_)
    if (check->name() == name) disabled_.push_back(check.get());
  choose();
}

}  // namespace tvp::checks
