#include "models/tensix/coprocessor/frontend/replay_expander.h"

namespace tvp::tensix::coprocessor {

using regs::tensix::Replay;

void ReplayExpander::start(std::uint32_t replay) {
  const unsigned field = Replay::kCount.of(replay);
  const unsigned count = field == 0 ? kBufferSize : field;
  index_ = Replay::kIndex.of(replay);
  execute_ = Replay::kExec.of(replay) != 0;
  if (Replay::kLoad.of(replay) != 0) {
    recording_ = count;
  } else {
    replaying_ = count;
  }
}

}  // namespace tvp::tensix::coprocessor
