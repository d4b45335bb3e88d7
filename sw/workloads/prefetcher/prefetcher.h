#pragma once

#include <cstdint>

#include "sw/workloads/device_workload.h"
#include "sw/workloads/prefetcher/published_programs.h"

namespace tvp::workloads::prefetcher {

/// Weights stream from DRAM through a global circular buffer into the multiplications of a ring,
/// layer after layer.
class Prefetcher : public DeviceWorkload {
 public:
  Prefetcher()
      : DeviceWorkload(
            {.name = "prefetcher",
             .summary = "stream weights from all DRAM banks into a ring of matrix multiplications",
             .system = "single_chip",
             .max_time_ns = 100e6},
            config_) {}

 private:
  void check() const override;
  void run_on(runtime::MeshDevice& mesh, std::uint64_t seed, Result& result) override;
  Options options() const;
  Epilogue epilogue() const;
  void run_own(runtime::MeshDevice& mesh, const RingPrograms& programs) const;
  void run_published(runtime::MeshDevice& mesh, const PublishedPrograms& programs,
                     const PrefetchPlan& plan, Result& result) const;

  struct Config : foundation::SettingGroup {
    Config() : SettingGroup("prefetcher", SetBy::kRun) {}
    foundation::Text model{*this,
                           {"model", foundation::kNameOrInputFile,
                            "small, llama_70b_tp8, llama_8b, mixtral_like, or a TOML file of "
                            "[[tensor]] tables with name, k, n, format",
                            "workload"},
                           "small"};
    foundation::Setting<std::uint32_t> layers{*this,
                                              {"layers", "", "layers, of one shape", "workload"},
                                              {.value = 2, .min = 1, .max = 64}};
    foundation::Setting<std::uint32_t> banks{
        *this,
        {"banks", "", "DRAM banks, each with a sender", "workload"},
        {.value = 12, .min = 1, .max = 32}};
    foundation::Setting<std::uint32_t> receivers{
        *this,
        {"receivers", "", "cores that a sender feeds, to the right of it",
         "tt-metal Prefetcher report"},
        {.value = 2, .min = 1, .max = 7}};
    foundation::Setting<std::uint32_t> depth{
        *this,
        {"depth", "", "tensors of the largest size that the global circular buffer holds",
         "tt-metal Prefetcher report"},
        {.value = 2, .min = 1, .max = 64}};
    foundation::Setting<std::uint32_t> places{
        *this,
        {"places", "", "blocks that a sender has room for, each with a transaction id",
         "tt-metal Prefetcher report"},
        {.value = 3, .min = 3, .max = 15}};
    foundation::Setting<std::uint32_t> tensor_kib{
        *this,
        {"tensor_kib", "KiB",
         "largest part of a tensor in a receiver; columns of larger ones come in several parts",
         "workload"},
        {.value = 400, .min = 1, .max = 1024}};
    foundation::Setting<std::uint32_t> gather_kib{
        *this,
        {"gather_kib", "KiB",
         "in each core for shards of the activation that come round, at least three, at most all",
         "workload"},
        {.value = 256, .min = 1, .max = 1024}};
    foundation::Setting<std::uint32_t> packet_bytes{
        *this,
        {"packet_bytes", "bytes", "most that a packet has, of reads and writes", "NoC packet"},
        {.value = 8192, .min = 2048, .max = 8192}};
    foundation::Setting<std::uint32_t> rows_off{
        *this,
        {"rows_off", "", "rows between a sender and the place beside its bank", "workload"},
        {.value = 0, .min = 0, .max = 31}};
    foundation::Choice feed{
        *this,
        {"feed", "", "prefetch, or direct: every core of the ring reads its weights itself",
         "workload"},
        {.value = "prefetch", .choices = {"prefetch", "direct"}}};
    foundation::Choice kernels{
        *this,
        {"kernels", "", "own, or published: tt-metal's, compiled from $TT_METAL_HOME", "workload"},
        {.value = "own", .choices = {"own", "published"}}};
    foundation::Choice fidelity{*this,
                                {"fidelity", "", "phases of multiplications", "workload"},
                                {.value = "hifi2", .choices = {"lofi", "hifi2", "hifi3", "hifi4"}}};
    foundation::Setting<std::uint32_t> rows{
        *this,
        {"rows", "", "rows of the activation: users of a model that decode together", "workload"},
        {.value = 32, .min = 1, .max = 128}};
    foundation::Setting<bool> bias{
        *this, {"bias", "", "a bias is added to each product", "workload"}, false};
    foundation::Choice function{
        *this,
        {"function", "", "applied to each product, as in fused multiplications", "workload"},
        {.value = "none", .choices = {"none", "relu", "silu", "gelu"}}};
    foundation::Setting<bool> performance_mode{
        *this,
        {"performance_mode", "", "transactions are not counted one by one; writes are posted",
         "tt-metal Prefetcher report"},
        true};
    foundation::Setting<bool> write_ids{
        *this,
        {"write_ids", "", "writes are awaited by transaction id, a block later", "workload"},
        false};
    foundation::Setting<bool> stream_credits{
        *this, {"stream_credits", "", "credits in stream registers, not in L1", "workload"}, false};
    foundation::Setting<bool> compact{
        *this, {"compact", "", "tensors follow each other without gaps", "workload"}, false};
    foundation::Choice pointers{
        *this,
        {"pointers", "",
         "how unpackers go from block to block: a pointer set by_hand, or local_pops of a circular "
         "buffer over the global one",
         "tt-metal Prefetcher report"},
        {.value = "by_hand", .choices = {"by_hand", "local_pops"}}};
    foundation::Setting<std::uint32_t> hop_cores{
        *this,
        {"hop_cores", "",
         "cores that only pass shards of the activation on, where the ring's ways are longest",
         "tt-metal ring matmul"},
        {.value = 0, .min = 0, .max = 64}};
    foundation::Setting<std::uint32_t> rival_kib{
        *this,
        {"rival_kib", "KiB",
         "that another operation moves along each row of the first senders, over their links",
         "workload"},
        {.value = 0, .min = 0, .max = 16384}};
    foundation::Setting<bool> pause{
        *this,
        {"pause", "", "the rival has the senders of its row pause, by a word in their L1",
         "workload"},
        false};
    foundation::Setting<std::uint32_t> write_noc{
        *this,
        {"write_noc", "", "NoC of senders' writes", "tt-metal Prefetcher report"},
        {.value = 0, .min = 0, .max = 1}};
    foundation::Setting<double> channel_peak{
        *this,
        {"channel_peak", "bytes/cycle", "peak rate of a bank's channel, for comparison",
         "GDDR6 of 12 Gbit/s on 16 pins"},
        {.value = 24, .min = 0.001, .max = 1000}};
  };

  Config config_;
};

}  // namespace tvp::workloads::prefetcher
