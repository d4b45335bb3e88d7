#include "tensix_vp/systemc/ddr_channel.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <queue>
#include <stdexcept>

#include "foundation/fault.h"
#include "models/ddr/command_channel.h"
#include "models/dram/storage.h"

namespace tensix_vp {

using sc_core::sc_time;
using tvp::ddr::CaCommand;
using tvp::ddr::CommandChannel;

namespace {

constexpr std::size_t kMostWords = 256;

CaCommand code_of(DdrOperation operation) {
  switch (operation) {
    case DdrOperation::kActivate:
      return CaCommand::kActivate;
    case DdrOperation::kRead:
      return CaCommand::kRead;
    case DdrOperation::kReadAutoPrecharge:
      return CaCommand::kReadAutoPrecharge;
    case DdrOperation::kWrite:
      return CaCommand::kWrite;
    case DdrOperation::kWriteAutoPrecharge:
      return CaCommand::kWriteAutoPrecharge;
    case DdrOperation::kPrecharge:
      return CaCommand::kPrecharge;
    case DdrOperation::kPrechargeAll:
      return CaCommand::kPrechargeAll;
    case DdrOperation::kRefresh:
      return CaCommand::kRefresh;
    case DdrOperation::kPim:
      return CaCommand::kPim;
  }
  return CaCommand::kNoOperation;
}

bool is_for_several_ranks(const DdrCommand& command) {
  return command.operation == DdrOperation::kPrechargeAll ||
         command.operation == DdrOperation::kRefresh || command.operation == DdrOperation::kPim;
}

DdrStatus status_of(CommandChannel::Result result) {
  switch (result) {
    case CommandChannel::Result::kIssued:
      return DdrStatus::kOk;
    case CommandChannel::Result::kTooEarly:
      return DdrStatus::kTooEarly;
    case CommandChannel::Result::kRowClosed:
      return DdrStatus::kRowClosed;
    case CommandChannel::Result::kRowOpen:
      break;
  }
  return DdrStatus::kRowOpen;
}

tvp::dram::Preset preset_of(const DdrChannel::Parameters& parameters) {
  const tvp::dram::Preset* const found = tvp::dram::find_preset(parameters.preset);
  std::string known;
  for (const auto& preset : tvp::dram::presets())
    known += (known.empty() ? "" : ", ") + std::string(preset.name);
  if (found == nullptr)
    throw std::runtime_error("preset " + parameters.preset + ": expected " + known);
  // Chip selects are the bits of a byte.
  if (parameters.ranks == 0 || parameters.ranks > 8)
    throw std::runtime_error("ranks " + std::to_string(parameters.ranks) + ": expected 1 to 8");
  tvp::dram::Preset preset = *found;
  preset.organization.ranks = parameters.ranks;
  return preset;
}

}  // namespace

class DdrChannel::Parts : public sc_core::sc_module,
                          public tlm::tlm_fw_transport_if<DdrProtocol>,
                          private tlm::tlm_bw_transport_if<DdrProtocol> {
 public:
  using Socket = tlm::tlm_initiator_socket<32, DdrProtocol>;

  Parts(const sc_core::sc_module_name& name, DdrChannel& owner, const Parameters& parameters)
      : sc_module(name),
        preset(preset_of(parameters)),
        model(preset, owner.name()),
        owner_(owner),
        strict_(parameters.strict) {
    const auto& o = preset.organization;
    for (unsigned rank = 0; rank < o.ranks; ++rank) {
      ranks_.emplace_back();
      if (std::ranges::count(parameters.foreign_ranks, rank) == 0) {
        ranks_.back().storage =
            std::make_unique<tvp::dram::Storage>(o.banks_per_rank() * o.rows * o.row_bytes());
        continue;
      }
      ranks_.back().socket = std::make_unique<Socket>(("rank" + std::to_string(rank)).c_str());
      ranks_.back().socket->bind(*this);
    }
    for (const unsigned rank : parameters.foreign_ranks) {
      if (rank >= o.ranks)
        throw std::runtime_error("foreign_ranks has " + std::to_string(rank) +
                                 ": expected a rank below " + std::to_string(o.ranks));
    }
    SC_HAS_PROCESS(Parts);
    SC_METHOD(step);
    sensitive << due_;
    dont_initialize();
  }

  Socket* rank(unsigned number) {
    return number < ranks_.size() ? ranks_[number].socket.get() : nullptr;
  }

  const tvp::dram::Preset preset;
  CommandChannel model;
  std::uint64_t refused = 0;

 private:
  struct Rank {
    std::unique_ptr<tvp::dram::Storage> storage;  ///< null if the chips are the user's
    std::unique_ptr<Socket> socket;               ///< null otherwise
  };
  /// A phase that the controller will get.
  struct Due {
    sc_time at;
    std::uint64_t number;
    DdrCommand* command;
    tlm::tlm_phase phase;
    bool operator>(const Due& other) const {
      return at != other.at ? at > other.at : number > other.number;
    }
  };

  sc_time time_of(tvp::dram::MemCycle cycle) const {
    return sc_time::from_value(preset.timing.tck.time_ps(cycle));
  }
  DdrStatus check(const DdrCommand& command) const;
  std::optional<sc_time> execute(DdrCommand& command, const sc_time& at);
  void pass_on(DdrCommand& command, std::uint64_t row);
  std::uint64_t address_of(const DdrCommand& command, std::uint64_t row) const;
  void post(DdrCommand& command, const sc_time& at, const tlm::tlm_phase& phase);
  void step();
  [[noreturn]] void refuse(const std::string& socket, const std::string& what) const;

  void b_transport(DdrCommand& command, sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_fw(DdrCommand& command, tlm::tlm_phase& phase,
                                     sc_time& delay) override;
  unsigned transport_dbg(DdrCommand& command) override;
  bool get_direct_mem_ptr(DdrCommand&, tlm::tlm_dmi&) override { return false; }
  tlm::tlm_sync_enum nb_transport_bw(DdrCommand&, tlm::tlm_phase&, sc_time&) override {
    refuse("rank", "the chips of a rank send a phase: expected an answer of nb_transport_fw");
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  DdrChannel& owner_;
  const bool strict_;
  std::vector<Rank> ranks_;
  sc_core::sc_event due_;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> queue_;
  std::uint64_t posted_ = 0;
  const DdrCommand* requesting_ = nullptr;  ///< between BEGIN_REQ and END_REQ
};

DdrStatus DdrChannel::Parts::check(const DdrCommand& command) const {
  const auto& o = preset.organization;
  const unsigned several = is_for_several_ranks(command) ? o.ranks : 1;
  const auto selected = static_cast<unsigned>(std::popcount(command.ranks));
  if (selected == 0 || selected > several || command.ranks >> o.ranks != 0 ||
      command.bank >= o.banks_per_rank())
    return DdrStatus::kNoSuchPlace;
  if (command.operation == DdrOperation::kActivate && command.row >= o.rows)
    return DdrStatus::kNoSuchPlace;
  if (command.operation == DdrOperation::kPim) {
    const bool fits = std::ranges::all_of(
        command.words, [](std::uint32_t word) { return word >> tvp::ddr::kPimBits == 0; });
    const bool good = !command.words.empty() && command.words.size() <= kMostWords && fits;
    return good ? DdrStatus::kOk : DdrStatus::kNoSuchPlace;
  }
  if (!moves_data(command.operation)) {
    return code_of(command.operation) == CaCommand::kNoOperation ? DdrStatus::kNoSuchPlace
                                                                 : DdrStatus::kOk;
  }
  if (command.column >= o.columns || command.column % o.burst_length != 0)
    return DdrStatus::kNoSuchPlace;
  if (command.data == nullptr || command.bytes != o.burst_bytes()) return DdrStatus::kWrongLength;
  return DdrStatus::kOk;
}

/// Sets times and status, and moves the data. Returns the end of the slot, or nothing if the
/// command is refused.
std::optional<sc_time> DdrChannel::Parts::execute(DdrCommand& command, const sc_time& at) {
  command.status = check(command);
  if (command.status == DdrStatus::kOk) {
    const auto rank = static_cast<unsigned>(std::countr_zero(command.ranks));
    const std::uint64_t row = model.open_row(rank, command.bank);  // the command may close it
    const auto answer = model.issue({.code = code_of(command.operation),
                                     .ranks = command.ranks,
                                     .bank = command.bank,
                                     .row = command.row,
                                     .words = static_cast<unsigned>(command.words.size())},
                                    preset.timing.tck.edge_at_or_after(at.value()), strict_);
    command.status = status_of(answer.result);
    command.slot = time_of(answer.slot);
    if (command.status == DdrStatus::kOk) {
      command.data_begin = time_of(answer.data.begin);
      command.data_end = time_of(answer.data.end);
      pass_on(command, row);
      return time_of(answer.end);
    }
  }
  ++refused;
  return std::nullopt;
}

std::uint64_t DdrChannel::Parts::address_of(const DdrCommand& command, std::uint64_t row) const {
  const auto& o = preset.organization;
  return (command.bank * o.rows + row) * o.row_bytes() + command.column * (o.bus_bits / 8);
}

/// Chips execute commands in the order of their slots, so the data can move at once.
void DdrChannel::Parts::pass_on(DdrCommand& command, std::uint64_t row) {
  for (std::size_t number = 0; number < ranks_.size(); ++number) {
    if ((command.ranks >> number & 1) == 0) continue;
    Rank& rank = ranks_[number];
    if (rank.socket) {
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      sc_time delay = command.slot - std::min(command.slot, sc_core::sc_time_stamp());
      if ((*rank.socket)->nb_transport_fw(command, phase, delay) == tlm::TLM_COMPLETED) continue;
      refuse("rank" + std::to_string(number), "the chips did not answer TLM_COMPLETED");
    }
    if (!moves_data(command.operation)) continue;
    const std::uint64_t address = address_of(command, row);
    if (is_read(command.operation)) {
      rank.storage->read(address, command.data, command.bytes);
    } else if (command.mask == nullptr) {
      rank.storage->write(address, command.data, command.bytes);
    } else {
      for (std::uint32_t i = 0; i < command.bytes; ++i)
        if (command.mask[i] != 0) rank.storage->write(address + i, command.data + i, 1);
    }
  }
}

void DdrChannel::Parts::refuse(const std::string& socket, const std::string& what) const {
  const std::string text = std::string(owner_.name()) + "." + socket + ": " + what + " at " +
                           sc_core::sc_time_stamp().to_string();
  SC_REPORT_ERROR("/tensix_vp/protocol", text.c_str());
  throw std::logic_error(text);
}

void DdrChannel::Parts::b_transport(DdrCommand& command, sc_time& delay) {
  const sc_time now = sc_core::sc_time_stamp();
  const auto end = execute(command, now + delay);
  if (end) delay = std::max(*end, command.data_end) - now;
}

tlm::tlm_sync_enum DdrChannel::Parts::nb_transport_fw(DdrCommand& command, tlm::tlm_phase& phase,
                                                      sc_time& delay) {
  if (phase != tlm::BEGIN_REQ)
    refuse("commands",
           std::string("the controller sends ") + phase.get_name() + ": expected BEGIN_REQ");
  if (requesting_ != nullptr)
    refuse("commands", "the controller sends BEGIN_REQ before the END_REQ of another command");
  const auto end = execute(command, sc_core::sc_time_stamp() + delay);
  if (!end) return tlm::TLM_COMPLETED;
  requesting_ = &command;
  post(command, *end, tlm::END_REQ);
  if (moves_data(command.operation)) {
    post(command, command.data_begin, BEGIN_DATA);
    post(command, command.data_end, END_DATA);
  }
  return tlm::TLM_ACCEPTED;
}

void DdrChannel::Parts::post(DdrCommand& command, const sc_time& at, const tlm::tlm_phase& phase) {
  queue_.push({at, posted_++, &command, phase});
  due_.notify(queue_.top().at - sc_core::sc_time_stamp());
}

void DdrChannel::Parts::step() {
  while (!queue_.empty() && queue_.top().at <= sc_core::sc_time_stamp()) {
    const Due due = queue_.top();
    queue_.pop();
    if (due.phase == tlm::END_REQ) requesting_ = nullptr;
    tlm::tlm_phase phase = due.phase;
    sc_time delay = sc_core::SC_ZERO_TIME;
    owner_.commands->nb_transport_bw(*due.command, phase, delay);
  }
  if (!queue_.empty()) due_.notify(queue_.top().at - sc_core::sc_time_stamp());
}

/// Bytes of a row of one rank, from a column on.
unsigned DdrChannel::Parts::transport_dbg(DdrCommand& command) {
  const auto& o = preset.organization;
  if (std::popcount(command.ranks) != 1 || command.ranks >> o.ranks != 0 ||
      command.bank >= o.banks_per_rank() || command.row >= o.rows || command.column >= o.columns ||
      command.data == nullptr || !moves_data(command.operation))
    return 0;
  Rank& rank = ranks_[static_cast<unsigned>(std::countr_zero(command.ranks))];
  if (rank.socket) return (*rank.socket)->transport_dbg(command);
  const std::uint64_t left = o.row_bytes() - command.column * std::uint64_t{o.bus_bits / 8};
  const auto bytes = static_cast<unsigned>(std::min<std::uint64_t>(command.bytes, left));
  const std::uint64_t address = address_of(command, command.row);
  if (is_read(command.operation)) {
    rank.storage->read(address, command.data, bytes);
  } else {
    rank.storage->write(address, command.data, bytes);
  }
  return bytes;
}

DdrChannel::DdrChannel(const sc_core::sc_module_name& name, const Parameters& parameters)
    : sc_module(name), commands("commands") {
  try {
    parts_ = std::make_unique<Parts>("parts", *this, parameters);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(std::string(this->name()) + ": " + error.what());
  }
  commands.bind(*parts_);
}

DdrChannel::~DdrChannel() = default;

tlm::tlm_initiator_socket<32, DdrProtocol>& DdrChannel::rank(unsigned number) {
  if (auto* const socket = parts_->rank(number)) return *socket;
  throw std::runtime_error(std::string(name()) + ": rank(" + std::to_string(number) +
                           ") expects a rank of foreign_ranks");
}

unsigned DdrChannel::banks() const { return parts_->preset.organization.banks_per_rank(); }

std::uint64_t DdrChannel::rows() const { return parts_->preset.organization.rows; }

unsigned DdrChannel::columns() const { return parts_->preset.organization.columns; }

unsigned DdrChannel::burst_columns() const { return parts_->preset.organization.burst_length; }

unsigned DdrChannel::burst_bytes() const { return parts_->preset.organization.burst_bytes(); }

sc_time DdrChannel::edge_at_or_after(const sc_time& time) const {
  const tvp::dram::Period& tck = parts_->preset.timing.tck;
  return sc_time::from_value(tck.time_ps(tck.edge_at_or_after(time.value())));
}

DdrChannel::Statistics DdrChannel::statistics() const {
  const auto& commands_of = parts_->model.command_stats();
  const auto& data = parts_->model.data_stats();
  return {.normal_slots = commands_of.normal_slots,
          .pim_slots = commands_of.pim_slots,
          .refused = parts_->refused,
          .bursts = data.busy / parts_->preset.timing.bl,
          .turnarounds = data.turnarounds};
}

}  // namespace tensix_vp
