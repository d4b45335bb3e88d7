#include "sw/runtime/sharding/mesh_partition.h"

#include <algorithm>

#include "sw/runtime/sharding/sharding_error.h"

namespace tvp::runtime::sharding {

const TensorBox& MeshPartition::box(unsigned device) const {
  if (device >= boxes_.size() || !boxes_[device])
    refuse(Refusal::kNoShard,
           "device " + std::to_string(device) + ", which holds nothing of a tensor of shape " +
               text_of(global_),
           "a device that has a shard");
  return *boxes_[device];
}

bool MeshPartition::padded() const {
  return std::any_of(boxes_.begin(), boxes_.end(),
                     [&](const auto& box) { return box && box->extent != local_; });
}

std::vector<unsigned> MeshPartition::first_holders() const {
  std::vector<unsigned> holders;
  for (unsigned device = 0; device < boxes_.size(); ++device) {
    const auto same = [&](unsigned other) { return boxes_[other] == boxes_[device]; };
    if (boxes_[device] && !boxes_[device]->empty() &&
        std::none_of(holders.begin(), holders.end(), same))
      holders.push_back(device);
  }
  return holders;
}

}  // namespace tvp::runtime::sharding
