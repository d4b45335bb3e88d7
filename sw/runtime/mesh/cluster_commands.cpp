// The part of Cluster that runs the commands of queues.

#include <algorithm>
#include <string>
#include <utility>

#include "sw/runtime/errors.h"
#include "sw/runtime/mesh/cluster.h"

namespace tvp::runtime {

void Cluster::add_command(std::uint32_t queue, Command command) {
  commands_[queue].push_back(std::move(command));
  give_commands();
}

void Cluster::remove_mesh() {
  if (--meshes_ != 0) return;
  for (std::deque<Command>& commands : commands_) std::exchange(commands, {});
}

void Cluster::check_current(const MeshLaunch& launch) {
  if (launch.manager != sub_devices_.loaded_id())
    bad_use("workload", "was laid out under sub-device manager " + std::to_string(*launch.manager) +
                            ", and " + std::to_string(*sub_devices_.loaded_id()) + " is loaded");
  for (const MeshLaunch::Part& part : launch.parts) {
    part.plan.check_memory();
    const std::uint32_t limit = l1_limit(part.sub_device);
    if (part.plan.l1_end() > limit)
      bad_use("workload", "its circular buffers end at " + std::to_string(part.plan.l1_end()) +
                              ", where a buffer has been made since, at " + std::to_string(limit));
  }
}

bool Cluster::can_start(const MeshLaunch& launch) {
  check_current(launch);
  forget_finished();
  return std::none_of(running_.begin(), running_.end(), [&](const Running& running) {
    return std::any_of(launch.parts.begin(), launch.parts.end(), [&](const MeshLaunch::Part& part) {
      if (part.device != running.device) return false;
      if (!running.core.ethernet && owner(running) == part.sub_device) return true;
      // A program on an ethernet core blocks only programs on the same core.
      return std::any_of(part.plan.cores().begin(), part.plan.cores().end(),
                         [&](const CoreLaunch& core) { return core.core == running.core; });
    });
  });
}

bool Cluster::idle(std::span<const SubDeviceId> sub_devices) {
  forget_finished();
  return std::none_of(running_.begin(), running_.end(), [&](const Running& running) {
    const auto id = owner(running);
    return !running.core.ethernet && id &&
           std::find(sub_devices.begin(), sub_devices.end(), *id) != sub_devices.end();
  });
}

bool Cluster::give_commands() {
  bool any = false;
  for (bool again = true; again;) {
    again = false;
    for (std::deque<Command>& commands : commands_)
      while (!commands.empty() && commands.front().ready()) {
        const Command command = std::move(commands.front());
        commands.pop_front();
        command.act();
        again = true;
      }
    any = any || again;
  }
  return any;
}

}  // namespace tvp::runtime
