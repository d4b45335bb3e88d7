#include "tensix_vp/systemc/tensix_tile.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "foundation/chip/chip_spec.h"
#include "foundation/fault.h"
#include "models/noc/boot.h"
#include "models/noc/gateway_node.h"
#include "models/noc/torus/gateway_torus.h"
#include "models/support/blocking_target.h"
#include "models/support/calendar_block.h"
#include "models/support/probe.h"
#include "models/tensix/tile/tensix_tile.h"
#include "platform/components/foreign_timing.h"
#include "platform/library/configuration.h"
#include "platform/machine/recording_fault_policy.h"

namespace tensix_vp {

using tvp::foundation::Fault;
using tvp::foundation::FaultKind;
using tvp::support::ForeignMemory;

namespace {

[[noreturn]] void refuse_tile(const std::string& key, const std::string& expected) {
  throw Fault(FaultKind::kDescription, key, "a TensixTile expects " + expected);
}

}  // namespace

/// The tile, and a gateway that stands for all other nodes of its NoCs.
class TensixTile::Parts : private tvp::support::BlockingTarget::Server {
 public:
  Parts(TensixTile& owner, const Parameters& parameters)
      : config_(configured(parameters)),
        chip_(configuration_.system().chips.at(0)),
        at_(place_of(parameters)),
        grid_(*chip_.spec, chip_.spec->harvested(chip_.harvest_mask)),
        calendar_(tvp::noc::GatewayTorus::lookahead(config_.noc)),
        block_(calendar_, tvp::foundation::Period::of_mhz(config_.chip.aiclk_mhz)),
        local_(owner.local, *this),
        tile_("tile", owner.name(), at_.x, at_.y, 0,
              {.grid = grid_,
               .noc = config_.noc,
               .riscv = config_.riscv,
               .coprocessor = config_.coprocessor,
               .movement = config_.movement,
               .cycle = sc_core::sc_time::from_value(1'000'000 / config_.chip.aiclk_mhz),
               .calendar = calendar_,
               .faults = faults_}),
        gateway_("noc", config_.noc, grid_, at_, gateway_place(), block_, faults_,
                 std::string(owner.name()) + ".noc", foreign_timing(parameters.noc_timing)) {
    faults_.set_warn(config_.run.faults == "warn");
    faults_.set_listener(
        [](const std::string& text) { SC_REPORT_WARNING("/tensix_vp", text.c_str()); });
    for (unsigned noc = 0; noc < 2; ++noc) {
      torus_[noc] = std::make_unique<tvp::noc::GatewayTorus>(("noc" + std::to_string(noc)).c_str(),
                                                             config_.noc, grid_, noc, calendar_,
                                                             at_, gateway_place());
      torus_[noc]->attach(tile_.niu(noc));
      gateway_.attach(*torus_[noc]);
      const tvp::noc::NiuBoot boot(grid_, noc, true);
      boot.start(tile_.niu(noc));
      boot.start(gateway_.niu(noc));
    }
    if (parameters.device_bytes != 0) {
      tvp::tensix::DeviceWindow::check("device_base, device_bytes", parameters.device_base,
                                       parameters.device_bytes);
      tile_.add_devices(parameters.device_base, parameters.device_bytes, block_);
    }
    tile_.set_counting_sleep(true);
    tile_.set_probe(&probe_);
  }

  tvp::noc::GatewayNode& gateway() { return gateway_; }
  tvp::tensix::TensixTile& tile() { return tile_; }
  bool idle() const { return calendar_.next() == tvp::support::kNever; }

  void start() {
    calendar_.set_lockstep(config_.run.lockstep);
    if (config_.run.lockstep) tile_.set_poll_sleep(false);
    block_.base().woken();
  }
  std::vector<std::string> waiting() {
    std::vector<std::string> lines;
    gateway_.memory.describe_open(lines);
    if (const ForeignMemory* devices = tile_.devices()) devices->describe_open(lines);
    for (const auto& torus : torus_) torus->describe_in_flight(lines);
    tile_.describe_waiting(lines);
    return lines;
  }
  std::vector<std::string> repetitions() const { return faults_.repetitions(); }

