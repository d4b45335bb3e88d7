// The debugger's view of the cores.
#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "foundation/hex.h"
#include "models/riscv/decode/disassembler.h"
#include "platform/debug/debugger.h"

namespace tvp::debug {

using riscv::CoreState;

std::vector<unsigned> Debugger::cores() {
  std::vector<unsigned> numbers;
  for (unsigned number = 1; number <= cores_.size(); ++number) {
    Core& core = at(number);
    core.seen = core.seen || core.site.core->state() != CoreState::kInReset;
    if (core.seen && !core.dismissed) numbers.push_back(number);
  }
  return numbers;
}

bool Debugger::has(unsigned core) {
  if (core == 0 || core > cores_.size() || at(core).dismissed) return false;
  at(core).seen = at(core).seen || at(core).site.core->state() != CoreState::kInReset;
  return at(core).seen;
}

std::string Debugger::name(unsigned core) { return at(core).site.name; }

std::string Debugger::state(unsigned core) { return riscv::to_string(at(core).site.core->state()); }

std::array<std::uint32_t, Target::kRegisters> Debugger::registers(unsigned core) {
  const riscv::Core& c = *at(core).site.core;
  std::array<std::uint32_t, kRegisters> values{};
  for (unsigned i = 0; i < kPc; ++i) values[i] = c.reg(i);
  values[kPc] = pretended_pc_ && core == server_.last_stop().core ? *pretended_pc_ : c.pc();
  return values;
}

bool Debugger::set_register(unsigned core, unsigned index, std::uint32_t value) {
  riscv::Core& c = *at(core).site.core;
  if (c.state() != CoreState::kRunning || pretended_pc_) return false;
  if (index == kPc) {
    c.set_pc(value);
  } else {
    c.set_reg(index, value);
  }
  written_ = true;
  return true;
}

std::size_t Debugger::read(unsigned core, std::uint32_t address, std::span<std::uint8_t> bytes) {
  riscv::Core& c = *at(core).site.core;
  const auto all = static_cast<std::uint32_t>(bytes.size());
  if (c.debug_read(address, bytes.data(), all)) return all;
  // The range may end at the end of a memory, or at a register whose read has a side effect.
  std::uint32_t seen = 0;
  while (seen < all) {
    const std::uint32_t part = std::min(4 - (address + seen) % 4, all - seen);
    if (!c.debug_read(address + seen, bytes.data() + seen, part)) break;
    seen += part;
  }
  return seen;
}

bool Debugger::write(unsigned core, std::uint32_t address, std::span<const std::uint8_t> bytes) {
  if (!at(core).site.core->debug_write(address, bytes.data(),
                                       static_cast<std::uint32_t>(bytes.size()))) {
    return false;
  }
  written_ = true;
  // Cores that poll the written bytes notice the change at their next poll.
  to_wake_.insert(core);
  for (const unsigned other : neighbors(core)) to_wake_.insert(other);
  return true;
}

bool Debugger::insert(unsigned core, Trap trap, std::uint32_t address, std::uint32_t bytes) {
  const Inserted inserted{core, trap, address, bytes};
  if (hidden_ != inserted && !probe(core).insert(trap, address, bytes)) return false;
  traps_.insert(inserted);
  if (trap == Trap::kWrite || trap == Trap::kAccess) {
    for (const unsigned other : neighbors(core)) probe(other).watch_for_neighbor(true);
  }
  return true;
}

bool Debugger::remove(unsigned core, Trap trap, std::uint32_t address, std::uint32_t bytes) {
  const Inserted inserted{core, trap, address, bytes};
  const auto found = traps_.find(inserted);
  if (found == traps_.end()) return false;
  traps_.erase(found);
  if (hidden_ != inserted && !probe(core).remove(trap, address, bytes)) return false;
  if (trap == Trap::kWrite || trap == Trap::kAccess) {
    for (const unsigned other : neighbors(core)) probe(other).watch_for_neighbor(false);
  }
  return true;
}

void Debugger::step(unsigned core, std::uint32_t from, std::uint32_t to) {
  probe(core).step(from, to);
}

std::string Debugger::executable(unsigned core) {
  const auto files = files_of(core);
  return files.empty() ? "" : files.front();
}

std::vector<Target::Library> Debugger::libraries(unsigned core) {
  return files_.libraries(tile_of(core), at(core).site.kind);
}

void Debugger::detach(unsigned core) {
  at(core).dismissed = true;
  std::erase_if(traps_, [&](const Inserted& each) { return each.core == core; });
  if (hidden_ && hidden_->core == core) hidden_.reset();
  awaiting_ = false;
  if (at(core).probe) at(core).probe->clear();
}

std::string Debugger::monitor(unsigned core, const std::string& command) {
  if (command == "time") {
    std::array<char, 96> text;
    std::snprintf(text.data(), text.size(), "cycle %llu, %.3f ns; this core is at cycle %llu\n",
                  static_cast<unsigned long long>(machine_.now()),
                  static_cast<double>(machine_.now_ps()) / 1000.0,
                  has(core) ? static_cast<unsigned long long>(at(core).site.core->time()) : 0ULL);
    return text.data();
  }
  if (command.starts_with("goto ")) return plan_to_go(command.substr(5));
  if (command == "cores") return list_cores();
  if (command == "who-waits") return list_waiting();
  if (command == "elf") return has(core) ? list_files(core) : "";
  if (command == "code") return has(core) ? list_code(core) : "";
  if (has(core))
    if (const std::string text = access_->monitor(at(core).site, command); !text.empty())
      return text;
  const char* const own =
      "monitor time       simulated time\n"
      "monitor goto TIME  `continue` then goes to this time: 12000ns, 12us or 12000cycles\n"
      "monitor cores      what every core does, and where\n"
      "monitor who-waits  cores that wait, and for which event\n"
      "monitor elf        ELF files of this core, as commands for gdb\n"
      "monitor code       what this core executes next, Tensix instructions with their fields\n";
  return own + access_->monitor_help();
}

std::string Debugger::list_cores() {
  std::string text;
  for (const unsigned number : cores()) {
    const platform::CoreSite& site = at(number).site;
    std::array<char, 96> line;
    std::snprintf(line.data(), line.size(), "%-4u %-18s %-9s 0x%08x cycle %-10llu ", number,
                  site.name.c_str(), state(number).c_str(), site.core->pc(),
                  static_cast<unsigned long long>(site.core->time()));
    text += line.data() + access_->source_of(site, site.core->pc()) + "\n";
  }
  return text;
}

std::string Debugger::list_waiting() const {
  const auto report = nlohmann::json::parse(machine_.report(), nullptr, false);
  std::string text;
  if (report.is_object() && report.contains("waiting")) {
    for (const auto& who : report.at("waiting")) text += who.get<std::string>() + "\n";
  }
  return text.empty() ? "no core waits\n" : text;
}

std::string Debugger::list_files(unsigned core) {
  std::string text;
  for (const std::string& file : files_of(core)) text += "add-symbol-file " + file + "\n";
  return text;
}

std::string Debugger::list_code(unsigned core) {
  constexpr unsigned kInstructions = 8;
  riscv::Core& c = *at(core).site.core;
  std::string text;
  for (unsigned i = 0; i < kInstructions; ++i) {
    const std::uint32_t address = c.pc() + 4 * i;
    std::uint32_t word = 0;
    if (!c.debug_read(address, &word, sizeof word)) break;
    text += foundation::hex(address, 8) + "  " + riscv::disassemble(word, address, c.generation()) +
            "\n";
  }
  return text.empty() ? "no code at the pc of this core\n" : text;
}

}  // namespace tvp::debug
