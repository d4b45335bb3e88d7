#include "platform/checks/chip_checks.h"

#include <utility>

#include "foundation/fault.h"
#include "platform/checks/all_checks.h"

namespace tvp::checks {

TileChecks& ChipChecks::add(const TileContext& given) {
  TileContext context = given;
  context.signals = &signals_;
  context.l1_buffers = &l1_buffers_;
  context.units = &units_;
  const auto failed_one = [this](const std::string& name, const std::string& reason) {
    failed(name, reason);
  };
  auto checks = std::make_unique<TileChecks>(context, all_checks, failed_one);
  return *tiles_.emplace_back(Tile{context.x, context.y, std::move(checks)}).checks;
}

TileChecks* ChipChecks::at(unsigned x, unsigned y) const {
  for (const Tile& tile : tiles_)
    if (tile.x == x && tile.y == y) return tile.checks.get();
  return nullptr;
}

/// It would fail for other tiles, too.
void ChipChecks::failed(const std::string& name, const std::string& reason) {
  warnings_.warn(
      foundation::Fault(foundation::FaultKind::kInternal, "check " + name,
                        "failed and is disabled from here on, so it may miss mistakes: " + reason));
  for (const Tile& tile : tiles_) tile.checks->disable(name);
}

}  // namespace tvp::checks
