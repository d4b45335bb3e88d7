#include "sw/runtime/sharding/shard_runs.h"

namespace tvp::runtime::sharding {

ShardRuns::ShardRuns(const TensorShape& global, const TensorShape& local, const TensorBox& box,
                     std::uint64_t datum_size)
    : run_bytes_(datum_size), run_extent_(datum_size) {
  // Goes from the innermost dimension outwards. As long as inner dimensions are whole in both, a
  // dimension only lengthens the run.
  std::uint64_t stride = datum_size;
  std::array<Level, kMaxRank> inner{};
  bool together = true;
  for (std::size_t d = global.size(); d-- > 0;) {
    if (together) {
      run_bytes_ = local[d] * stride;
      run_extent_ = box.extent[d] * stride;
      together = local[d] == global[d] && box.extent[d] == global[d];
    } else {
      inner[depth_++] = {local[d], box.extent[d], stride};
    }
    first_ += box.begin[d] * stride;
    stride *= global[d];
  }
  for (std::size_t d = 0; d < depth_; ++d) outer_[d] = inner[depth_ - 1 - d];
}

}  // namespace tvp::runtime::sharding
