#include "models/pim/host/host_access.h"

#include <algorithm>

namespace tvp::pim {

using dram::MemCycle;

HostAccess::HostAccess(ChannelArray& channels) : memory_(channels), preset_(channels.preset()) {
  preset_.organization.ranks = channels.ranks_of_channel();
  for (unsigned i = 0; i < channels.count(); ++i)
    controllers_.push_back(std::make_unique<Controller>(preset_, channels[i]));
  forget();
}

void HostAccess::forget() {
  lines_.assign(std::size_t{memory_.count()} * memory_.ranks_of_channel() * memory_.banks_of_chip(),
                {});
}

MemCycle HostAccess::access(unsigned unit, std::uint64_t address, std::uint64_t bytes, bool write,
                            MemCycle earliest) {
  if (bytes == 0) return earliest;
  const unsigned of_chip = preset_.organization.device_burst_bytes();
  const unsigned bank = unit % memory_.banks_of_chip();
  const unsigned chip = unit / memory_.banks_of_chip() % memory_.chips_of_rank();
  const unsigned rank = unit / memory_.units_of_rank();
  const std::uint64_t first = address / of_chip;
  const std::uint64_t count = (address + bytes - 1) / of_chip - first + 1;
  Lines& lines = lines_[std::size_t{rank} * memory_.banks_of_chip() + bank];
  if (lines.first == first && lines.count == count && lines.write == write && !lines.used[chip]) {
    lines.used[chip] = true;
    ++stats_.combined;
    return earliest;
  }
  lines = {first, count, write, std::vector<bool>(memory_.chips_of_rank())};
  lines.used[chip] = true;
  const unsigned in_channel = rank % memory_.ranks_of_channel();
  const unsigned flat = in_channel * preset_.organization.banks_per_rank() + bank;
  return move(*controllers_[rank / memory_.ranks_of_channel()], flat, first, count, write,
              earliest);
}

MemCycle HostAccess::move(Controller& controller, unsigned bank, std::uint64_t first,
                          std::uint64_t count, bool write, MemCycle earliest) {
  dram::DramChannel& channel = controller.channel;
  const unsigned of_row = preset_.organization.bursts_per_row();
  MemCycle at = std::max(earliest, channel.now());
  channel.advance(at);
  MemCycle done = at;
  const auto collect = [&] {
    for (const dram::Completion& c : channel.completions()) done = std::max(done, c.done);
    channel.clear_completions();
  };
  for (std::uint64_t i = first; i < first + count; ++i) {
    while (!channel.accepts(bank, write)) {
      at = channel.next_decision() + 1;
      channel.advance(at);
    }
    channel.enqueue({i, i / of_row, bank, static_cast<unsigned>(i % of_row), write, false}, at);
  }
  while (!channel.idle()) channel.advance(channel.next_decision() + 1);
  collect();
  stats_.bursts += count;
  return done;
}

}  // namespace tvp::pim
