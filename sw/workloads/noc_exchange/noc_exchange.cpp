#include "sw/workloads/noc_exchange/noc_exchange.h"

#include <cstring>
#include <random>
#include <vector>

#include "sw/runtime/errors.h"
#include "sw/runtime/host_api.h"

namespace tvp::workloads {

using namespace tvp::runtime;

void NocExchange::check() const {
  if (config_.distance_x == 0U && config_.distance_y == 0U)
    bad_use("noc_exchange", "the two tiles are the same");
  if (config_.bytes % 16 != 0)
    bad_use("noc_exchange.bytes", std::to_string(config_.bytes.value()) +
                                      " is not a multiple of the 16 bytes that L1 is aligned to");
}

void NocExchange::run_on(MeshDevice& mesh, std::uint64_t seed, Result& result) {
  Device& device = mesh.device(0);
  const CoreCoord cores[2] = {{0, 0}, {config_.distance_x, config_.distance_y}};
  const std::uint32_t words = config_.bytes / 4;
  const CoreRangeSet both{std::vector<CoreCoord>{cores[0], cores[1]}};
  const auto block =
      MeshBuffer::create(mesh, ShardedBufferConfig{.cores = both, .shard_bytes = config_.bytes});
  const auto inbox = MeshBuffer::create(
      mesh, ShardedBufferConfig{.cores = both, .shard_bytes = config_.bytes * 2});
  std::mt19937_64 random(seed);
  std::vector<std::uint32_t> content[2];
  for (unsigned i = 0; i < 2; ++i) {
    for (std::uint32_t w = 0; w < words; ++w)
      content[i].push_back(static_cast<std::uint32_t>(random()));
    device.write_l1(cores[i], static_cast<std::uint32_t>(block->address()), content[i].data(),
                    config_.bytes);
  }

  Program program = CreateProgram();
  DataMovementConfig config;
  config.noc = config_.noc == 0 ? NOC::NOC_0 : NOC::NOC_1;
  config.compile_args = {config_.bytes};
  const KernelHandle kernel =
      CreateKernel(program, "firmware/kernels/exchange/exchange.cpp", both, config);
  const std::uint32_t semaphore = CreateSemaphore(program, both, 0);
  for (unsigned i = 0; i < 2; ++i) {
    const CoreCoord other = device.worker_core_from_logical_core(cores[1 - i]);
    SetRuntimeArgs(
        program, kernel, cores[i],
        {static_cast<std::uint32_t>(block->address()), static_cast<std::uint32_t>(inbox->address()),
         other.x, other.y, config_.rounds, semaphore});
  }
  mesh.run(0, program);

  // Each round swaps the blocks and adds one to each word.
  const std::uint32_t last_box = (config_.rounds - 1) % 2 * config_.bytes;
  for (unsigned i = 0; i < 2; ++i) {
    const std::vector<std::uint32_t>& from = content[config_.rounds % 2 == 0 ? i : 1 - i];
    const std::vector<std::uint8_t> bytes = block->read_shard(0, cores[i]);
    for (std::uint32_t w = 0; w < words; ++w) {
      std::uint32_t value = 0;
      std::memcpy(&value, bytes.data() + w * 4, 4);
      if (value == from[w] + config_.rounds || !result.passed) continue;
      result.passed = false;
      result.reason = "word " + std::to_string(w) + " of core " + cores[i].str() + " is " +
                      std::to_string(value) + " instead of " +
                      std::to_string(from[w] + config_.rounds) + block->origin(0, cores[i], w * 4);
      // The kernel also changes this word, and its stores are not recorded.
      const std::string came = inbox->origin(0, cores[i], last_box + w * 4);
      if (!came.empty()) result.reason += "\nThe same word of its last inbox:" + came;
    }
  }
  const auto times = mesh.run_times(0, device.worker(cores[0]));
  const auto cycles = static_cast<double>(times.done - times.go);
  result.phases.push_back(
      {"exchange", static_cast<double>(times.go), static_cast<double>(times.done)});
  result.metrics.push_back({"kernel_cycles", cycles, "cycles"});
  result.metrics.push_back({"cycles_a_round", cycles / config_.rounds, "cycles"});
}

}  // namespace tvp::workloads
