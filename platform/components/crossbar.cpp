#include "tensix_vp/systemc/crossbar.h"

#include <tlm_utils/simple_initiator_socket.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "foundation/clock_ratio.h"
#include "foundation/fault.h"
#include "models/support/blocking_target.h"
#include "models/switch/crossbar.h"

namespace tensix_vp {

using sc_core::sc_time;
using Matrix = tvp::switching::Crossbar;
using Payload = tlm::tlm_generic_payload;

namespace {

void expect(bool good, const char* parameter, std::uint64_t value, const char* expected) {
  if (good) return;
  throw std::runtime_error(std::string(parameter) + " " + std::to_string(value) + ": expected " +
                           expected);
}

const Crossbar::Parameters& checked(const Crossbar::Parameters& p) {
  expect(p.ports >= 1 && p.ports <= 64, "ports", p.ports, "1 to 64");
  const std::uint64_t most = ~std::uint64_t{0} / p.ports;
  expect(p.window_bytes >= 1 && p.window_bytes <= most, "window_bytes", p.window_bytes,
         "at least 1, and windows within 64 bits");
  expect(p.link_bits >= 1, "link_bits", p.link_bits, "at least 1");
  expect(p.clock_mhz >= 1, "clock_mhz", p.clock_mhz, "at least 1");
  return p;
}

}  // namespace

class Crossbar::Parts : public sc_core::sc_module {
 public:
  using OutSocket = tlm_utils::simple_initiator_socket_tagged_optional<Parts>;

  Parts(const sc_core::sc_module_name& name, const std::string& where,
        const Parameters& parameters);

  tvp::support::OptionalTargetSocket& in(unsigned port) { return ins_.at(port)->socket; }
  OutSocket& out(unsigned port) { return *outs_.at(port); }
  unsigned ports() const { return static_cast<unsigned>(ins_.size()); }
  const Parameters& parameters() const { return p_; }
  Statistics statistics() const;

 private:
  using Target = tvp::support::BlockingTarget;

  struct Input : Target::Server {
    Input(const std::string& name, Parts& its_parts, unsigned its_port)
        : socket(name.c_str()), parts(its_parts), port(its_port), target(socket, *this) {}
    void serve(Payload& payload, sc_time& delay) override { parts.transport(port, payload, delay); }
    unsigned serve_debug(Payload& payload) override { return parts.transport_debug(payload); }
    bool serve_direct(Payload& payload, tlm::tlm_dmi& dmi) override {
      return parts.get_direct(payload, dmi);
    }

    tvp::support::OptionalTargetSocket socket;
    Parts& parts;
    const unsigned port;
    Target target;
  };

  /// The output of an access, and its offset there.
  struct Place {
    unsigned port = 0;
    std::uint64_t offset = 0;
  };

  std::optional<Place> place_of(const Payload& payload, std::uint64_t bytes) const;
  bool is_bound(unsigned port) const { return outs_[port]->get_base_port().size() != 0; }
  std::vector<unsigned> outputs_of(const Payload& payload, const Place& place) const;
  void cross(Matrix& matrix, const std::vector<unsigned>& from, const std::vector<unsigned>& to,
             std::uint64_t bytes);
  void pass_latency();
  void wait_until(tvp::dram::MemCycle cycle);
  void send(Payload& payload, const Place& place);
  void multicast(Payload& payload, const Place& place, const std::vector<unsigned>& outputs);

  void transport(unsigned input, Payload& payload, sc_time& delay);
  unsigned transport_debug(Payload& payload);
  bool get_direct(Payload& payload, tlm::tlm_dmi& dmi);
  void invalidate(int port, sc_dt::uint64 start, sc_dt::uint64 end);

