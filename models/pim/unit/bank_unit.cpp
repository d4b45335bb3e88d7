#include "models/pim/unit/bank_unit.h"

#include <algorithm>
#include <cstring>

#include "foundation/fault.h"
#include "foundation/regs/pim.h"

namespace tvp::pim {

namespace unit_regs = regs::pim;
using foundation::Fault;
using foundation::FaultKind;
using support::Cycle;

BankUnit::BankUnit(const sc_core::sc_module_name& name, const Environment& environment)
    : sc_module(name),
      where_(environment.where),
      number_(environment.number),
      calendar_(environment.calendar),
      calendar_index_(environment.calendar.add_tile(scheduler_)),
      clock_mhz_(environment.config.clock_mhz),
      wram_(watch_hub_),
      bank_(environment.dram, environment.chip, environment.where + ".bank", environment.faults),
      bus_("bus", wram_, environment.config.clock_mhz),
      stop_({.where = environment.where,
             .unit = environment.number,
             .units = environment.units,
             .config = environment.config,
             .wram = wram_,
             .messages = environment.messages,
             .network = environment.network,
             .calendar = environment.calendar,
             .calendar_index = calendar_index_,
             .watch_hub = watch_hub_,
             .faults = environment.faults}),
      dma_(environment.where, environment.number, environment.config, bank_, wram_,
           environment.calendar, calendar_index_, watch_hub_, environment.faults),
      barrier_(environment.where, environment.number, environment.barrier, environment.calendar,
               calendar_index_, watch_hub_, environment.faults),
      control_(environment.number, environment.units, environment.config.print_bytes, *this),
      core_("core",
            riscv::Identity{.master = support::BusMaster::kB,
                            .where = environment.where,
                            .local_bytes = 0,
                            .iram_bytes = unit_regs::kIramBytes},
            environment.riscv, watch_hub_, environment.faults) {
  scheduler_.add(stop_);
  scheduler_.add(dma_);
  scheduler_.add(barrier_);
  scheduler_.add(core_);
  // Every external access to WRAM settles the unit first.
  core_.set_counting_sleep(true);
  core_.bus.bind(bus_.core);
  if (environment.config.tasklets != 0) {
    tasklets_ = std::make_unique<TaskletCore>("tasklets", where_, environment.config, wram_, dma_,
                                              environment.faults);
    tasklets_->bus.bind(bus_.tasklets);
    scheduler_.add(*tasklets_);
  }
  bus_.map(UnitBus::Window::kControl, control_);
  bus_.map(UnitBus::Window::kDma, dma_);
  bus_.map(UnitBus::Window::kStop, stop_);
  bus_.map(UnitBus::Window::kBarrier, barrier_);
}

void BankUnit::load(const foundation::ElfImage& image) {
  const auto refuse = [&](const std::string& text) {
    throw Fault(FaultKind::kDescription, where_, image.name() + ": " + text);
  };
  if (state_ == State::kRunning) refuse("loaded into a unit that runs");
  for (const foundation::ElfImage::Segment& segment : image.segments()) {
    const std::uint64_t in_iram = std::uint64_t{segment.address} - unit_regs::kIram;
    if (segment.address >= unit_regs::kIram &&
        in_iram + segment.memory_bytes <= unit_regs::kIramBytes) {
      std::vector<std::uint8_t> bytes = segment.data;
      bytes.resize(segment.memory_bytes);
      write_iram(static_cast<std::uint32_t>(in_iram), bytes.data(),
                 static_cast<std::uint32_t>(bytes.size()));
    } else if (!segment.executable && Wram::contains(segment.address, segment.memory_bytes)) {
      std::vector<std::uint8_t> bytes = segment.data;
      bytes.resize(segment.memory_bytes);
      wram_.debug_write(segment.address, bytes.data(), static_cast<std::uint32_t>(bytes.size()),
                        calendar_.now());
    } else {
      refuse("segment of " + std::to_string(segment.memory_bytes) + " bytes at " +
             std::to_string(segment.address) +
             ": expected code in the instruction memory and data in WRAM (foundation/regs/pim.h)");
    }
  }
}

void BankUnit::start(std::uint32_t entry, Cycle now) {
  if (state_ == State::kRunning) {
    throw Fault(FaultKind::kDescription, where_, "started while it runs");
  }
  if (!dma_.idle()) {
    throw Fault(FaultKind::kDescription, where_, "started while its DMA engine is at work");
  }
  stop_.reset();
  dma_.reset();
  awaited_count_.forget();
  if (probe_ != nullptr && probe_->wants(support::ProbeEvent::Kind::kReset))
    probe_->report({.kind = support::ProbeEvent::Kind::kReset, .cycle = now});
  barrier_.reset();
  control_.clear_output();
  state_ = State::kRunning;
  started_at_ = now;
  if (tasklets_) {
    tasklets_->start(now, entry);
  } else {
    core_.release_reset(now, entry);
  }
  calendar_.tile_woken(calendar_index_);
}

void BankUnit::write_iram(std::uint32_t offset, const std::uint8_t* data, std::uint32_t bytes) {
  if (tasklets_) {
    tasklets_->write_iram(offset, data, bytes);
  } else {
    core_.write_iram(offset, data, bytes);
  }
}

void BankUnit::read_iram(std::uint32_t offset, std::uint8_t* data, std::uint32_t bytes) {
  if (tasklets_) {
    tasklets_->read_iram(offset, data, bytes);
  } else {
    core_.debug_read(unit_regs::kIram + offset, data, bytes);
  }
}

void BankUnit::access_wram(std::uint32_t address, std::uint8_t* data, std::uint32_t bytes,
                           bool write) {
  if (!Wram::contains(address, bytes)) {
    throw Fault(FaultKind::kDescription, where_,
                "access of the host to " + std::to_string(bytes) + " bytes of WRAM at " +
                    std::to_string(address) + ": expected a range within " +
                    std::to_string(unit_regs::kWramBytes) + " bytes");
  }
  if (state_ == State::kRunning) {
    throw Fault(FaultKind::kDescription, where_, "access of the host to WRAM while a program runs");
  }
  if (write) {
    wram_.debug_write(address, data, bytes, calendar_.now());
  } else {
    wram_.read(address, data, bytes, {.now = calendar_.now()});
  }
}

bool BankUnit::peek_wram(std::uint32_t address, std::uint8_t* data, std::uint32_t bytes) const {
  if (!Wram::contains(address, bytes)) return false;
  std::copy_n(wram_.bytes() + address, bytes, data);
  return true;
}

void BankUnit::set_probe(support::Probe* probe) {
  probe_ = probe;
  core_.set_probe(probe);
  dma_.set_probe(probe);
  stop_.set_probe(probe);
  barrier_.set_probe(probe);
  if (probe != nullptr && !tasklets_) probe->set_awaited([this] { return awaited_count_.get(); });
  if (tasklets_) tasklets_->set_probe(probe);
}

void BankUnit::observe(support::Probe::Listener* observer) {
  bus_.set_memory_observer(observer);
  core_.set_memory_observer(observer);
  bank_.observe(observer, dram::ClockRatio(bank_.timing().tck, dram::Period::of_mhz(clock_mhz_)));
}

void BankUnit::exited(std::uint32_t status, Cycle now) {
  state_ = State::kExited;
  exit_status_ = status;
  exited_at_ = now;
  if (probe_ != nullptr && probe_->wants(support::ProbeEvent::Kind::kProgramEnds))
    probe_->report({.kind = support::ProbeEvent::Kind::kProgramEnds, .cycle = now});
  if (tasklets_) {
    tasklets_->halt();
  } else {
    core_.assert_reset(now);
  }
}

std::string BankUnit::waits_for() const {
  if (tasklets_) return tasklets_->waits_for();
  std::string text;
  const auto add = [&](const std::string& part) {
    if (text.find(part) == std::string::npos) text += (text.empty() ? "" : ", ") + part;
  };
  for (const std::uint32_t address : core_.waiting().addresses()) {
    const std::uint32_t offset = address % unit_regs::kWindowBytes;
    switch (address - offset) {
      case unit_regs::kStop:
        add(Stop::name_of(offset));
        break;
      case unit_regs::kDma:
        add("its DMA engine");
        break;
      case unit_regs::kBarrier:
        add("a barrier");
        break;
      default:
        add("WRAM address " + std::to_string(address));
    }
  }
  return text;
}

}  // namespace tvp::pim
