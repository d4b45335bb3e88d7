#include "tests/firmware/collectives/unit_system.h"

#include <algorithm>
#include <cstring>
#include <deque>

namespace tvp::testing {

namespace {
constexpr std::uint32_t kChannels = 16;
constexpr std::size_t kStackBytes = 64 * 1024;
constexpr std::uint8_t kPoison = 0xA5;
constexpr std::uint32_t kParts = 3;  ///< approximate number of parts per message
}  // namespace

struct UnitSystem::Unit {
  struct Descriptor {
    std::uint8_t* wram;
    std::uint32_t bank;
    std::uint32_t bytes;
    bool read;
  };
  struct Message {
    unsigned destination;
    std::uint32_t channel;
    std::uint32_t offset;
    const std::uint8_t* data;
    std::uint32_t bytes;
    /// Receivers and senders of a command to a switch.
    std::vector<unsigned> to{};
    std::vector<unsigned> from{};
    void (*combine)(void*, const void*, std::uint32_t) = nullptr;
    std::uint32_t number = 0;
  };
  struct Window {
    std::uint8_t* base = nullptr;
    std::uint32_t bytes = 0;
    std::uint32_t arrivals = 0;
  };

  UnitSystem* system = nullptr;
  unsigned number = 0;
  std::vector<std::uint8_t> bank;
  std::deque<Descriptor> descriptors;
  std::uint32_t issued = 0;
  std::uint32_t completed = 0;
  std::deque<Message> messages;
  std::uint32_t queued = 0;
  std::uint32_t sent = 0;
  std::uint32_t reductions = 0;
  Window windows[kChannels];
  std::function<bool()> until;  ///< empty: the unit runs
  bool ended = true;
  ucontext_t context{};
  std::vector<std::uint8_t> stack;

