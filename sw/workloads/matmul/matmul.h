#pragma once

#include <cstdint>

#include "sw/workloads/device_workload.h"
#include "sw/workloads/matmul/multiplication.h"

namespace tvp::workloads::matmul {

/// C = A x B on one Tensix core, in blocks along the inner dimension.
class Matmul : public DeviceWorkload {
 public:
  Matmul()
      : DeviceWorkload(
            {.name = "matmul",
             .summary = "multiply two matrices on one core, from DRAM or with operands in L1",
             .system = "single_chip",
             .max_time_ns = 100e6},
            config_) {}

 private:
  void check() const override;
  void run_on(runtime::MeshDevice& mesh, std::uint64_t seed, Result& result) override;

  struct Config : foundation::SettingGroup {
    Config() : SettingGroup("matmul", SetBy::kRun) {}
    foundation::Setting<std::uint32_t> m{*this,
                                         {"m", "", "rows of A and C, a multiple of 32", "workload"},
                                         {.value = 256, .min = 32, .max = 16384}};
    foundation::Setting<std::uint32_t> n{
        *this,
        {"n", "", "columns of B and C, a multiple of 32", "workload"},
        {.value = 256, .min = 32, .max = 16384}};
    foundation::Setting<std::uint32_t> k{
        *this,
        {"k", "", "columns of A, rows of B, a multiple of 32", "workload"},
        {.value = 256, .min = 32, .max = 16384}};
    foundation::Setting<std::uint32_t> blocks{
        *this,
        {"blocks", "", "blocks along the inner dimension", "workload"},
        {.value = 4, .min = 1, .max = 512}};
    foundation::Setting<bool> resident{
        *this,
        {"resident", "",
         "A and B are one block in L1 that is taken `blocks` times: C = blocks * A x B",
         "workload"},
        false};
    foundation::Choice format{*this,
                              {"format", "", "format of A, B and C", "workload"},
                              {.value = "bfloat16", .choices = {"bfloat16", "bfp8_b"}}};
    foundation::Choice fidelity{*this,
                                {"fidelity", "", "phases of multiplications", "workload"},
                                {.value = "hifi4", .choices = {"lofi", "hifi2", "hifi3", "hifi4"}}};
    foundation::Setting<std::uint32_t> subblock_m{
        *this,
        {"subblock_m", "tiles", "rows of what is in Dst at a time", "workload"},
        {.value = 4, .min = 1, .max = 8}};
    foundation::Setting<std::uint32_t> subblock_n{
        *this,
        {"subblock_n", "tiles", "columns of what is in Dst at a time", "workload"},
        {.value = 2, .min = 1, .max = 8}};
    foundation::Setting<bool> fp32_dst{
        *this,
        {"fp32_dst", "", "32 bits a datum in Dst, partial results in FP32", "workload"},
        false};
    foundation::Setting<bool> l1_accumulate{
        *this,
        {"l1_accumulate", "", "packers add partial results in L1, in 16 bits or more", "workload"},
        false};
    foundation::Setting<bool> transpose{
        *this, {"transpose", "", "tiles of B are stored transposed", "workload"}, false};
    foundation::Choice kernel{*this,
                              {"kernel", "", "matmul_block or matmul_tiles", "workload"},
                              {.value = "block", .choices = {"block", "tiles"}}};
  };
  Problem problem() const;

  Config config_;
};

}  // namespace tvp::workloads::matmul
