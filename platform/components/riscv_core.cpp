#include "tensix_vp/systemc/riscv_core.h"

#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <stdexcept>

#include "foundation/clock_ratio.h"
#include "foundation/fault.h"
#include "foundation/hex.h"
#include "foundation/settings_registry.h"
#include "models/riscv/core.h"
#include "models/support/sent_attributes.h"
#include "models/support/tile_scheduler.h"

namespace tensix_vp {

using sc_core::sc_time;
using tvp::foundation::Fault;
using tvp::riscv::CoreState;
using tvp::support::Cycle;
using tvp::support::kNever;

namespace {

tvp::riscv::CoreConfig& configured(tvp::riscv::CoreConfig& config, const std::string& name,
                                   const RiscvCore::Parameters& parameters) {
  tvp::foundation::SettingsRegistry registry;
  registry.add(config);
  for (const auto& [key, value] : parameters.settings) registry.set("riscv." + key, value, name);
  return config;
}

}  // namespace

/// The core with the thread that runs it. The core's bus ends in a target socket here, which hands
/// accesses on to the sockets of the user.
class RiscvCore::Parts : public sc_core::sc_module, private tvp::foundation::FaultPolicy {
 public:
  Parts(RiscvCore& owner, const Parameters& parameters)
      : sc_module(sc_core::sc_module_name("core")),
        owner_(owner),
        parameters_(parameters),
        period_(tvp::foundation::Period::of_mhz(parameters.clock_mhz)),
        quantum_(std::max<Cycle>(1, period_.edge_at_or_after(parameters.quantum.value()))),
        bus_("bus"),
        core_("pipeline",
              {.where = owner.name(), .local_bytes = parameters.local_ram_bytes, .bus_timed = true},
              configured(config_, owner.name(), parameters), watches_, *this) {
    SC_HAS_PROCESS(Parts);
    scheduler_.add(core_);
    // Memory of the user changes without notice: every poll is executed.
    core_.set_poll_sleep(false);
    core_.bus.bind(bus_);
    bus_.register_b_transport(this, &Parts::b_transport);
    bus_.register_get_direct_mem_ptr(this, &Parts::get_direct_mem_ptr);
    bus_.register_transport_dbg(this, &Parts::transport_dbg);
    SC_THREAD(run);
  }

  tvp::riscv::Core& core() { return core_; }
  const sc_core::sc_event& halted_event() const { return halted_; }
  bool halted() const {
    return core_.state() == CoreState::kPaused || core_.state() == CoreState::kHung;
  }
  void request(bool reset) {
    wanted_reset_ = reset;
    has_request_ = true;
    scheduler_.lower_horizon(0);
    go_.notify(sc_core::SC_ZERO_TIME);
  }

 private:
  void run() {
    while (true) {
      serve_request();
      if (scheduler_.next() == kNever) {
        wait(go_);
        continue;
      }
      const Cycle start = std::max(scheduler_.next(), cycle_now());
      if (time_of(start) > sc_core::sc_time_stamp() + parameters_.quantum) {
        // The core has used its quantum.
        wait(time_of(start) - sc_core::sc_time_stamp(), go_);
        continue;
      }
      run_core(start + quantum_);
      if (halted()) halted_.notify(sc_core::SC_ZERO_TIME);
    }
  }
  void run_core(Cycle horizon) {
    try {
      scheduler_.run(horizon);
    } catch (const Fault& fault) {
      SC_REPORT_ERROR("/tensix_vp", fault.what());
    }
  }
  void serve_request() {
    if (!has_request_) return;
    has_request_ = false;
    const Cycle now = std::max(cycle_now(), core_.time());
    if (wanted_reset_) {
      core_.assert_reset(now);
    } else {
      core_.release_reset(now, parameters_.reset_pc);
    }
  }
  Cycle cycle_now() const { return period_.edge_at_or_after(sc_core::sc_time_stamp().value()); }
  sc_time time_of(Cycle cycle) const { return sc_time::from_value(period_.time_ps(cycle)); }

  void b_transport(tlm::tlm_generic_payload& payload, sc_time&) {
    auto& access = *payload.get_extension<tvp::support::BusAccess>();
    const sc_time now = sc_core::sc_time_stamp();
    const sc_time at = std::max(now, time_of(access.now));
    sc_time delay = at - now;
    const tvp::support::SentAttributes sent(payload);
    payload.clear_extension(&access);
    owner_.data->b_transport(payload, delay);
    payload.set_extension(&access);
    if (const char* const what = sent.difference(payload)) {
      refuse(payload, std::string("changes the ") + what);
    }
    if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) {
      refuse(payload, "sets no response status");
      payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    }
    const sc_time end = sc_core::sc_time_stamp() + delay;
    if (end < at) refuse(payload, "returns before the call");
    const Cycle done = period_.edge_at_or_after(std::max(at, end).value());
    access.latency = static_cast<std::uint32_t>(done - std::min(done, access.now));
    payload.set_dmi_allowed(false);
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
    dmi.init();
    dmi.set_start_address(0);
    dmi.set_end_address(parameters_.code_bytes - 1);
    return false;
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) {
    return owner_.instruction->transport_dbg(payload);
  }
  /// Reports a violation of the protocol by the bound module.
  void refuse(const tlm::tlm_generic_payload& payload, const std::string& what) const {
    const std::string text = std::string(owner_.data.name()) + ": the bound module " + what +
                             " (address " + tvp::foundation::hex(payload.get_address()) + ", now " +
                             sc_core::sc_time_stamp().to_string() + ")";
    SC_REPORT_ERROR("/tensix_vp/protocol", text.c_str());
  }
  void raise(const Fault& fault) override {
    const std::string& text = fault.message();
    if (text.find("pauses the core") != std::string::npos) return;
    SC_REPORT_WARNING("/tensix_vp", fault.what());
  }

  RiscvCore& owner_;
  const Parameters parameters_;
  const tvp::foundation::Period period_;
  const Cycle quantum_;
  tvp::riscv::CoreConfig config_;
  tvp::support::WatchHub watches_;
  tvp::support::TileScheduler scheduler_;
  tlm_utils::simple_target_socket<Parts> bus_;
  tvp::riscv::Core core_;
  sc_core::sc_event go_;
  sc_core::sc_event halted_;
  bool has_request_ = false;
  bool wanted_reset_ = false;
};

RiscvCore::RiscvCore(const sc_core::sc_module_name& name, const Parameters& parameters)
    : sc_module(name), instruction("instruction"), data("data") {
  try {
    parts_ = std::make_unique<Parts>(*this, parameters);
  } catch (const Fault& fault) {
    throw std::runtime_error(fault.what());
  }
}

RiscvCore::~RiscvCore() = default;

void RiscvCore::release_reset() { parts_->request(false); }

void RiscvCore::assert_reset() { parts_->request(true); }

void RiscvCore::invalidate_code() {
  parts_->core().invalidate_instruction_cache(parts_->core().time());
}

bool RiscvCore::halted() const { return parts_->halted(); }

const sc_core::sc_event& RiscvCore::halted_event() const { return parts_->halted_event(); }

std::uint32_t RiscvCore::pc() const { return parts_->core().pc(); }

std::uint32_t RiscvCore::reg(unsigned index) const { return parts_->core().reg(index); }

std::uint64_t RiscvCore::instructions() const { return parts_->core().executed_instructions(); }

}  // namespace tensix_vp
