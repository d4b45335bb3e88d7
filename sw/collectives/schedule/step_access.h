#pragma once

#include <array>
#include <string>

#include "sw/collectives/schedule/schedule.h"

namespace tvp::collectives {

inline bool receives(const Step& step) {
  return step.kind == StepKind::kReceive || step.kind == StepKind::kReceiveReduce;
}
inline bool sends(const Step& step) {
  return step.kind == StepKind::kSend || (receives(step) && step.to != kNobody);
}

/// The places of `count` chunks that a step reads or writes; Memory::kNone for none.
struct Accesses {
  std::array<Place, 2> reads;
  Place write;
};

inline Accesses accesses(const Step& step) {
  switch (step.kind) {
    case StepKind::kSend:
      return {{step.source, {}}, {}};
    case StepKind::kReceive:
      return {{}, step.destination};
    case StepKind::kReceiveReduce:
    case StepKind::kCopy:
    case StepKind::kScale:
      return {{step.source, {}}, step.destination};
    case StepKind::kReduce:
      return {{step.source, step.destination}, step.destination};
    case StepKind::kNothing:
      break;
  }
  return {};
}

}  // namespace tvp::collectives
