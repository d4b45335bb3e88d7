#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sw/collectives/execution/collective_executor.h"

namespace tvp::runtime {
class PimSystem;
}

namespace tvp::collectives {

/// Rank r is unit r of a PIM system, or unit r of a list of some units. Memories of a rank are in
/// its bank, the interpreter runs on its core (firmware/collectives/scheduled.cpp).
class PimExecutor : public CollectiveExecutor {
 public:
  explicit PimExecutor(runtime::PimSystem& system);
  PimExecutor(runtime::PimSystem& system, std::vector<unsigned> units);
  std::uint32_t ranks() const override;
  std::uint32_t memory_bytes() const override;
  std::string topology() const override {
    return "system of " + std::to_string(ranks()) + " PIM units";
  }
  bool combines_in_network() const override;
  bool one_hop(const Schedule& schedule) const override;
  /// Addresses are those of the banks.
  void place(Task& task, const Memories& memories) override;
  void write(const Task& task) override;
  void execute(const Task& task) override;
  unsigned unit(std::uint32_t rank) const { return units_[rank]; }
  /// Units of the ranks that take part in a task.
  std::vector<unsigned> units_of(const Task& task) const;

 private:
  Machine machine(const Schedule& schedule, const Demand& demand) override;
  Schedule lowered(const Schedule& schedule) const override;
  void load(Task& task, const Operands& operands) override;
  Left left(const Task& task, std::uint32_t rank, std::uint32_t worker) override;
  std::vector<std::uint8_t> state_now(const Task& task, std::uint32_t rank,
                                      std::uint32_t worker) override;
  bool shows_stopped_programs() const override { return true; }
  std::optional<std::uint32_t> rank_of(const foundation::Fault& fault) const override;
  std::vector<std::uint8_t> output(std::uint32_t rank) override;
  std::string origin(std::uint32_t rank, std::uint64_t byte) override;
  double ns(std::uint64_t cycles) const override;
  void connect(RankPrograms& programs, std::uint32_t rank, bool counted) const;
  void connect_switched(RankPrograms& programs, std::uint32_t rank) const;
  /// True if orders to the switch have ranges of units, since a unit of the first ranks has no bit.
  bool orders_have_ranges(std::uint32_t ranks) const;
  std::optional<std::uint32_t> set_of(const RankSet& ranks, bool as_range) const;
  void set_order(std::uint32_t rank, const RankPrograms::Connection& out, bool as_range,
                 contract::collectives::Connection& order) const;
  /// The class of firmware that the interpreter uses.
  std::string slices_of(const Schedule& schedule) const;
  std::uint16_t peer(std::uint32_t rank) const { return static_cast<std::uint16_t>(unit(rank)); }

  runtime::PimSystem& system_;
  const std::vector<unsigned> units_;  ///< unit of each rank
  std::uint64_t output_at_ = 0;
  std::uint64_t output_bytes_ = 0;
};

}  // namespace tvp::collectives
