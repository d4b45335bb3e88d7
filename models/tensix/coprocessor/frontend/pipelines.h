#pragma once

#include <algorithm>
#include <array>

#include "models/tensix/coprocessor/frontend/pipeline_status.h"
#include "models/tensix/coprocessor/unpack/unpackers.h"

namespace tvp::tensix::coprocessor {

/// Times until which the instructions of each thread occupy the pipelines of STALLWAIT's conditions
/// C1 to C7 and C14.
class Pipelines : public PipelineStatus {
 public:
  enum Pipeline : unsigned { kUnpack0, kUnpack1, kPack0, kMath = kPack0 + 4, kSfpu, kCount };

  explicit Pipelines(const Unpackers& unpackers) : unpackers_(unpackers) {}

  void occupy(unsigned thread, unsigned pipeline, Cycle until) {
    Cycle& occupied = until_[thread][pipeline];
    occupied = std::max(occupied, until);
  }
  Cycle idle_from(unsigned thread, unsigned pipeline) const {
    const Cycle until = until_[thread][pipeline];
    return pipeline > kUnpack1 ? until : std::max(until, unpackers_.idle_from(pipeline, thread));
  }
  Cycle pipeline_idle_from(unsigned thread, unsigned condition) const override {
    return idle_from(thread, condition - 1);
  }

 private:
  const Unpackers& unpackers_;
  std::array<std::array<Cycle, kCount>, kThreads> until_{};
};

}  // namespace tvp::tensix::coprocessor
