#pragma once

#include "sw/collectives/execution/collective_executor.h"

namespace tvp::runtime {
class PimSystem;
}

namespace tvp::collectives {

/// Rank r is unit r of a PIM system: memories of a rank are in its bank, the interpreter runs on
/// its core (firmware/collectives/scheduled.cpp).
class PimExecutor : public CollectiveExecutor {
 public:
  explicit PimExecutor(runtime::PimSystem& system) : system_(system) {}
  std::uint32_t ranks() const override;
  std::string topology() const override { return std::to_string(ranks()) + " PIM units"; }

 private:
  Machine machine(const Schedule& schedule, const Demand& demand) override;
  void load(const Schedule& schedule, RankPrograms& programs, const Operands& operands,
            const Demand& demand) override;
  void execute() override;
  Left left(std::uint32_t rank, std::uint32_t worker) override;
  bool shows_running_programs() const override { return false; }
  std::vector<std::uint8_t> output(std::uint32_t rank) override;
  double ns(std::uint64_t cycles) const override;
  static void connect(RankPrograms& programs, std::uint32_t rank, bool counted);
  static void connect_switched(RankPrograms& programs, std::uint32_t rank);

  runtime::PimSystem& system_;
  std::vector<unsigned> units_;
  /// Of each rank: its arena, of which the state is read back.
  struct Range {
    std::uint32_t begin = 0;
    std::uint32_t bytes = 0;
  };
  std::vector<Range> states_;
  std::uint64_t output_at_ = 0;
  std::uint64_t output_bytes_ = 0;
};

}  // namespace tvp::collectives
