#include "models/switch/crossbar.h"

#include <algorithm>
#include <utility>

namespace tvp::switching {

Crossbar::Crossbar(unsigned ports, std::string where, foundation::FaultPolicy& faults)
    : where_(std::move(where)), faults_(faults), inputs_(ports), outputs_(ports) {}

bool Crossbar::known(unsigned port, const char* what) const {
  if (port < ports()) return true;
  faults_.raise(foundation::Fault(foundation::FaultKind::kFirmware, where_,
                                  std::string(what) + " " + std::to_string(port) +
                                      ": expected one of 0 to " + std::to_string(ports() - 1)));
  return false;
}

MemCycle Crossbar::ready(unsigned input, unsigned output, MemCycle earliest) const {
  if (!known(input, "input") || !known(output, "output")) return earliest;
  if (external_ != nullptr) return external_->ready(1U << input, 1U << output, earliest);
  return std::max({earliest, inputs_[input], outputs_[output]});
}

void Crossbar::connect(unsigned input, unsigned output, MemCycle begin, MemCycle end) {
  connect(input, std::vector<unsigned>{output}, begin, end);
}

void Crossbar::connect(unsigned input, const std::vector<unsigned>& outputs, MemCycle begin,
                       MemCycle end) {
  connect(std::vector<unsigned>{input}, outputs, begin, end);
}

void Crossbar::connect(const std::vector<unsigned>& inputs, const std::vector<unsigned>& outputs,
                       MemCycle begin, MemCycle end) {
  for (const unsigned input : inputs) {
    if (!known(input, "input")) return;
    if (inputs_[input] > begin) conflict("input", input, inputs_[input], begin);
  }
  for (const unsigned output : outputs) {
    if (!known(output, "output")) return;
    if (outputs_[output] > begin) conflict("output", output, outputs_[output], begin);
  }
  ++stats_.connections;
  if (external_ != nullptr) return connect_external(inputs, outputs, begin, end);
  for (const unsigned input : inputs) inputs_[input] = end;
  for (const unsigned output : outputs) outputs_[output] = end;
}

void Crossbar::connect_external(const std::vector<unsigned>& inputs,
                                const std::vector<unsigned>& outputs, MemCycle begin,
                                MemCycle end) {
  std::uint32_t input_set = 0;
  std::uint32_t output_set = 0;
  for (const unsigned input : inputs) {
    const MemCycle free = external_->ready(1U << input, 0, begin);
    if (free > begin) conflict("input", input, free, begin);
    input_set |= 1U << input;
  }
  for (const unsigned output : outputs) {
    const MemCycle free = external_->ready(0, 1U << output, begin);
    if (free > begin) conflict("output", output, free, begin);
    output_set |= 1U << output;
  }
  external_->connect(input_set, output_set, begin, end);
}

void Crossbar::conflict(const char* what, unsigned port, MemCycle free, MemCycle begin) const {
  throw foundation::Fault(foundation::FaultKind::kInternal, where_,
                          std::string(what) + " " + std::to_string(port) + " is connected until " +
                              std::to_string(free) + " and asked for at " + std::to_string(begin));
}

void Crossbar::note_blocked(MemCycle wanted, MemCycle begin) {
  if (begin == wanted) return;
  ++stats_.blocked;
  stats_.blocked_cycles += begin - wanted;
}

}  // namespace tvp::switching
