#pragma once

#include <cstdint>

#include "sw/workloads/workload.h"

namespace tvp::workloads::microbenchmarks {

/// Writes from the first core of a rectangle, or one beside it, to all of its cores, by size.
class NocMulticast : public Workload {
 public:
  std::string name() const override { return "noc_multicast"; }
  std::string summary() const override { return "NoC writes of one core to a rectangle of cores"; }
  std::string default_system() const override { return "single_chip"; }
  double default_max_time_ns() const override { return 100e6; }
  foundation::SettingGroup& settings() override { return config_; }
  Result run(Context& context) override;

 private:
  struct Config : foundation::SettingGroup {
    Config() : SettingGroup("noc_multicast") {}
    foundation::Setting<std::uint32_t> columns{
        *this, {"columns", "", "of the rectangle", "workload"}, {.value = 2, .min = 1, .max = 8}};
    foundation::Setting<std::uint32_t> rows{
        *this, {"rows", "", "of the rectangle", "workload"}, {.value = 2, .min = 1, .max = 10}};
    foundation::Setting<std::uint32_t> transactions{
        *this,
        {"transactions", "", "writes of each size", "workload"},
        {.value = 1, .min = 1, .max = 65536}};
    foundation::Setting<bool> linked{
        *this,
        {"linked", "", "all writes of a size are linked, so that only the first reserves its path",
         "workload"},
        false};
    foundation::Setting<bool> outside{
        *this,
        {"outside", "", "the sender is right of the first row, not in the corner", "workload"},
        false};
  };
  Config config_;
};

}  // namespace tvp::workloads::microbenchmarks
