#include "tensix_vp/systemc/pim_dimm.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "foundation/fault.h"
#include "foundation/regs/pim.h"
#include "models/dram/timing/timing.h"
#include "models/pim/pim_hierarchy.h"
#include "models/support/blocking_target.h"
#include "models/support/time_base.h"
#include "platform/library/configuration.h"
#include "platform/machine/pim_machine.h"
#include "platform/system/system_description.h"

namespace tensix_vp {

using tlm::tlm_response_status;
using tvp::foundation::Fault;
using tvp::platform::UnitAccess;
using Payload = tlm::tlm_generic_payload;

namespace {

constexpr const char* kReports = "/tensix_vp";  // message type

// Control space of a unit.
constexpr std::uint64_t kWram = 0;
constexpr std::uint64_t kIram = 0x10000;
constexpr std::uint64_t kRegisters = 0x1F000;
constexpr std::uint64_t kUnitBytes = 0x20000;

constexpr std::uint64_t kCommonBytes = 0x10;

}  // namespace

class PimDimm::Parts : private tvp::support::BlockingTarget::Server {
 public:
  /// A part of the address space that behaves in one way.
  enum class Kind { kNothing, kBank, kWram, kIram, kUnitRegisters, kCommonRegisters };
  struct Place {
    Kind kind = Kind::kNothing;
    unsigned unit = 0;
    std::uint64_t offset = 0;
    std::uint64_t left = 0;  ///< bytes from here to the end of the part
  };

  Parts(PimDimm& dimm, const Parameters& parameters);

  /// The chips of a rank behind their pins.
  class Rank : private tlm::tlm_fw_transport_if<DdrProtocol> {
   public:
    Rank(Parts& parts, unsigned number);
    tlm::tlm_target_socket<32, DdrProtocol, 1, sc_core::SC_ZERO_OR_MORE_BOUND> socket;

   private:
    tlm::tlm_sync_enum nb_transport_fw(DdrCommand& command, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void b_transport(DdrCommand& command, sc_core::sc_time& delay) override;
    unsigned transport_dbg(DdrCommand& command) override;
    bool get_direct_mem_ptr(DdrCommand&, tlm::tlm_dmi&) override { return false; }

    void execute(DdrCommand& command);
    DdrStatus move(DdrCommand& command, std::uint64_t row, std::uint32_t bytes, bool debug);

    Parts& parts_;
    const unsigned number_;
    std::vector<std::uint64_t> rows_;  ///< one for each bank of the rank: the row that was opened
    std::vector<std::uint8_t> of_chip_;
  };

  Place place_of(std::uint64_t address) const;

  tvp::platform::Configuration configuration;
  std::unique_ptr<tvp::platform::PimMachine> machine;
  UnitAccess* units = nullptr;
  std::uint64_t control = 0;  ///< address of the first control space
  std::uint64_t common = 0;   ///< address of the common registers
  tvp::support::TimeBase* base = nullptr;
  std::vector<std::unique_ptr<Rank>> ranks;

 private:
  void serve(Payload& payload, sc_core::sc_time& delay) override;
  unsigned serve_debug(Payload& payload) override;
  tlm_response_status access(Payload& payload);
  tlm_response_status access_banks(Payload& payload);
  void pass_time(const Place& place, std::uint64_t bytes, bool write);
  void move_enabled(const Place& place, Payload& payload, std::uint64_t begin, std::uint64_t end);
  void move(const Place& place, std::uint8_t* data, std::uint64_t bytes, bool write);
  tlm_response_status access_registers(const Place& place, Payload& payload);
  tlm_response_status read_unit(unsigned unit, std::uint64_t offset, std::uint32_t& word);
  tlm_response_status write_unit(unsigned unit, std::uint64_t offset, std::uint32_t word);
  tlm_response_status read_common(std::uint64_t offset, std::uint32_t& word);
  tlm_response_status write_common(std::uint64_t offset);

