#include "models/tensix/coprocessor/frontend/thread_activity.h"

#include <iterator>

#include "foundation/regs/tensix_opcodes.h"
#include "models/tensix/coprocessor/scalar/sync_unit.h"
#include "models/tensix/coprocessor/unit.h"

namespace tvp::tensix::coprocessor {

namespace op = regs::tensix;

namespace {

using Kind = ThreadActivity::Kind;

/// Short forms of STALLWAIT's conditions, C0 first.
constexpr const char* kConditionNames[] = {
    "thcon",           "unpack0",         "unpack1",       "pack0",
    "pack1",           "pack2",           "pack3",         "math",
    "SrcA for unpack", "SrcB for unpack", "SrcA for math", "SrcB for math",
    "mover",           "core requests",   "sfpu",          "config",
};

std::string listed(const std::string& list, const std::string& more) {
  return list.empty() ? more : list + ", " + more;
}

std::string semwait_text(unsigned detail) {
  std::string list;
  for (unsigned i = 0; i < SyncUnit::kSemaphores; ++i) {
    if ((detail >> (2 + i) & 1U) != 0) list = listed(list, std::to_string(i));
  }
  return "SEMWAIT " + list + ((detail & 1U) != 0 ? " nonzero" : " below max");
}

std::string stallwait_text(unsigned detail) {
  std::string list;
  for (unsigned i = 0; i < std::size(kConditionNames); ++i) {
    if ((detail >> i & 1U) != 0) list = listed(list, kConditionNames[i]);
  }
  return list.empty() ? "STALLWAIT" : "STALLWAIT " + list;
}

}  // namespace

std::string ThreadActivity::text(std::uint64_t value) {
  const auto detail = static_cast<unsigned>(value & 0xFFFF);
  switch (static_cast<Kind>(value >> 16)) {
    case Kind::kIdle:
      return "idle";
    case Kind::kIssue: {
      const char* name = op::opcode_name(static_cast<op::Opcode>(detail));
      return name != nullptr ? name : "opcode " + std::to_string(detail);
    }
    case Kind::kFrontend:
      return "frontend";
    case Kind::kDrain:
      return "drains";
    case Kind::kSemwait:
      return semwait_text(detail);
    case Kind::kStallwait:
      return stallwait_text(detail);
    case Kind::kMutex:
      return "mutex " + std::to_string(detail);
    case Kind::kUnitBusy:
      return std::string(unit_name(static_cast<Unit>(detail))) + " busy";
    case Kind::kSrcA:
      return "SrcA bank";
    case Kind::kSrcB:
      return "SrcB bank";
    case Kind::kRefused:
      return std::string(unit_name(static_cast<Unit>(detail))) + " refuses";
    case Kind::kHeld:
      return "held";
  }
  return "?";
}

}  // namespace tvp::tensix::coprocessor
