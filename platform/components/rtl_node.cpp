#include "tensix_vp/systemc/rtl_node.h"

#include <bit>
#include <utility>

#include "models/support/blocking_target.h"
#include "platform/components/rtl_block.h"
#include "platform/components/rtl_words.h"

namespace tensix_vp {

using sc_core::sc_time;

struct RtlNode::Parts : private tvp::support::BlockingTarget::Server {
  static constexpr unsigned kWordBytes = 8;

  RtlNode& module;
  tvp::support::BlockingTarget target;
  RtlBlock<rtl::NocNode, rtl::NocNodePins> block;
  rtl::NocNodePins& pins;

  // A word of a request that arrives.
  enum class Word { kNone, kWaits, kTaken, kAnswered, kStuck };
  Word word = Word::kNone;
  unsigned waited = 0;      ///< edges
  std::uint64_t rdata = 0;  ///< data of the last response
  bool serves = false;
  sc_core::sc_event answered;
  sc_core::sc_event free;
  // The request of the RTL.
  enum class Own { kNone, kOpen, kAnswered };
  Own own = Own::kNone;
  sc_core::sc_event issue;
  sc_core::sc_event wake;

  Parts(RtlNode& its_module, std::unique_ptr<rtl::NocNode> rtl, const Parameters& parameters)
      : module(its_module),
        target(its_module.memory, *this),
        block(its_module.memory.get_base_export().name(), std::move(rtl), parameters),
        pins(block.pins) {
    sc_core::sc_spawn([this] { run(); }, sc_core::sc_gen_unique_name("clock"));
    sc_core::sc_spawn([this] { send(); }, sc_core::sc_gen_unique_name("requests"));
  }

  bool is_active() const {
    return pins.busy != 0 || pins.out_valid != 0 || word == Word::kWaits || word == Word::kTaken ||
           own != Own::kNone;
  }

  /// The clock.
  void run() {
    while (true) {
      if (!is_active()) sc_core::wait(wake);
      const sc_time now = sc_core::sc_time_stamp();
      sc_core::wait(block.time_of(block.edge_after(now)) - now);
      edge();
    }
  }

  void edge() {
    pins.in_valid = word == Word::kWaits ? 1 : 0;
    pins.out_ready = own == Own::kNone ? 1 : 0;
    pins.out_rsp_valid = own == Own::kAnswered ? 1 : 0;
    if (own == Own::kAnswered) own = Own::kNone;
    const rtl::NocNodePins& before = block.tick();
    if (word == Word::kWaits && before.in_ready != 0) word = Word::kTaken;
    if (word == Word::kTaken && before.in_rsp_valid != 0) {
      word = Word::kAnswered;
      rdata = before.in_rsp_rdata;
      answered.notify();
    }
    if ((word == Word::kWaits || word == Word::kTaken) && ++waited >= block.patience_cycles()) {
      word = Word::kStuck;
      answered.notify();
    }
    if (before.out_valid != 0 && before.out_ready != 0) {
      request = before;
      own = Own::kOpen;
      issue.notify();
    }
  }

  void serve(tlm::tlm_generic_payload& payload, sc_time& delay) override {
    if (delay != sc_core::SC_ZERO_TIME) sc_core::wait(delay);
    delay = sc_core::SC_ZERO_TIME;
    const std::uint64_t end = payload.get_address() + payload.get_data_length();
    if (end < payload.get_address())
      return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    while (serves) sc_core::wait(free);
    serves = true;
    bool stuck = false;
    for (std::uint64_t at = payload.get_address() & ~std::uint64_t{kWordBytes - 1};
         at < end && !stuck; at += kWordBytes) {
      stuck = !serve_word(payload, at);
    }
    serves = false;
    free.notify();
    if (stuck) return block.report_stuck(payload, "does not answer", sc_core::sc_time_stamp());
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  bool serve_word(tlm::tlm_generic_payload& payload, std::uint64_t address) {
    const WordOfPayload<std::uint64_t> part(payload, address);
    if (part.strobes() == 0) return true;
    pins.in_addr = address;
    pins.in_wdata = payload.is_write() ? part.data() : 0;
    pins.in_wstrb = static_cast<std::uint8_t>(payload.is_write() ? part.strobes() : 0);
    word = Word::kWaits;
    waited = 0;
    wake.notify();
    sc_core::wait(answered);
    const bool stuck = std::exchange(word, Word::kNone) == Word::kStuck;
    if (!stuck && payload.is_read()) part.store(rdata);
    return !stuck;
  }

  rtl::NocNodePins request;  ///< pins at the edge that took it

  /// Sends the requests of the RTL, one after the other.
  void send() {
    while (true) {
      sc_core::wait(issue);
      std::uint64_t data = request.out_wdata;
      const bool writes = request.out_wstrb != 0;
      pins.out_rsp_error = transport(data, writes) ? 0 : 1;
      pins.out_rsp_rdata = writes ? 0 : data;
      own = Own::kAnswered;
      wake.notify();
    }
  }

  /// A read of a word, or a write of its adjacent bytes with a strobe.
  bool transport(std::uint64_t& data, bool writes) {
    const unsigned strobes = writes ? request.out_wstrb : 0xFF;
    const auto first = static_cast<unsigned>(std::countr_zero(strobes));
    const auto bytes = static_cast<unsigned>(std::bit_width(strobes)) - first;
    if (static_cast<unsigned>(std::popcount(strobes)) != bytes) return false;
    tlm::tlm_generic_payload payload;
    payload.set_command(writes ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    payload.set_address(request.out_addr + first);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&data) + first);
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
    if (module.requests.size() == 0) return false;  // unbound
    sc_time delay;
    module.requests->b_transport(payload, delay);
    if (delay != sc_core::SC_ZERO_TIME) sc_core::wait(delay);
    return payload.is_response_ok();
  }
};

RtlNode::RtlNode(const sc_core::sc_module_name& name, std::unique_ptr<rtl::NocNode> node,
                 const Parameters& parameters)
    : sc_module(name),
      memory("memory"),
      requests("requests"),
      parts_(std::make_unique<Parts>(*this, std::move(node), parameters)) {}

RtlNode::~RtlNode() = default;

}  // namespace tensix_vp
