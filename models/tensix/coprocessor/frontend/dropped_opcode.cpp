#include "models/tensix/coprocessor/frontend/dropped_opcode.h"

#include "foundation/fault.h"

namespace tvp::tensix::coprocessor {

namespace op = regs::tensix;

namespace {

op::Opcode opcode_named(const std::string& mnemonic) {
  for (unsigned i = 0; i < 256; ++i) {
    const auto opcode = static_cast<op::Opcode>(i);
    const char* name = op::opcode_name(opcode);
    if (name != nullptr && mnemonic == name) return opcode;
  }
  throw foundation::Fault(foundation::FaultKind::kDescription, "coprocessor.drop_opcode",
                          "'" + mnemonic + "' is no mnemonic of a Tensix instruction");
}

}  // namespace

DroppedOpcode::DroppedOpcode(const CoprocessorConfig& config, const std::string& where) {
  if (config.drop_opcode.value().empty()) return;
  if (where.find(config.drop_in.value()) == std::string::npos) return;
  set(opcode_named(config.drop_opcode.value()), config.drop_nth);
}

bool DroppedOpcode::is_turn(const IssueCounters& counters) const {
  // An offer may be refused and repeated, so the number of issued instructions counts.
  return nth_ == 0 || counters.of_opcode(static_cast<std::uint8_t>(opcode_)) + 1 == nth_;
}

}  // namespace tvp::tensix::coprocessor