 private:
  /// The keys of blocks that a tile does not have stay without effect.
  tvp::platform::PlatformConfig& configured(const Parameters& parameters) {
    std::string text = "system=" + parameters.system + "\n";
    for (const auto& [key, value] : parameters.settings) text += key + "=" + value + "\n";
    configuration_.apply(text);
    const tvp::platform::SystemDescription& system = configuration_.load_system();
    if (system.kind != "wormhole") refuse_tile(system.kind_where, "a system of Tensix chips");
    tvp::platform::PlatformConfig& config = configuration_.platform();
    if (config.wave.wanted() || config.gdb.port != 0 || !config.record.file.value().empty() ||
        !config.record.events.value().empty()) {
      refuse_tile("settings", "no waves, no gdb and no recording, which a Board has");
    }
    return config;
  }
  tvp::noc::Node place_of(const Parameters& parameters) const {
    if (!chip_.has_tensix(parameters.x, parameters.y)) {
      refuse_tile("x, y", "a Tensix tile of " + configuration_.system().name +
                              " that is not harvested, not (" + std::to_string(parameters.x) + "," +
                              std::to_string(parameters.y) + ")");
    }
    return {static_cast<std::uint8_t>(parameters.x), static_cast<std::uint8_t>(parameters.y)};
  }
  /// A node without L1.
  tvp::noc::Node gateway_place() const {
    return {static_cast<std::uint8_t>(chip_.spec->pcie.x),
            static_cast<std::uint8_t>(chip_.spec->pcie.y)};
  }

  void serve(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    // The cores stand at sc_time_stamp(), so the caller catches up with its annotated delay.
    if (delay != sc_core::SC_ZERO_TIME && sc_core::sc_get_current_process_handle().valid()) {
      sc_core::wait(delay);
      delay = sc_core::SC_ZERO_TIME;
    }
    payload.set_response_status(access(payload) ? tlm::TLM_OK_RESPONSE
                                                : tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
  unsigned serve_debug(tlm::tlm_generic_payload& payload) override {
    tlm::tlm_generic_payload plain;
    plain.set_command(payload.get_command());
    plain.set_address(payload.get_address());
    plain.set_data_ptr(payload.get_data_ptr());
    plain.set_data_length(payload.get_data_length());
    return access(plain) ? payload.get_data_length() : 0;
  }
  /// False at an address where nothing is. A fault of the access itself, for example at a register
  /// that is not modelled, is a warning.
  bool access(tlm::tlm_generic_payload& payload) {
    const std::uint64_t address = payload.get_address();
    const bool in_l1 = tile_.l1().contains(address, payload.get_data_length());
    // Runs of enabled bytes must not come back to L1 behind the end of the addresses.
    const bool wraps = address > ~std::uint64_t{0} - payload.get_data_length();
    if (!in_l1 && (address < tile_.l1().size_bytes() || wraps)) return false;
    block_.follow_kernel();
    calendar_.settle(tile_.calendar_index());
    bool served = false;
    try {
      served = tvp::support::for_enabled_runs(payload, [&](std::uint32_t first, std::uint32_t n) {
        return tile_.debug_access(address + first, payload.get_data_ptr() + first, n,
                                  payload.is_write());
      });
    } catch (const Fault& fault) {
      SC_REPORT_WARNING("/tensix_vp", fault.what());
    }
    if (payload.is_write()) calendar_.tile_woken(tile_.calendar_index());
    block_.base().woken();
    return served || in_l1;
  }

  tvp::platform::Configuration configuration_;
  tvp::platform::PlatformConfig& config_;
  const tvp::platform::ChipDescription& chip_;
  const tvp::noc::Node at_;
  const tvp::noc::Grid grid_;
  tvp::platform::RecordingFaultPolicy faults_;
  tvp::support::Calendar calendar_;
  tvp::support::CalendarBlock block_;
  tvp::support::BlockingTarget local_;
  std::array<std::unique_ptr<tvp::noc::GatewayTorus>, 2> torus_;
  tvp::support::Probe probe_;  ///< without a listener; faults name the core by it
  tvp::tensix::TensixTile tile_;
  tvp::noc::GatewayNode gateway_;
};

TensixTile::TensixTile(const sc_core::sc_module_name& name, const Parameters& parameters)
    : sc_module(name), local("local") {
  try {
    parts_ = std::make_unique<Parts>(*this, parameters);
  } catch (const Fault& fault) {
    throw std::runtime_error(std::string(this->name()) + ": " + fault.what());
  }
}

TensixTile::~TensixTile() = default;

tlm::tlm_initiator_socket<>& TensixTile::noc_memory() { return parts_->gateway().memory.socket; }

tlm::tlm_base_target_socket_b<>& TensixTile::noc_requests() { return parts_->gateway().requests; }

tlm::tlm_initiator_socket<>& TensixTile::device() {
  if (ForeignMemory* devices = parts_->tile().devices()) return devices->socket;
  throw std::runtime_error(std::string(name()) + ": device() expects device_bytes > 0");
}

bool TensixTile::idle() const { return parts_->idle(); }

std::vector<std::string> TensixTile::waiting() const { return parts_->waiting(); }

void TensixTile::start_of_simulation() { parts_->start(); }

void TensixTile::end_of_simulation() {
  for (const std::string& warning : parts_->repetitions()) {
    SC_REPORT_WARNING("/tensix_vp", warning.c_str());
  }
}

}  // namespace tensix_vp
