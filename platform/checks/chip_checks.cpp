#include "platform/checks/chip_checks.h"

#include <utility>

#include "foundation/fault.h"
#include "platform/checks/all_checks.h"

namespace tvp::checks {

TileChecks& ChipChecks::add(TileContext context) {
  auto tile = std::make_unique<TileContext>(std::move(context));
  auto checks = all_checks(*tile);
  const unsigned x = tile->x, y = tile->y;
  const auto failed_one = [this](const std::string& name, const std::string& reason) {
    failed(name, reason);
  };
  return *tiles_
              .emplace_back(
                  x, y,
                  std::make_unique<TileChecks>(std::move(tile), std::move(checks), failed_one))
              .checks;
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