  const tvp::dram::Organization* chip_ = nullptr;
  unsigned banks_of_chip_ = 0;
  unsigned chips_of_rank_ = 0;
  std::vector<bool> selected_;  ///< one per unit
  const sc_core::sc_object& socket_;
  tvp::support::BlockingTarget target_;
};

PimDimm::Parts::Parts(PimDimm& dimm, const Parameters& parameters)
    : socket_(dimm.memory), target_(dimm.memory, *this) {
  std::string text = "system=" + parameters.system + "\n";
  for (const auto& [key, value] : parameters.settings) text += key + "=" + value + "\n";
  configuration.apply(text);
  const tvp::platform::SystemDescription& system = configuration.load_system();
  if (system.kind != "pim") {
    throw Fault(tvp::foundation::FaultKind::kDescription, system.kind_where,
                "kind = \"" + system.kind + "\": a PimDimm expects a system of kind pim");
  }
  configuration.platform().foreign.shared_kernel = true;
  base = &tvp::support::TimeBase::current();
  machine =
      std::make_unique<tvp::platform::PimMachine>("machine", system, configuration.platform());
  units = machine->units();
  control = units->count() * units->bank_bytes();
  common = control + units->count() * kUnitBytes;
  selected_.resize(units->count());
  const tvp::pim::PimConfig& pim = configuration.platform().pim;
  const auto hierarchy = tvp::pim::PimHierarchy::parse(pim.hierarchy.value());
  chip_ = &tvp::dram::find_preset(pim.dram.value())->organization;
  banks_of_chip_ = hierarchy.units_within(0);
  chips_of_rank_ = hierarchy.levels().size() > 1 ? hierarchy.levels()[1].count : 1;
  for (unsigned rank = 0; rank < units->count() / (banks_of_chip_ * chips_of_rank_); ++rank)
    ranks.push_back(std::make_unique<Rank>(*this, rank));
}

PimDimm::Parts::Rank::Rank(Parts& parts, unsigned number)
    : socket(("rank" + std::to_string(number)).c_str()),
      parts_(parts),
      number_(number),
      rows_(parts.chip_->banks_per_rank()) {
  socket.get_base_export().bind(*this);
}

/// Moves bytes of a row from a column on, between the command and the chips.
DdrStatus PimDimm::Parts::Rank::move(DdrCommand& command, std::uint64_t row, std::uint32_t bytes,
                                     bool debug) {
  if (command.bank >= parts_.banks_of_chip_) return DdrStatus::kNoSuchPlace;
  const unsigned width = parts_.chip_->device_bits / 8;
  const unsigned of_beat = parts_.chip_->bus_bits / 8;
  const std::uint64_t first =
      row * parts_.chip_->device_row_bytes() + std::uint64_t{command.column} * width;
  const unsigned chips = std::min(parts_.chips_of_rank_, of_beat / width);
  const auto unit_of = [&](unsigned chip) {
    return (number_ * parts_.chips_of_rank_ + chip) * parts_.banks_of_chip_ + command.bank;
  };
  for (unsigned chip = 0; chip < chips && !debug; ++chip)
    if (parts_.units->owner(unit_of(chip)) != UnitAccess::Owner::kHost) return DdrStatus::kNotOwned;
  parts_.machine->follow_kernel();
  // Pins without a chip read 0.
  if (is_read(command.operation)) std::fill_n(command.data, bytes, std::uint8_t{0});
  for (unsigned chip = 0; chip < chips; ++chip) {
    const unsigned unit = unit_of(chip);
    const auto each_byte = [&](const auto& visit) {
      for (std::uint32_t beat = chip * width, i = 0; beat < bytes; beat += of_beat)
        for (std::uint32_t at = beat; at < std::min(beat + width, bytes); ++at, ++i) visit(at, i);
    };
    of_chip_.resize((bytes + of_beat - 1) / of_beat * width);
    parts_.units->debug_bank(unit, first, of_chip_.data(), of_chip_.size(), false);
    if (is_read(command.operation)) {
      each_byte([&](std::uint32_t at, std::uint32_t i) { command.data[at] = of_chip_[i]; });
      continue;
    }
    each_byte([&](std::uint32_t at, std::uint32_t i) {
      if (command.mask == nullptr || command.mask[at] != 0) of_chip_[i] = command.data[at];
    });
    parts_.units->debug_bank(unit, first, of_chip_.data(), of_chip_.size(), true);
  }
  return DdrStatus::kOk;
}

void PimDimm::Parts::Rank::execute(DdrCommand& command) {
  const auto& o = *parts_.chip_;
  command.status = DdrStatus::kOk;
  if (command.operation == DdrOperation::kActivate) {
    if (command.bank >= rows_.size() || command.row >= o.rows) {
      command.status = DdrStatus::kNoSuchPlace;
    } else {
      rows_[command.bank] = command.row;
    }
  }
  if (!moves_data(command.operation)) return;
  if (command.bank >= rows_.size() || command.column > o.columns - o.burst_length) {
    command.status = DdrStatus::kNoSuchPlace;
  } else if (command.data == nullptr || command.bytes != o.burst_bytes()) {
    command.status = DdrStatus::kWrongLength;
  } else {
    command.status = move(command, rows_[command.bank], command.bytes, false);
  }
}

tlm::tlm_sync_enum PimDimm::Parts::Rank::nb_transport_fw(DdrCommand& command, tlm::tlm_phase& phase,
                                                         sc_core::sc_time&) {
  if (phase == tlm::BEGIN_REQ) {
    execute(command);
  } else {
    const std::string text = std::string(socket.name()) + ": the channel sends " +
                             phase.get_name() + " at " + sc_core::sc_time_stamp().to_string() +
                             ": expected BEGIN_REQ";
    SC_REPORT_ERROR("/tensix_vp/protocol", text.c_str());
  }
  return tlm::TLM_COMPLETED;
}

void PimDimm::Parts::Rank::b_transport(DdrCommand& command, sc_core::sc_time&) { execute(command); }

unsigned PimDimm::Parts::Rank::transport_dbg(DdrCommand& command) {
  const auto& o = *parts_.chip_;
  if (!moves_data(command.operation) || command.data == nullptr || command.row >= o.rows ||
      command.column >= o.columns)
    return 0;
  const auto bytes =
      std::min<std::uint32_t>(command.bytes, (o.columns - command.column) * (o.bus_bits / 8));
  return move(command, command.row, bytes, true) == DdrStatus::kOk ? bytes : 0;
}

PimDimm::Parts::Place PimDimm::Parts::place_of(std::uint64_t address) const {
  if (address < control) {
    const std::uint64_t bytes = units->bank_bytes();
    return {Kind::kBank, static_cast<unsigned>(address / bytes), address % bytes,
            bytes - address % bytes};
  }
  if (address < common) {
    const auto unit = static_cast<unsigned>((address - control) / kUnitBytes);
    const std::uint64_t at = (address - control) % kUnitBytes;
    if (at < tvp::regs::pim::kWramBytes)
      return {Kind::kWram, unit, at - kWram, tvp::regs::pim::kWramBytes - at};
    if (at >= kRegisters) return {Kind::kUnitRegisters, unit, at - kRegisters, kUnitBytes - at};
    if (at < kIram + tvp::regs::pim::kIramBytes)
      return {Kind::kIram, unit, at - kIram, kIram + tvp::regs::pim::kIramBytes - at};
    return {};
  }
  if (address - common < kCommonBytes)
    return {Kind::kCommonRegisters, 0, address - common, kCommonBytes - (address - common)};
  return {};
}

void PimDimm::Parts::serve(Payload& payload, sc_core::sc_time& delay) {
  // The units stand at sc_time_stamp(), so the caller catches up with its annotated delay.
  if (delay != sc_core::SC_ZERO_TIME && sc_core::sc_get_current_process_handle().valid()) {
    sc_core::wait(delay);
    delay = sc_core::SC_ZERO_TIME;
  }
  try {
    payload.set_response_status(access(payload));
  } catch (const Fault& fault) {
    SC_REPORT_WARNING(kReports, (std::string(socket_.name()) + ": " + fault.what()).c_str());
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  }
  base->woken();
}

tlm_response_status PimDimm::Parts::access(Payload& payload) {
  const Place place = place_of(payload.get_address());
  const std::uint64_t bytes = payload.get_data_length();
  machine->follow_kernel();
  switch (place.kind) {
    case Kind::kNothing:
      return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    case Kind::kBank:
      return access_banks(payload);
    case Kind::kUnitRegisters:
    case Kind::kCommonRegisters:
      return access_registers(place, payload);
    case Kind::kWram:
    case Kind::kIram:
      break;
  }
  if (bytes > place.left) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  move_enabled(place, payload, 0, bytes);
  return tlm::TLM_OK_RESPONSE;
}

/// The banks of units follow each other, so an access may reach several.
tlm_response_status PimDimm::Parts::access_banks(Payload& payload) {
  const std::uint64_t bytes = payload.get_data_length();
  if (bytes > control - payload.get_address()) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  for (std::uint64_t begin = 0; begin < bytes;) {
    const Place place = place_of(payload.get_address() + begin);
    const std::uint64_t end = std::min(bytes, begin + place.left);
    pass_time(place, end - begin, payload.is_write());
    move_enabled(place, payload, begin, end);
    begin = end;
  }
  return tlm::TLM_OK_RESPONSE;
}

/// Moves the enabled ones of the bytes [begin, end) of the payload, the first of which is at
/// `place`.
void PimDimm::Parts::move_enabled(const Place& place, Payload& payload, std::uint64_t begin,
                                  std::uint64_t end) {
  const std::uint8_t* const enables = payload.get_byte_enable_ptr();
  const auto enabled = [&](std::uint64_t i) {
    return enables[i % payload.get_byte_enable_length()] == TLM_BYTE_ENABLED;
  };
  for (std::uint64_t at = begin; at < end;) {
    std::uint64_t last = enables == nullptr ? end : at;
    while (last < end && enabled(last)) ++last;
    Place part = place;
    part.offset += at - begin;
    if (last > at) move(part, payload.get_data_ptr() + at, last - at, payload.is_write());
    at = std::max(last, at + 1);
  }
}

/// The pins are busy from now on, and the bytes move at the end.
void PimDimm::Parts::pass_time(const Place& place, std::uint64_t bytes, bool write) {
  const auto end = units->end_of_access(place.unit, place.offset, bytes, write);
  if (end <= machine->now()) return;
  sc_core::wait(sc_core::sc_time::from_value(machine->to_ps(end)) - sc_core::sc_time_stamp());
  machine->follow_kernel();
}

void PimDimm::Parts::move(const Place& place, std::uint8_t* data, std::uint64_t bytes, bool write) {
  const auto offset = static_cast<std::uint32_t>(place.offset);
  const auto length = static_cast<std::uint32_t>(bytes);
  if (place.kind == Kind::kBank) {
    units->access_bank(place.unit, place.offset, data, bytes, write);
  } else if (place.kind == Kind::kWram) {
    units->access_wram(place.unit, offset, data, length, write);
  } else if (write) {
    units->write_iram(place.unit, offset, data, length);
  } else {
    units->read_iram(place.unit, offset, data, length);
  }
}

tlm_response_status PimDimm::Parts::access_registers(const Place& place, Payload& payload) {
  const std::uint32_t bytes = payload.get_data_length();
  if (payload.get_byte_enable_ptr() != nullptr) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (bytes % 4 != 0) return tlm::TLM_BURST_ERROR_RESPONSE;
  if (place.offset % 4 != 0 || bytes > place.left) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  const bool common_ones = place.kind == Kind::kCommonRegisters;
  for (std::uint32_t i = 0; i < bytes; i += 4) {
    std::uint8_t* const data = payload.get_data_ptr() + i;
    const std::uint64_t offset = place.offset + i;
    std::uint32_t word = 0;
    tlm_response_status status{};
    if (payload.is_write()) {
      std::memcpy(&word, data, 4);
      status = common_ones ? write_common(offset) : write_unit(place.unit, offset, word);
    } else {
      status = common_ones ? read_common(offset, word) : read_unit(place.unit, offset, word);
      std::memcpy(data, &word, 4);
    }
    if (status != tlm::TLM_OK_RESPONSE) return status;
  }
  return tlm::TLM_OK_RESPONSE;
}

tlm_response_status PimDimm::Parts::read_unit(unsigned unit, std::uint64_t offset,
                                              std::uint32_t& word) {
  const UnitAccess::State state = units->state(unit);
  const auto half_of = [&](std::uint64_t value) {
    word = static_cast<std::uint32_t>(offset % 8 == 0 ? value : value >> 32);
  };
  switch (static_cast<UnitRegister>(offset < 0x18 ? offset : offset & ~std::uint64_t{4})) {
    case UnitRegister::kOwner:
      word = units->owner(unit) == UnitAccess::Owner::kHost ? 0 : 1;
      break;
    case UnitRegister::kEntry:
      word = units->entry(unit).value_or(0);
      break;
    case UnitRegister::kSelected:
      word = selected_[unit] ? 1 : 0;
      break;
    case UnitRegister::kState:
      word = state.run == UnitAccess::Run::kStopped   ? 0
             : state.run == UnitAccess::Run::kRunning ? 1
                                                      : 2;
      break;
    case UnitRegister::kExitStatus:
      word = state.exit_status;
      break;
    case UnitRegister::kStarted:
      half_of(state.started);
      break;
    case UnitRegister::kEnded:
      half_of(state.ended);
      break;
    default:
      return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  return tlm::TLM_OK_RESPONSE;
}

tlm_response_status PimDimm::Parts::write_unit(unsigned unit, std::uint64_t offset,
                                               std::uint32_t word) {
  switch (static_cast<UnitRegister>(offset)) {
    case UnitRegister::kOwner:
      if (word > 1) return tlm::TLM_GENERIC_ERROR_RESPONSE;
      units->set_owner(unit, word == 0 ? UnitAccess::Owner::kHost : UnitAccess::Owner::kProcessor);
      return tlm::TLM_OK_RESPONSE;
    case UnitRegister::kEntry:
      units->set_entry(unit, word);
      return tlm::TLM_OK_RESPONSE;
    case UnitRegister::kSelected:
      if (word > 1) return tlm::TLM_GENERIC_ERROR_RESPONSE;
      selected_[unit] = word == 1;
      return tlm::TLM_OK_RESPONSE;
    default:
      break;
  }
  std::uint32_t ignored = 0;
  const tlm_response_status readable = read_unit(unit, offset, ignored);
  return readable == tlm::TLM_OK_RESPONSE ? tlm::TLM_COMMAND_ERROR_RESPONSE : readable;
}

tlm_response_status PimDimm::Parts::read_common(std::uint64_t offset, std::uint32_t& word) {
  switch (static_cast<CommonRegister>(offset)) {
    case CommonRegister::kUnits:
      word = units->count();
      break;
    case CommonRegister::kStart:
      return tlm::TLM_COMMAND_ERROR_RESPONSE;
    case CommonRegister::kRunning:
      for (unsigned unit = 0; unit < units->count(); ++unit)
        word += units->state(unit).run == UnitAccess::Run::kRunning ? 1 : 0;
      break;
    case CommonRegister::kClockMhz:
      word = static_cast<std::uint32_t>(machine->clock_mhz());
      break;
  }
  return tlm::TLM_OK_RESPONSE;
}

tlm_response_status PimDimm::Parts::write_common(std::uint64_t offset) {
  if (static_cast<CommonRegister>(offset) != CommonRegister::kStart)
    return tlm::TLM_COMMAND_ERROR_RESPONSE;
  std::vector<unsigned> numbers;
  for (unsigned unit = 0; unit < selected_.size(); ++unit)
    if (selected_[unit]) numbers.push_back(unit);
  if (!numbers.empty()) units->start_units(numbers);
  selected_.assign(selected_.size(), false);
  return tlm::TLM_OK_RESPONSE;
}

/// Bytes up to the end of all banks, or of the memory; registers can only be read.
unsigned PimDimm::Parts::serve_debug(Payload& payload) {
  const Place place = place_of(payload.get_address());
  std::uint8_t* const data = payload.get_data_ptr();
  const std::uint64_t left =
      place.kind == Kind::kBank ? control - payload.get_address() : place.left;
  const auto bytes =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(payload.get_data_length(), left));
  machine->follow_kernel();
  machine->settle();
  switch (place.kind) {
    case Kind::kNothing:
      return 0;
    case Kind::kBank:
      for (std::uint32_t done = 0; done < bytes;) {
        const Place part = place_of(payload.get_address() + done);
        const std::uint64_t size = std::min<std::uint64_t>(part.left, bytes - done);
        units->debug_bank(part.unit, part.offset, data + done, size, payload.is_write());
        done += static_cast<std::uint32_t>(size);
      }
      return bytes;
    case Kind::kWram:
    case Kind::kIram:
      if (payload.is_write() && units->state(place.unit).run == UnitAccess::Run::kRunning) return 0;
      if (place.kind == Kind::kWram && payload.is_read()) {
        units->peek_wram(place.unit, static_cast<std::uint32_t>(place.offset), data, bytes);
      } else {
        move(place, data, bytes, payload.is_write());
      }
      return bytes;
    case Kind::kUnitRegisters:
    case Kind::kCommonRegisters:
      break;
  }
  if (payload.is_write()) return 0;
  return access_registers(place, payload) == tlm::TLM_OK_RESPONSE ? payload.get_data_length() : 0;
}

PimDimm::PimDimm(const sc_core::sc_module_name& name, const Parameters& parameters)
    : sc_module(name), memory("memory") {
  try {
    parts_ = std::make_unique<Parts>(*this, parameters);
  } catch (const Fault& fault) {
    throw std::runtime_error(std::string(this->name()) + ": " + fault.what());
  }
}

PimDimm::~PimDimm() = default;

unsigned PimDimm::units() const { return parts_->units->count(); }

std::uint64_t PimDimm::bank_bytes() const { return parts_->units->bank_bytes(); }

std::uint64_t PimDimm::bank(unsigned unit) const { return unit * bank_bytes(); }

std::uint64_t PimDimm::wram(unsigned unit) const {
  return parts_->control + unit * kUnitBytes + kWram;
}

std::uint64_t PimDimm::iram(unsigned unit) const {
  return parts_->control + unit * kUnitBytes + kIram;
}

std::uint64_t PimDimm::address(unsigned unit, UnitRegister which) const {
  return parts_->control + unit * kUnitBytes + kRegisters + static_cast<std::uint32_t>(which);
}

std::uint64_t PimDimm::address(CommonRegister which) const {
  return parts_->common + static_cast<std::uint32_t>(which);
}

tlm::tlm_target_socket<32, DdrProtocol, 1, sc_core::SC_ZERO_OR_MORE_BOUND>& PimDimm::rank(
    unsigned number) {
  if (number < ranks()) return parts_->ranks[number]->socket;
  throw std::runtime_error(std::string(name()) + ": rank(" + std::to_string(number) +
                           ") expects a rank below " + std::to_string(ranks()));
}

unsigned PimDimm::ranks() const { return static_cast<unsigned>(parts_->ranks.size()); }

std::uint64_t PimDimm::bytes() const { return parts_->common + kCommonBytes; }

void PimDimm::load(unsigned unit, const std::string& elf_file) {
  parts_->machine->follow_kernel();
  try {
    parts_->units->load(unit, elf_file);
  } catch (const Fault& fault) {
    throw std::runtime_error(std::string(name()) + ": " + fault.what());
  }
}

std::string PimDimm::output(unsigned unit) const { return parts_->units->output(unit); }

bool PimDimm::idle() const { return parts_->machine->idle(); }

std::string PimDimm::report() const {
  parts_->machine->follow_kernel();
  return parts_->machine->report();
}

std::uint64_t PimDimm::digest() const {
  parts_->machine->follow_kernel();
  parts_->machine->settle();
  return parts_->machine->state_digest();
}

void PimDimm::start_of_simulation() {
  // Not at the end, since a simulation need not call sc_stop().
  parts_->machine->faults().set_listener(
      [](const std::string& text) { SC_REPORT_WARNING(kReports, text.c_str()); });
  try {
    parts_->machine->start();
  } catch (const Fault& fault) {
    SC_REPORT_ERROR(kReports, fault.what());
  }
  parts_->base->woken();
}

void PimDimm::end_of_simulation() {
  tvp::platform::Machine& machine = *parts_->machine;
  machine.follow_kernel();
  for (const std::string& warning : machine.faults().repetitions()) {
    SC_REPORT_WARNING(kReports, warning.c_str());
  }
  try {
    machine.check_at_end();
  } catch (const Fault& fault) {
    SC_REPORT_WARNING(kReports, fault.what());
  }
  machine.finish();
}

}  // namespace tensix_vp
