#include "platform/checks/provenance.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "foundation/hex.h"

namespace tvp::checks {

const TileRecord* Provenance::record_at(unsigned x, unsigned y) const {
  const TileChecks* const tile = checks_.at(x, y);
  return tile == nullptr ? nullptr : tile->record();
}

const Provenance::Write* Provenance::last_writer(unsigned x, unsigned y,
                                                 std::uint32_t address) const {
  const TileRecord* const record = record_at(x, y);
  return record == nullptr ? nullptr : record->l1.last_writer(address);
}

std::string Provenance::of_l1(unsigned x, unsigned y, std::uint32_t address) const {
  const Write* const write = last_writer(x, y, address);
  if (write == nullptr) {
    const std::string suspects = signallers_of(x, y) + kernels_at(x, y);
    return text_.unknown() + (suspects.empty() ? senders() : suspects) + left_at_end(x, y);
  }
  if (write->agent == BusMaster::kDebug)
    return text_.written(x, y, *write) + signallers_of(x, y) + kernels_at(x, y) + left_at_end(x, y);
  return text_.written(x, y, *write) + sent_from(*write) + made_from(x, y, *write) +
         left_at_end(x, y);
}

/// The origin of data that a core of another tile has sent.
std::string Provenance::sent_from(const Write& write) const {
  const TileRecord* const record = write.is_foreign() ? record_at(write.x, write.y) : nullptr;
  const std::uint32_t* const source =
      record == nullptr ? nullptr : record->l1.source_of(write.core, write.pc);
  const Write* const before = source == nullptr ? nullptr : record->l1.last_writer(*source);
  if (before == nullptr || before->agent == BusMaster::kDebug) return {};
  return "\nThere it lay at " + foundation::hex(*source) +
         " of L1: " + text_.written(write.x, write.y, *before) +
         made_from(write.x, write.y, *before, false);
}

/// The cores of other tiles that have signalled a tile whose byte none of them has written.
std::string Provenance::signallers_of(unsigned x, unsigned y) const {
  constexpr std::size_t kMost = 3;
  const TileRecord* const record = record_at(x, y);
  if (record == nullptr) return {};
  std::string text;
  std::size_t named = 0;
  for (const HandOvers::Signaller& each : record->hand_overs().all_signallers()) {
    if ((each.x == x && each.y == y) || named++ == kMost) continue;
    const std::string kernel = text_.kernel(each.x, each.y, each.core);
    text += "\n" + text_.core(each.x, each.y, each.core) +
            (kernel.empty() ? "" : " (" + kernel + ")") +
            " has signalled this tile and may lack a noc_async_write before" +
            text_.at(each.x, each.y, each.core, each.pc, each.cycle);
  }
  return text;
}

/// The kernels of a tile whose byte none of them has written.
std::string Provenance::kernels_at(unsigned x, unsigned y) const {
  std::string text;
  for (const BusMaster core : {BusMaster::kB, BusMaster::kNc}) {
    const std::string kernel = text_.kernel(x, y, core);
    if (!kernel.empty())
      text += (text.empty() ? "\nThe tile has these kernels, which may lack a write: " : ", ") +
              text_.core(x, y, core) + " (" + kernel + ")";
  }
  return text;
}

std::string Provenance::made_from(unsigned x, unsigned y, const Write& write,
                                  bool follows_senders) const {
  const bool packed = write.agent >= BusMaster::kPacker0 && write.agent <= BusMaster::kPacker3;
  const TileRecord* const record = record_at(x, y);
  if (!packed || write.is_foreign() || record == nullptr ||
      !record->l1.is_of_last_program(write.cycle))
    return {};
  constexpr std::size_t kMost = 6;
  std::string brought, packed_here;
  std::size_t named = 0;
  for (const PageUses::Input& input : record->page_uses.inputs()) {
    const Write* const last = record->l1.last_writer(input.address);
    if (last == nullptr) continue;
    if (named++ == kMost) break;
    const bool is_own = last->agent >= BusMaster::kPacker0 && last->agent <= BusMaster::kPacker3 &&
                        !last->is_foreign();
    std::string place = text_.at(x, y, BusMaster::kT0, input.pc, write.cycle);
    if (constexpr std::string_view kIn = "\n  in "; place.starts_with(kIn))
      place.replace(0, kIn.size(), "\n  unpacked in ");
    (is_own ? packed_here : brought) +=
        "\nThe last page of circular buffer " + std::to_string(input.buffer) +
        " that was unpacked there: " + text_.written(x, y, *last) +
        (follows_senders ? sent_from(*last) : std::string()) + place;
  }
  return brought + packed_here;
}

std::string Provenance::left_at_end(unsigned x, unsigned y) const {
  constexpr std::size_t kMost = 4;
  const TileRecord* const record = record_at(x, y);
  if (record == nullptr) return {};
  const std::string where = checks_.at(x, y)->where();
  std::string text;
  std::size_t named = 0;
  for (const PageUses::Left& left : record->page_uses.left()) {
    if (named++ == kMost) break;
    const std::string buffer = "circular buffer " + std::to_string(left.buffer);
    text += "\nAt its end " + buffer + " of " + where + " held " + std::to_string(left.pages) +
            (left.popped ? " pages that no core had popped, unlike others; the last push was by "
                         : " pages, of which no core popped any; the last push was by ") +
            WriterText::core_name(left.last_push.core) +
            text_.at(x, y, left.last_push.core, left.last_push.pc, kNever);
  }
  named = 0;
  for (const UnseenArrivals::Arrival& each : record->l1.unseen_at_end()) {
    if (named++ == kMost) break;
    text += "\nAt its end no core of " + where + " had read the signal for " +
            std::to_string(each.bytes) + " bytes at " + foundation::hex(each.address) +
            " of L1, which tile (" + std::to_string(each.x) + "," + std::to_string(each.y) +
            ") of NoC 0 has sent" + pusher_of(x, y, each.address);
  }
  return text;
}

/// The core that has pushed the pages there, perhaps before their data came.
std::string Provenance::pusher_of(unsigned x, unsigned y, std::uint32_t address) const {
  for (const PageUses::Pushed& each : record_at(x, y)->page_uses.pushed()) {
    const PageUses::Buffer& place = each.place;
    if (address - place.address >= place.pages * place.page_bytes) continue;
    const std::string kernel = text_.kernel(x, y, each.last_push.core);
    return ". " + text_.core(x, y, each.last_push.core) +
           (kernel.empty() ? "" : " (" + kernel + ")") + " has pushed it as circular buffer " +
           std::to_string(each.buffer) + ". Expected a noc_semaphore_wait before this push" +
           text_.at(x, y, each.last_push.core, each.last_push.pc, kNever);
  }
  return {};
}

std::string Provenance::senders() const {
  constexpr unsigned kWidest = 32;
  constexpr std::size_t kMost = 4;
  std::vector<std::string> known;
  std::string text;
  for (unsigned place = 0; place < kWidest * kWidest && known.size() < kMost; ++place) {
    const unsigned x = place % kWidest, y = place / kWidest;
    if (record_at(x, y) == nullptr) continue;
    for (const BusMaster core : {BusMaster::kB, BusMaster::kNc}) {
      const std::string kernel = text_.kernel(x, y, core);
      if (kernel.empty() || std::ranges::find(known, kernel) != known.end()) continue;
      known.push_back(kernel);
      text += (text.empty() ? "\nNo kernel runs on this tile. Expected a noc_async_write of one of "
                              "these: "
                            : ", ") +
              text_.core(x, y, core) + " (" + kernel + ")";
    }
  }
  return text;
}

std::string Provenance::commanded(const DramBuffers::Command& command) const {
  return text_.core(command.x, command.y, command.core) + " has written it, by a command of " +
         std::to_string(command.bytes) + " bytes from " + foundation::hex(command.from) +
         " of its L1" + " in cycle " + std::to_string(command.cycle) +
         text_.at(command.x, command.y, command.core, command.pc, command.cycle);
}

std::string Provenance::of_dram(const DramBuffers::Origin& origin) const {
  if (origin.writer != nullptr) {
    const unsigned x = origin.writer->x, y = origin.writer->y;
    std::string text = commanded(*origin.writer);
    if (origin.writer->made)
      text +=
          "\nThere " + text_.written(x, y, *origin.writer->made) + sent_from(*origin.writer->made);
    const TileRecord* const record = record_at(x, y);
    if (record == nullptr) return text;
    if (origin.writer->made) text += made_from(x, y, *origin.writer->made);
    // The records of another program do not apply.
    const bool last = record->l1.is_of_last_program(origin.writer->cycle);
    return last ? text + left_at_end(x, y) : text;
  }
  std::string text = "no kernel has written it since its buffer was made";
  if (origin.neighbor != nullptr)
    return text + ", only other bytes of its page: " + commanded(*origin.neighbor);
  for (std::size_t i = 0; i < origin.given.size(); ++i)
    text += (i == 0 ? "; these kernels had its address: " : ", ") + origin.given[i];
  return text;
}

}  // namespace tvp::checks