  const Parameters p_;
  const tvp::foundation::Period period_;
  tvp::foundation::StopOnFault faults_;
  Matrix requests_;
  Matrix responses_;
  std::vector<std::unique_ptr<Input>> ins_;
  std::vector<std::unique_ptr<OutSocket>> outs_;
};

Crossbar::Parts::Parts(const sc_core::sc_module_name& name, const std::string& where,
                       const Parameters& parameters)
    : sc_module(name),
      p_(checked(parameters)),
      period_(tvp::foundation::Period::of_mhz(p_.clock_mhz)),
      requests_(p_.ports, where, faults_),
      responses_(p_.ports, where, faults_) {
  for (unsigned port = 0; port < p_.ports; ++port) {
    const int tag = static_cast<int>(port);
    ins_.push_back(std::make_unique<Input>("in" + std::to_string(port), *this, port));
    outs_.push_back(std::make_unique<OutSocket>(("out" + std::to_string(port)).c_str()));
    outs_.back()->register_invalidate_direct_mem_ptr(this, &Parts::invalidate, tag);
  }
}

Crossbar::Statistics Crossbar::Parts::statistics() const {
  Statistics sum;
  for (const Matrix* matrix : {&requests_, &responses_}) {
    sum.connections += matrix->stats().connections;
    sum.blocked += matrix->stats().blocked;
    sum.blocked_cycles += matrix->stats().blocked_cycles;
  }
  return sum;
}

std::optional<Crossbar::Parts::Place> Crossbar::Parts::place_of(const Payload& payload,
                                                                std::uint64_t bytes) const {
  const std::uint64_t port = payload.get_address() / p_.window_bytes;
  const std::uint64_t offset = payload.get_address() % p_.window_bytes;
  if (port >= p_.ports || bytes > p_.window_bytes - offset) return std::nullopt;
  if (!is_bound(static_cast<unsigned>(port))) return std::nullopt;
  return Place{static_cast<unsigned>(port), offset};
}

/// All outputs of a write; none if one of them has no target.
std::vector<unsigned> Crossbar::Parts::outputs_of(const Payload& payload,
                                                  const Place& place) const {
  const auto* const more = payload.is_write() ? payload.get_extension<Multicast>() : nullptr;
  std::vector<unsigned> outputs = {place.port};
  for (unsigned port = 0; more != nullptr && port < 64; ++port) {
    if ((more->outputs >> port & 1) == 0 || port == place.port) continue;
    if (port >= p_.ports || !is_bound(port)) return {};
    outputs.push_back(port);
  }
  return outputs;
}

void Crossbar::Parts::wait_until(tvp::dram::MemCycle cycle) {
  const sc_time at = sc_time::from_value(period_.time_ps(cycle));
  if (at > sc_core::sc_time_stamp()) sc_core::wait(at - sc_core::sc_time_stamp());
}

/// Connects inputs and outputs for the time of the data. The first to ask gets them first.
void Crossbar::Parts::cross(Matrix& matrix, const std::vector<unsigned>& from,
                            const std::vector<unsigned>& to, std::uint64_t bytes) {
  const auto wanted = period_.edge_at_or_after(sc_core::sc_time_stamp().value());
  auto begin = wanted;
  for (const unsigned f : from)
    for (const unsigned t : to) begin = matrix.ready(f, t, begin);
  const auto end =
      begin + std::max<std::uint64_t>((bytes * 8 + p_.link_bits - 1) / p_.link_bits, 1);
  matrix.connect(from, to, begin, end);
  matrix.note_blocked(wanted, begin);
  wait_until(end + p_.latency_cycles);
}

void Crossbar::Parts::pass_latency() {
  wait_until(period_.edge_at_or_after(sc_core::sc_time_stamp().value()) + p_.latency_cycles);
}

void Crossbar::Parts::transport(unsigned input, Payload& payload, sc_time& delay) {
  const auto place = place_of(payload, payload.get_data_length());
  const std::vector<unsigned> outputs =
      place ? outputs_of(payload, *place) : std::vector<unsigned>();
  if (outputs.empty()) return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  // Connections are made in the order of time, so the caller catches up with its delay.
  if (delay != sc_core::SC_ZERO_TIME) sc_core::wait(delay);
  delay = sc_core::SC_ZERO_TIME;
  if (payload.is_write()) {
    cross(requests_, {input}, outputs, payload.get_data_length());
  } else {
    pass_latency();
  }
  if (outputs.size() > 1) return multicast(payload, *place, outputs);
  send(payload, *place);
  if (payload.is_read() && payload.is_response_ok())
    cross(responses_, {place->port}, {input}, payload.get_data_length());
}

void Crossbar::Parts::send(Payload& payload, const Place& place) {
  const std::uint64_t address = payload.get_address();
  sc_time delay = sc_core::SC_ZERO_TIME;
  payload.set_address(place.offset);
  (*outs_[place.port])->b_transport(payload, delay);
  payload.set_address(address);
  if (delay != sc_core::SC_ZERO_TIME) sc_core::wait(delay);
}

/// Each target gets a payload of its own. The write ends with the slowest target.
void Crossbar::Parts::multicast(Payload& payload, const Place& place,
                                const std::vector<unsigned>& outputs) {
  sc_time slowest = sc_core::SC_ZERO_TIME;
  tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
  for (const unsigned output : outputs) {
    Payload copy;
    copy.set_command(payload.get_command());
    copy.set_address(place.offset);
    copy.set_data_ptr(payload.get_data_ptr());
    copy.set_data_length(payload.get_data_length());
    copy.set_streaming_width(payload.get_streaming_width());
    copy.set_byte_enable_ptr(payload.get_byte_enable_ptr());
    copy.set_byte_enable_length(payload.get_byte_enable_length());
    sc_time delay = sc_core::SC_ZERO_TIME;
    (*outs_[output])->b_transport(copy, delay);
    slowest = std::max(slowest, delay);
    if (status == tlm::TLM_OK_RESPONSE) status = copy.get_response_status();
  }
  payload.set_response_status(status);
  if (slowest != sc_core::SC_ZERO_TIME) sc_core::wait(slowest);
}

unsigned Crossbar::Parts::transport_debug(Payload& payload) {
  const auto place = place_of(payload, payload.get_data_length());
  if (!place) return 0;
  const std::uint64_t address = payload.get_address();
  payload.set_address(place->offset);
  const unsigned moved = (*outs_[place->port])->transport_dbg(payload);
  payload.set_address(address);
  return moved;
}

bool Crossbar::Parts::get_direct(Payload& payload, tlm::tlm_dmi& dmi) {
  const auto place = place_of(payload, 1);
  const std::uint64_t address = payload.get_address();
  dmi.init();
  if (!place) {
    dmi.set_start_address(address);
    dmi.set_end_address(address);
    return false;
  }
  const std::uint64_t window = place->port * p_.window_bytes;
  payload.set_address(place->offset);
  const bool granted = (*outs_[place->port])->get_direct_mem_ptr(payload, dmi);
  payload.set_address(address);
  const std::uint64_t last = p_.window_bytes - 1;
  dmi.set_start_address(window + std::min<std::uint64_t>(dmi.get_start_address(), last));
  dmi.set_end_address(window + std::min<std::uint64_t>(dmi.get_end_address(), last));
  return granted;
}

void Crossbar::Parts::invalidate(int port, sc_dt::uint64 start, sc_dt::uint64 end) {
  const std::uint64_t last = p_.window_bytes - 1;
  if (start > last) return;
  const std::uint64_t window = static_cast<unsigned>(port) * p_.window_bytes;
  for (const auto& in : ins_) {
    if (in->socket.get_base_port().size() == 0) continue;
    in->socket->invalidate_direct_mem_ptr(window + start,
                                          window + std::min<std::uint64_t>(end, last));
  }
}

Crossbar::Crossbar(const sc_core::sc_module_name& name, const Parameters& parameters)
    : sc_module(name) {
  try {
    parts_ = std::make_unique<Parts>("parts", this->name(), parameters);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(std::string(this->name()) + ": " + error.what());
  }
}

Crossbar::~Crossbar() = default;

tvp::support::OptionalTargetSocket& Crossbar::in(unsigned port) {
  if (port < parts_->ports()) return parts_->in(port);
  throw std::runtime_error(std::string(name()) + ": in(" + std::to_string(port) +
                           ") expects a port below " + std::to_string(parts_->ports()));
}

tlm::tlm_initiator_socket<32, tlm::tlm_base_protocol_types, 1, sc_core::SC_ZERO_OR_MORE_BOUND>&
Crossbar::out(unsigned port) {
  if (port < parts_->ports()) return parts_->out(port);
  throw std::runtime_error(std::string(name()) + ": out(" + std::to_string(port) +
                           ") expects a port below " + std::to_string(parts_->ports()));
}

std::uint64_t Crossbar::window(unsigned port) const {
  return port * parts_->parameters().window_bytes;
}

Crossbar::Statistics Crossbar::statistics() const { return parts_->statistics(); }

}  // namespace tensix_vp