  void serve_descriptor() {
    const Descriptor d = descriptors.front();
    descriptors.pop_front();
    if (d.read) {
      std::memcpy(d.wram, bank.data() + d.bank, d.bytes);
    } else {
      std::memcpy(bank.data() + d.bank, d.wram, d.bytes);
    }
    ++completed;
  }
};

UnitSystem::UnitSystem(unsigned units, std::uint32_t bank_bytes, std::uint64_t seed)
    : random_(seed) {
  for (unsigned i = 0; i < units; ++i) {
    auto unit = std::make_unique<Unit>();
    unit->system = this;
    unit->number = i;
    unit->bank.assign(bank_bytes, kPoison);
    unit->stack.resize(kStackBytes);
    units_.push_back(std::move(unit));
  }
}
UnitSystem::~UnitSystem() = default;

std::vector<std::uint8_t>& UnitSystem::bank(unsigned unit) { return units_[unit]->bank; }

void UnitSystem::fail(const std::string& text) {
  if (failure_.empty()) failure_ = text;
}

void UnitSystem::enter(unsigned high, unsigned low) {
  Unit& unit = *reinterpret_cast<Unit*>(static_cast<std::uintptr_t>(high) << 32 | low);
  Transport transport(*unit.system, unit.number);
  (*unit.system->program_)(transport);
  unit.ended = true;
}

std::string UnitSystem::run(const std::vector<unsigned>& started, const Program& program) {
  program_ = &program;
  started_ = started;
  for (unsigned number : started) {
    Unit& unit = *units_[number];
    unit.ended = false;
    getcontext(&unit.context);
    unit.context.uc_stack.ss_sp = unit.stack.data();
    unit.context.uc_stack.ss_size = unit.stack.size();
    unit.context.uc_link = &scheduler_;
    const auto pointer = reinterpret_cast<std::uintptr_t>(&unit);
    makecontext(&unit.context, reinterpret_cast<void (*)()>(&UnitSystem::enter), 2,
                static_cast<unsigned>(pointer >> 32), static_cast<unsigned>(pointer));
  }
  while (failure_.empty()) {
    bool all_ended = flights_.empty() && reductions_.empty();
    for (unsigned number : started)
      all_ended = all_ended && units_[number]->ended && units_[number]->descriptors.empty() &&
                  units_[number]->messages.empty();
    if (all_ended) break;
    choose();
  }
  return failure_;
}

/// Executes one possible next event: a unit's program, engine or stop, or the first message of a
/// stream.
void UnitSystem::choose() {
  const unsigned choices = static_cast<unsigned>(started_.size() * 3 + flights_.size());
  const unsigned first = static_cast<unsigned>(random_() % choices);
  for (unsigned i = 0; i < choices; ++i)
    if (act((first + i) % choices)) return;
  std::string who;
  for (unsigned number : started_)
    if (!units_[number]->ended) who += " " + std::to_string(number);
  fail("deadlock: units wait forever:" + who);
}

bool UnitSystem::act(unsigned choice) {
  if (choice >= started_.size() * 3) {
    auto it = flights_.begin();
    std::advance(it, choice - started_.size() * 3);
    Unit& unit = *units_[std::get<1>(it->first)];
    if (land_a_part(unit, std::get<2>(it->first), it->second.front())) return true;
    ++unit.windows[std::get<2>(it->first)].arrivals;
    ++messages_;
    it->second.erase(it->second.begin());
    if (it->second.empty()) flights_.erase(it);
    return true;
  }
  Unit& unit = *units_[started_[choice / 3]];
  switch (choice % 3) {
    case 0:
      if (unit.ended || (unit.until && !unit.until())) return false;
      unit.until = nullptr;
      swapcontext(&scheduler_, &unit.context);
      return true;
    case 1:
      if (unit.descriptors.empty()) return false;
      unit.serve_descriptor();
      return true;
    default:
      break;
  }
  if (unit.messages.empty()) return false;
  depart(unit);
  return true;
}

/// False if the whole message has arrived.
bool UnitSystem::land_a_part(Unit& unit, std::uint32_t channel, Flight& flight) {
  if (flight.parts.empty()) return false;
  const Unit::Window& window = unit.windows[channel];
  if (flight.offset + flight.bytes.size() > window.bytes) {
    fail("a message to unit " + std::to_string(unit.number) + " leaves its window");
    return true;
  }
  const std::size_t which = random_() % flight.parts.size();
  const std::uint32_t begin = flight.parts[which];
  const auto bytes = std::min<std::size_t>(flight.part_bytes, flight.bytes.size() - begin);
  std::memcpy(window.base + flight.offset + begin, flight.bytes.data() + begin, bytes);
  flight.parts.erase(flight.parts.begin() + static_cast<std::ptrdiff_t>(which));
  return true;
}

/// Sends a message, or passes a command to the switch.
void UnitSystem::depart(Unit& unit) {
  const Unit::Message m = unit.messages.front();
  unit.messages.pop_front();
  ++unit.sent;
  const std::vector<std::uint8_t> bytes(m.data, m.data + m.bytes);
  const auto fly = [&](unsigned from, unsigned to, const Flight& what) {
    Flight flight = what;
    flight.part_bytes = std::max(4U, (m.bytes / kParts + 3) / 4 * 4);
    for (std::uint32_t at = 0; at < m.bytes; at += flight.part_bytes) flight.parts.push_back(at);
    flights_[{from, to, m.channel}].push_back(flight);
  };
  if (m.combine == nullptr) {
    if (m.to.empty()) fly(unit.number, m.destination, {bytes, m.offset});
    for (const unsigned to : m.to) fly(unit.number, to, {bytes, m.offset});
    return;
  }
  const std::pair<unsigned, std::uint32_t> key{m.from.front(), m.number};
  std::map<unsigned, Flight>& operands = reductions_[key];
  operands[unit.number] = {bytes, m.offset};
  if (operands.size() < m.from.size()) return;
  std::vector<std::uint8_t> result = operands.at(m.from.front()).bytes;
  for (std::size_t i = 1; i < m.from.size(); ++i) {
    const std::vector<std::uint8_t>& operand = operands.at(m.from[i]).bytes;
    if (operand.size() != result.size()) fail("operands of a reduction differ in length");
    m.combine(result.data(), operand.data(), m.bytes);
  }
  for (const unsigned to : m.to) fly(to, to, {result, operands.at(to).offset});
  reductions_.erase(key);
}

void UnitSystem::wait(Unit& unit, std::function<bool()> until) {
  unit.until = std::move(until);
  swapcontext(&unit.context, &scheduler_);
}

std::uint32_t UnitSystem::Transport::dma_read_async(void* wram, std::uint32_t bank,
                                                    std::uint32_t bytes) {
  Unit& unit = *system_.units_[unit_];
  if (bytes == 0) return 0;
  if (bank % 8 != 0 || bytes % 8 != 0 || bank + bytes > unit.bank.size())
    system_.fail("bad read of " + std::to_string(bytes) + " bytes at " + std::to_string(bank));
  std::memset(wram, kPoison, bytes);  // the data must not be there before the wait
  unit.descriptors.push_back({static_cast<std::uint8_t*>(wram), bank, bytes, true});
  return ++unit.issued;
}

std::uint32_t UnitSystem::Transport::dma_write_async(std::uint32_t bank, const void* wram,
                                                     std::uint32_t bytes) {
  Unit& unit = *system_.units_[unit_];
  if (bytes == 0) return 0;
  if (bank % 8 != 0 || bytes % 8 != 0 || bank + bytes > unit.bank.size())
    system_.fail("bad write of " + std::to_string(bytes) + " bytes at " + std::to_string(bank));
  auto* source = static_cast<std::uint8_t*>(const_cast<void*>(wram));
  unit.descriptors.push_back({source, bank, bytes, false});
  return ++unit.issued;
}

void UnitSystem::Transport::dma_wait(Ticket ticket) {
  Unit& unit = *system_.units_[unit_];
  if (unit.completed >= ticket) return;
  system_.wait(unit, [&unit, ticket] { return unit.completed >= ticket; });
}

void UnitSystem::Transport::set_window(std::uint32_t channel, void* base, std::uint32_t bytes) {
  Unit::Window& window = system_.units_[unit_]->windows[channel];
  window.base = static_cast<std::uint8_t*>(base);
  window.bytes = bytes;
}

std::uint32_t UnitSystem::Transport::send_async(std::uint32_t unit, std::uint32_t channel,
                                                std::uint32_t offset, const void* data,
                                                std::uint32_t bytes) {
  Unit& source = *system_.units_[unit_];
  if (unit == unit_ || unit >= system_.units_.size() || channel >= kChannels || bytes % 4 != 0)
    system_.fail("bad message to unit " + std::to_string(unit));
  source.messages.push_back({.destination = unit,
                             .channel = channel,
                             .offset = offset,
                             .data = static_cast<const std::uint8_t*>(data),
                             .bytes = bytes});
  return ++source.queued;
}

std::uint32_t UnitSystem::Transport::order(const tvp::firmware::collectives::Group& group,
                                           std::uint32_t from_members, std::uint32_t to_members,
                                           std::uint32_t channel, std::uint32_t offset,
                                           const void* data, std::uint32_t bytes, Combine combine) {
  Unit& source = *system_.units_[unit_];
  const auto units = [&](std::uint32_t members) {
    std::vector<unsigned> list;
    for (std::uint32_t m = 0; m < group.size; ++m)
      if ((members >> m & 1) != 0) list.push_back(group.unit(m));
    return list;
  };
  if (to_members >> group.size != 0 || to_members == 0 || bytes == 0 || bytes % 8 != 0 ||
      (combine == nullptr) != (from_members == 0) || (combine != nullptr && offset % 8 != 0))
    system_.fail("bad order to the switch");
  source.messages.push_back({.destination = unit_,
                             .channel = channel,
                             .offset = offset,
                             .data = static_cast<const std::uint8_t*>(data),
                             .bytes = bytes,
                             .to = units(to_members),
                             .from = units(from_members),
                             .combine = combine,
                             .number = combine == nullptr ? 0 : source.reductions++});
  return ++source.queued;
}

void UnitSystem::Transport::send_wait(Ticket ticket) {
  Unit& unit = *system_.units_[unit_];
  if (unit.sent >= ticket) return;
  system_.wait(unit, [&unit, ticket] { return unit.sent >= ticket; });
}

void UnitSystem::Transport::wait_arrivals(std::uint32_t channel, std::uint32_t count) {
  Unit& unit = *system_.units_[unit_];
  const Unit::Window& window = unit.windows[channel];
  system_.wait(unit, [&window, count] { return window.arrivals >= count; });
}

bool UnitSystem::Transport::dma_done(Ticket ticket) const {
  return system_.units_[unit_]->completed >= ticket;
}
bool UnitSystem::Transport::send_done(Ticket ticket) const {
  return system_.units_[unit_]->sent >= ticket;
}
std::uint32_t UnitSystem::Transport::arrivals(std::uint32_t channel) const {
  return system_.units_[unit_]->windows[channel].arrivals;
}

std::uint64_t UnitSystem::Transport::happenings() const {
  const Unit& unit = *system_.units_[unit_];
  std::uint64_t count = std::uint64_t{unit.completed} + unit.sent;
  for (const Unit::Window& window : unit.windows) count += window.arrivals;
  return count;
}

void UnitSystem::Transport::idle() {
  // Runs programs to their next wait, and remembers if anything has happened in the round.
  const std::uint64_t before = happenings();
  system_.wait(*system_.units_[unit_], [this, before] { return happenings() != before; });
}

void UnitSystem::Transport::wait_word(const std::uint32_t& word, std::uint32_t count) {
  system_.wait(*system_.units_[unit_], [&word, count] { return word >= count; });
}

void UnitSystem::Transport::barrier() {
  const std::uint32_t mine = system_.generation_;
  if (++system_.at_barrier_ == system_.started_.size()) {
    system_.at_barrier_ = 0;
    ++system_.generation_;
    bool quiet = system_.flights_.empty();
    for (const auto& unit : system_.units_) quiet = quiet && unit->messages.empty();
    if (system_.quiet_barriers_ && !quiet) system_.fail("a message is under way at a barrier");
    return;
  }
  system_.wait(*system_.units_[unit_], [this, mine] { return system_.generation_ != mine; });
}

}  // namespace tvp::testing
