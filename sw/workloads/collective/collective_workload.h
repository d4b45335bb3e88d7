#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sw/collectives/execution/collective_executor.h"
#include "sw/collectives/library/chooser.h"
#include "sw/workloads/workload.h"

namespace tvp::workloads::collective {

/// Executes any collective by any algorithm, as a schedule that firmware interprets: on the units
/// of a PIM system, or on the chips of a mesh over their ethernet fabric.
class CollectiveWorkload : public Workload {
 public:
  CollectiveWorkload();
  Result run(Context& context) override;

 private:
  using Executor = collectives::CollectiveExecutor;
  struct Config : foundation::SettingGroup {
    Config();
    foundation::Choice op;
    foundation::Choice algo;
    foundation::Text variant;
    foundation::Text schedule;
    foundation::Setting<std::uint32_t> slots;
    foundation::Text bytes;
    foundation::Choice type;
    foundation::Choice redop;
    foundation::Setting<std::uint32_t> ranks;
    foundation::Setting<std::uint32_t> root;
    foundation::Setting<std::uint32_t> peer;
    foundation::Setting<std::uint32_t> segments;
    foundation::Setting<std::uint32_t> channels;
    foundation::Setting<bool> both_ways;
    foundation::Setting<std::uint32_t> workers;
    foundation::Setting<std::uint32_t> buffer;
    foundation::Text order;
    foundation::Text tiers;
    foundation::Text inner;
    foundation::Text tuning;
  };

  using ScheduleOf = std::function<collectives::Schedule(std::uint64_t bytes)>;

  void check() const;
  Result run_on(Executor& executor, Context& context, std::uint32_t workers,
                std::optional<collectives::Schedule> proved);
  Result run_sizes(Executor& executor, Context& context, const ScheduleOf& schedule_of);
  /// Runs all algorithms of one operation, or of all operations.
  Result compare(Executor& executor, Context& context, std::uint32_t workers);
  collectives::Chooser chooser(Executor& executor, Context& context, std::uint32_t workers) const;
  collectives::Chooser::Question question(const Executor& executor,
                                          collectives::Primitive primitive,
                                          std::uint64_t bytes) const;
  /// The schedule of the file if there is one, otherwise the algorithm's; proved by the checker.
  /// None if the library selects algorithms.
  std::optional<collectives::Schedule> schedule(const collectives::RankShape& shape);
  collectives::Schedule built(const collectives::RankShape& shape) const;
  std::vector<collectives::Tier> torus_axes(const collectives::RankShape& shape,
                                            const collectives::ScheduleRequest& request) const;
  collectives::Schedule read() const;
  std::string row(const Executor::Outcome& outcome, const collectives::Schedule& schedule) const;
  static void show(const collectives::Schedule& schedule, const Executor::Outcome& outcome,
                   Context& context, Result& result);
  /// `port_rate` in bytes per ns.
  void measure(const collectives::Schedule& schedule, const Executor::Outcome& outcome,
               double port_rate, Result& result) const;

  Config config_;
  std::uint32_t proved_slots_ = 2;  ///< the schedule ends with these
};

}  // namespace tvp::workloads::collective
