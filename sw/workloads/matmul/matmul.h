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

  struct Config : WorkloadSettings {
    Config() : WorkloadSettings("matmul") {}
    Number m = number("m", "", "rows of A and C, a multiple of 32",
                      {.value = 256, .min = 32, .max = 16384});
    Number n = number("n", "", "columns of B and C, a multiple of 32",
                      {.value = 256, .min = 32, .max = 16384});
    Number k = number("k", "", "columns of A, rows of B, a multiple of 32",
                      {.value = 256, .min = 32, .max = 16384});
    Number blocks = number("blocks", "", "blocks along the inner dimension",
                           {.value = 4, .min = 1, .max = 512});
    Flag resident =
        flag("resident",
             "A and B are one block in L1 that is taken `blocks` times: C = blocks * A x B", false);
    Choice format = choice("format", "format of A, B and C",
                           {.value = "bfloat16", .choices = {"bfloat16", "bfp8_b"}});
    Choice fidelity = choice("fidelity", "phases of multiplications",
                             {.value = "hifi4", .choices = {"lofi", "hifi2", "hifi3", "hifi4"}});
    Number subblock_m = number("subblock_m", "tiles", "rows of what is in Dst at a time",
                               {.value = 4, .min = 1, .max = 8});
    Number subblock_n = number("subblock_n", "tiles", "columns of what is in Dst at a time",
                               {.value = 2, .min = 1, .max = 8});
    Flag fp32_dst = flag("fp32_dst", "32 bits a datum in Dst, partial results in FP32", false);
    Flag l1_accumulate =
        flag("l1_accumulate", "packers add partial results in L1, in 16 bits or more", false);
    Flag transpose = flag("transpose", "tiles of B are stored transposed", false);
    Choice kernel = choice("kernel", "matmul_block or matmul_tiles",
                           {.value = "block", .choices = {"block", "tiles"}});
  };
  Problem problem() const;

  Config config_;
};

}  // namespace tvp::workloads::matmul
