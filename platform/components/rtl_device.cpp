#include "tensix_vp/systemc/rtl_device.h"

#include <stdexcept>
#include <string>
#include <utility>

#include "foundation/hex.h"
#include "models/support/blocking_target.h"
#include "platform/components/rtl_words.h"

namespace tensix_vp {

using sc_core::sc_time;

struct RtlDevice::Parts : private tvp::support::BlockingTarget::Server {
  static constexpr unsigned kResetEdges = 4;
  static constexpr unsigned kWordBytes = 4;

  tvp::support::BlockingTarget target;
  std::unique_ptr<rtl::BusDevice> device;
  const Parameters parameters;
  const std::string name;
  rtl::BusDevicePins pins;
  std::uint64_t edge = 0;  ///< number of the next one, at edge * period

  Parts(RtlDevice& module, std::unique_ptr<rtl::BusDevice> rtl, const Parameters& its)
      : target(module.socket, *this),
        device(std::move(rtl)),
        parameters(its),
        name(module.socket.get_base_export().name()) {
    if (parameters.period == sc_core::SC_ZERO_TIME)
      throw std::runtime_error(name + ": expected a period above 0");
    pins.rst = 1;
    for (unsigned i = 0; i < kResetEdges; ++i) clock();
    pins.rst = 0;
    edge = 0;
  }

  sc_time time_of(std::uint64_t number) const {
    return sc_time::from_value(parameters.period.value() * number);
  }

  /// True if the device was ready at this edge.
  bool clock() {
    pins.clk = 0;
    device->eval(pins);
    const bool ready = pins.ready != 0;
    rdata = pins.rdata;
    pins.clk = 1;
    device->eval(pins);
    ++edge;
    return ready;
  }
  std::uint32_t rdata = 0;  ///< at the last edge

  /// Runs the edges up to `now`. A request at the time of an edge is seen by the next one.
  void catch_up(const sc_time& now) {
    pins.valid = 0;
    const std::uint64_t next = now.value() / parameters.period.value() + 1;
    while (edge < next) clock();
  }

  /// Moves a word; false if the device is never ready.
  bool move(std::uint32_t address, std::uint32_t strobes) {
    pins.valid = 1;
    pins.addr = address;
    pins.wstrb = static_cast<std::uint8_t>(strobes);
    for (unsigned i = 0; i < parameters.patience_cycles; ++i) {
      if (!clock()) continue;
      pins.valid = 0;
      return true;
    }
    pins.valid = 0;
    return false;
  }

  void serve(tlm::tlm_generic_payload& payload, sc_time& delay) override {
    const std::uint64_t end = payload.get_address() + payload.get_data_length();
    if (end > std::uint64_t{1} << 32 || end < payload.get_address()) {
      return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
    const sc_time now = sc_core::sc_time_stamp();
    catch_up(now + delay);
    const auto address = static_cast<std::uint32_t>(payload.get_address());
    for (std::uint64_t word = address & ~(kWordBytes - 1); word < end; word += kWordBytes) {
      if (!serve_word(payload, static_cast<std::uint32_t>(word))) return report_stuck(payload);
    }
    // The last word moved at the edge before the next one.
    if (const sc_time done = time_of(edge - 1); done > now + delay) delay = done - now;
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  /// A word without enabled bytes is skipped.
  bool serve_word(tlm::tlm_generic_payload& payload, std::uint32_t address) {
    const WordOfPayload<std::uint32_t> part(payload, address);
    if (part.strobes() == 0) return true;
    if (payload.is_write()) pins.wdata = part.data();
    if (!move(address, payload.is_write() ? part.strobes() : 0)) return false;
    if (payload.is_read()) part.store(rdata);
    return true;
  }

  void report_stuck(tlm::tlm_generic_payload& payload) {
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    const std::string text = name + ": the RTL is never ready for the " +
                             (payload.is_write() ? "write" : "read") + " at address " +
                             tvp::foundation::hex(payload.get_address()) + ", " +
                             std::to_string(parameters.patience_cycles) + " edges until " +
                             time_of(edge - 1).to_string();
    SC_REPORT_WARNING("/tensix_vp", text.c_str());
  }
};

RtlDevice::RtlDevice(const sc_core::sc_module_name& name, std::unique_ptr<rtl::BusDevice> device,
                     const Parameters& parameters)
    : sc_module(name),
      socket("socket"),
      parts_(std::make_unique<Parts>(*this, std::move(device), parameters)) {}

RtlDevice::~RtlDevice() = default;

}  // namespace tensix_vp
