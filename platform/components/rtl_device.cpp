#include "tensix_vp/systemc/rtl_device.h"

#include <utility>

#include "models/support/blocking_target.h"
#include "platform/components/rtl_block.h"
#include "platform/components/rtl_words.h"

namespace tensix_vp {

using sc_core::sc_time;

struct RtlDevice::Parts : private tvp::support::BlockingTarget::Server {
  static constexpr unsigned kWordBytes = 4;

  tvp::support::BlockingTarget target;
  RtlBlock<rtl::BusDevice, rtl::BusDevicePins> block;
  std::uint64_t edge = 0;  ///< number of the next one
  std::uint32_t rdata = 0;

  Parts(RtlDevice& module, std::unique_ptr<rtl::BusDevice> rtl, const Parameters& parameters)
      : target(module.socket, *this),
        block(module.socket.get_base_export().name(), std::move(rtl), parameters) {}

  /// True if the device was ready at this edge.
  bool clock() {
    const rtl::BusDevicePins& before = block.tick();
    rdata = before.rdata;
    ++edge;
    return before.ready != 0;
  }

  /// Runs the edges up to `now`. A request at the time of an edge is seen by the next one.
  void catch_up(const sc_time& now) {
    block.pins.valid = 0;
    const std::uint64_t next = block.edge_after(now);
    while (edge < next) clock();
  }

  /// Moves a word; false if the device is never ready.
  bool move(std::uint32_t address, std::uint32_t strobes) {
    block.pins.valid = 1;
    block.pins.addr = address;
    block.pins.wstrb = static_cast<std::uint8_t>(strobes);
    bool moved = false;
    for (unsigned i = 0; i < block.patience_cycles() && !moved; ++i) moved = clock();
    block.pins.valid = 0;
    return moved;
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
      if (!serve_word(payload, static_cast<std::uint32_t>(word)))
        return block.report_stuck(payload, "is never ready for", block.time_of(edge - 1));
    }
    // The last word moved at the edge before the next one.
    if (const sc_time done = block.time_of(edge - 1); done > now + delay) delay = done - now;
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  /// A word without enabled bytes is skipped.
  bool serve_word(tlm::tlm_generic_payload& payload, std::uint32_t address) {
    const WordOfPayload<std::uint32_t> part(payload, address);
    if (part.strobes() == 0) return true;
    if (payload.is_write()) block.pins.wdata = part.data();
    if (!move(address, payload.is_write() ? part.strobes() : 0)) return false;
    if (payload.is_read()) part.store(rdata);
    return true;
  }
};

RtlDevice::RtlDevice(const sc_core::sc_module_name& name, std::unique_ptr<rtl::BusDevice> device,
                     const Parameters& parameters)
    : sc_module(name),
      socket("socket"),
      parts_(std::make_unique<Parts>(*this, std::move(device), parameters)) {}

RtlDevice::~RtlDevice() = default;

}  // namespace tensix_vp
