#include "sw/runtime/mesh/mesh_traces.h"

#include <algorithm>
#include <string>

#include "sw/runtime/errors.h"

namespace tvp::runtime {
namespace {

std::string name_of(MeshTraceId id) { return "trace " + std::to_string(*id); }

}  // namespace

MeshTraceId MeshTraces::begin(std::uint32_t queue) {
  if (const auto open = open_.find(queue); open != open_.end())
    bad_use(name_of(open->second),
            "is still being captured on command queue " + std::to_string(queue));
  const MeshTraceId id{++last_};
  traces_[id] = {};
  open_[queue] = id;
  return id;
}

void MeshTraces::end(std::uint32_t queue, MeshTraceId id) {
  const auto open = open_.find(queue);
  if (open == open_.end() || open->second != id)
    bad_use(name_of(id), "is not being captured on command queue " + std::to_string(queue));
  open_.erase(open);
}

void MeshTraces::release(MeshTraceId id) {
  launches(id);
  traces_.erase(id);
}

const MeshTraces::Launches& MeshTraces::launches(MeshTraceId id) const {
  const auto found = traces_.find(id);
  if (found == traces_.end()) bad_use(name_of(id), "was not captured, or has been released");
  if (std::any_of(open_.begin(), open_.end(), [&](const auto& open) { return open.second == id; }))
    bad_use(name_of(id), "is still being captured");
  return found->second;
}

}  // namespace tvp::runtime
