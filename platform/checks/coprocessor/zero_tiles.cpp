#include "platform/checks/coprocessor/zero_tiles.h"

#include <bit>
#include <cstdint>
#include <string>

#include "foundation/regs/tensix_opcodes.h"
#include "platform/checks/coprocessor/instructions.h"

namespace tvp::checks {

using Pacr = regs::tensix::Pacr;

namespace {

/// The last packer that the instruction selects; it reports last.
unsigned last_packer(std::uint32_t instruction) {
  const std::uint32_t mask = Pacr::kPackerMask.of(instruction);
  const unsigned last = mask == 0 ? 0 : static_cast<unsigned>(std::bit_width(mask)) - 1;
  return static_cast<unsigned>(BusMaster::kPacker0) + last;
}

}  // namespace

Probe::Kinds ZeroTiles::kinds() const {
  return tile_.looks_at_l1() ? Probe::bit(ProbeEvent::Kind::kDstRead) : 0;
}

void ZeroTiles::on(const ProbeEvent& event) {
  takes_rows_ |= event.rows != 0;
  takes_written_ |= event.is_written;
  if (event.agent == BusMaster::kPacker0) row_ = event.index;
  if (static_cast<unsigned>(event.agent) + event.units <= last_packer(event.instruction)) return;
  if (Pacr::kLast.of(event.instruction) != 0 && takes_rows_) end_tile(event);
  row_ = 0;
}

void ZeroTiles::end_tile(const ProbeEvent& event) {
  if (!takes_written_)
    report(TileContext::Waits::kWarn, tile_.where + ".coprocessor.PACK0",
           "PACR packs a tile of zeros, to row " + std::to_string(row_) +
               " of Dst: nothing has written any of its rows since ZEROACC. A packed tile should "
               "hold results. Check the index of the tile in pack_tile, and call tile_regs_wait "
               "before it" +
               origin_text(event.offered));
  takes_rows_ = takes_written_ = false;
}

}  // namespace tvp::checks
