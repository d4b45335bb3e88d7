#include "platform/checks/memory/l1_accesses.h"

#include <algorithm>
#include <array>

#include "foundation/hex.h"

namespace tvp::checks {

using Kind = ProbeEvent::Kind;

namespace {

/// Transfers may fill up the last words that share a place of this size with a buffer's end.
constexpr std::uint32_t kRounding = 32;
/// A core that goes on behind a buffer passes the first bytes of the next one.
constexpr std::uint32_t kFirstBytes = 64;

std::uint32_t rounded(std::uint32_t end) { return (end + kRounding - 1) / kRounding * kRounding; }

std::string tile_text(L1Buffers::Tile tile) {
  return "(" + std::to_string(tile.x) + "," + std::to_string(tile.y) + ")";
}

}  // namespace

L1Accesses::L1Accesses(const TileContext& tile) : Check(tile), arguments_(tile) {}

Probe::Kinds L1Accesses::kinds() const {
  if (!tile_.is_tensix() || tile_.l1_buffers == nullptr) return 0;
  return Probe::bit(Kind::kCommand) | Probe::bit(Kind::kRead) | Probe::bit(Kind::kWritten) |
         Probe::bit(Kind::kBuffer) | Probe::bit(Kind::kProgramEnds) | KernelArguments::kinds();
}

L1Buffers::Tile L1Accesses::own() const {
  return {static_cast<std::uint8_t>(tile_.x), static_cast<std::uint8_t>(tile_.y)};
}

void L1Accesses::on(const ProbeEvent& event) {
  switch (event.kind) {
    case Kind::kProgramEnds:
      return buffers().program_ends(own());
    case Kind::kBuffer:
      return buffers().add_circular(own(), static_cast<std::uint32_t>(event.address),
                                    std::uint64_t{event.packets} * event.bytes);
    case Kind::kKernel:
    case Kind::kArgument:
      arguments_.announced(event);
      if (!buffers().is_empty() &&
          (event.kind == Kind::kKernel || buffers().around(own(), event.value) != nullptr))
        ask();
      return;
    default:
      break;
  }
  if (buffers().is_empty()) return;
  if (event.kind == Kind::kCommand) return commanded(event);
  if (event.agent <= BusMaster::kT2) return accessed(event);
  const bool is_pack = event.agent >= BusMaster::kPacker0 && event.agent <= BusMaster::kPacker3;
  if (is_pack && event.kind == Kind::kWritten) packed(event);
}

void L1Accesses::ask() {
  range_.clear();
  const L1Buffers::Buffer* buffer = buffers().first(own());
  for (; buffer != nullptr; buffer = buffers().behind(own(), *buffer)) {
    const L1Buffers::Buffer* const behind = buffers().behind(own(), *buffer);
    if (behind == nullptr || !arguments_.tile_has_any(buffer->begin, 1) ||
        arguments_.tile_has_any(behind->begin, behind->end - behind->begin) ||
        buffers().has_circular(own(), behind->begin, behind->end - behind->begin))
      continue;
    range_.add(behind->begin, std::min(behind->begin + kFirstBytes, behind->end));
  }
  range_.ask();
}

void L1Accesses::commanded(const ProbeEvent& command) {
  if (command.bytes == 0 || command.is_broadcast) return;
  Access access{.core = command.core, .pc = command.pc, .bytes = command.bytes};
  if (command.request == ProbeEvent::Request::kRead && command.is_local) {
    access.verb = "reads";
    access.tile = own();
    access.address = static_cast<std::uint32_t>(command.address);
  } else if (command.request == ProbeEvent::Request::kWrite &&
             command.remote == ProbeEvent::Place::kTensix) {
    access.verb = "writes";
    access.tile = {command.x1, command.y1};
    access.address = static_cast<std::uint32_t>(command.remote_address);
  } else {
    return;
  }
  judge(access);
}

void L1Accesses::accessed(const ProbeEvent& access) {
  if (!range_.touches(access.address, access.bytes)) return;
  judge({.core = access.agent,
         .pc = access.pc,
         .tile = own(),
         .address = static_cast<std::uint32_t>(access.address),
         .bytes = access.bytes,
         .verb = access.kind == Kind::kRead ? "loads" : "stores"});
}

void L1Accesses::judge(const Access& access) {
  const L1Buffers::Buffer* const in = buffers().around(access.tile, access.address);
  in != nullptr ? judge_in(access, *in) : judge_outside(access);
}

void L1Accesses::judge_in(const Access& access, const L1Buffers::Buffer& in) {
  if (!arguments_.has_kernel(access.core)) return;
  if (access.address + access.bytes > rounded(in.end)) {
    const std::string beyond = std::to_string(access.address + access.bytes - in.end);
    return warn_of(access, ", and " + beyond + " of them are behind the buffer at " +
                               foundation::hex(in.begin) + " to " + foundation::hex(in.end) +
                               ". Expected an access within a buffer. Check the address and the "
                               "number of bytes.");
  }
  // An argument may be the address of a page within the buffer.
  const L1Buffers::Buffer* const before = buffers().before(access.tile, in);
  if (before == nullptr || !arguments_.has(access.core, before->begin) ||
      arguments_.has_any(access.core, in.begin, in.end - in.begin, 16) ||
      buffers().has_circular(access.tile, access.address, access.bytes) || is_stored(access, in))
    return;
  warn_of(access, ", in the buffer at " + foundation::hex(in.begin) +
                      ", whose address is not among the arguments of its kernel. Expected an "
                      "address in the buffer at " +
                      foundation::hex(before->begin) + " to " + foundation::hex(before->end) +
                      ", which is one. Check the number of the page.");
}

/// The kernel computes with the address of a buffer of its own tile, so it expects the same buffer
/// at its destination. An argument in between may be the address of something else there.
void L1Accesses::judge_outside(const Access& access) {
  if (access.tile == own() || !arguments_.has_kernel(access.core)) return;
  const L1Buffers::Buffer* const here = buffers().around(own(), access.address);
  if (here == nullptr || arguments_.nearest(access.core, access.address) != here->begin ||
      buffers().has_circular(own(), here->begin, here->end - here->begin) ||
      buffers().has_circular(access.tile, access.address, access.bytes))
    return;
  warn_of(access, ", where the buffer at " + foundation::hex(here->begin) + " to " +
                      foundation::hex(here->end) +
                      " has no part and no other buffer is. Expected a tile of that buffer. Check "
                      "the coordinates.");
}

/// Published firmware packs to pages only. Other code may pack to an address that it computes, so
/// the pack must begin in a circular buffer and end in another buffer. Packer 0 writes the begin of
/// a tile, the others write the parts behind it.
void L1Accesses::packed(const ProbeEvent& write) {
  constexpr std::uint32_t kMostOfTile = 4096;
  const auto begin = static_cast<std::uint32_t>(write.address);
  const std::uint32_t last = begin + write.bytes - 1;
  const bool goes_on = write.agent != BusMaster::kPacker0 && write.offered.pc == pack_.pc &&
                       begin > pack_.begin && begin < pack_.begin + kMostOfTile;
  if (!goes_on) {
    const L1Buffers::Buffer* const around = buffers().around(own(), begin);
    pack_ = {.pc = write.offered.pc,
             .begin = begin,
             .buffer = around == nullptr ? 0 : around->begin,
             .is_of_page = buffers().has_circular(own(), begin, 1)};
  }
  if (!pack_.is_of_page) return;
  const L1Buffers::Buffer* const in = buffers().around(own(), last);
  if (in == nullptr || in->begin == pack_.buffer || buffers().has_circular(own(), last, 1)) return;
  const auto core = static_cast<BusMaster>(static_cast<unsigned>(BusMaster::kT0) + write.thread);
  if (is_reported(core, write.offered.pc)) return;
  reported_.emplace_back(core, write.offered.pc);
  warn(core,
       "packs to address " + foundation::hex(last) + " of L1, in the buffer at " +
           foundation::hex(in->begin) + " to " + foundation::hex(in->end) +
           ", over which no circular buffer lies. Expected a page of a circular buffer. Check "
           "the format for which the packer is set (pack_reconfig_data_format) and the size "
           "of the pages." +
           at(core, write.offered.pc));
}

/// True if L1 contains the buffer's address, for example in a table of the kernel.
bool L1Accesses::is_stored(const Access& access, const L1Buffers::Buffer& buffer) {
  const std::array others{access.address};
  return arguments_.is_in_l1(access.core, buffer.begin, others);
}

bool L1Accesses::is_reported(BusMaster core, std::uint32_t pc) {
  if (reported_at_ != buffers().changes()) {
    reported_.clear();
    arguments_.forget_l1();
  }
  reported_at_ = buffers().changes();
  return std::find(reported_.begin(), reported_.end(), std::pair(core, pc)) != reported_.end();
}

void L1Accesses::warn_of(const Access& access, const std::string& what) {
  if (is_reported(access.core, access.pc)) return;
  reported_.emplace_back(access.core, access.pc);
  const std::string where = access.tile == own() ? "L1" : "tile " + tile_text(access.tile);
  warn(access.core, std::string(access.verb) + " " + std::to_string(access.bytes) +
                        " bytes at address " + foundation::hex(access.address) + " of " + where +
                        what + at(access.core, access.pc));
}

}  // namespace tvp::checks
