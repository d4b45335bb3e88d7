#include "tests/unit/pim_collectives/unit_system.h"

#include <cstring>
#include <deque>

namespace tvp::testing {

namespace {
constexpr std::uint32_t kChannels = 16;
constexpr std::size_t kStackBytes = 64 * 1024;
constexpr std::uint8_t kPoison = 0xA5;
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
  Window windows[kChannels];
  std::function<bool()> until;  ///< empty: runs
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
    bool all_ended = flights_.empty();
    for (unsigned number : started)
      all_ended = all_ended && units_[number]->ended && units_[number]->descriptors.empty() &&
                  units_[number]->messages.empty();
    if (all_ended) break;
    choose();
  }
  return failure_;
}

/// One of all possible next happenings: for each unit its program, its engine, its stop; for each
/// stream of messages its first.
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
    Unit::Window& window = unit.windows[std::get<2>(it->first)];
    const Flight& flight = it->second.front();
    if (flight.offset + flight.bytes.size() > window.bytes) {
      fail("a message to unit " + std::to_string(unit.number) + " leaves its window");
      return true;
    }
    std::copy(flight.bytes.begin(), flight.bytes.end(), window.base + flight.offset);
    ++window.arrivals;
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
  const Unit::Message m = unit.messages.front();
  unit.messages.pop_front();
  ++unit.sent;
  flights_[{unit.number, m.destination, m.channel}].push_back(
      {std::vector<std::uint8_t>(m.data, m.data + m.bytes), m.offset});
  return true;
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
  std::memset(wram, kPoison, bytes);  // not there before the wait
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
  source.messages.push_back({unit, channel, offset, static_cast<const std::uint8_t*>(data), bytes});
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
