#pragma once

#include <cstdint>

#include "sw/workloads/device_workload.h"
#include "sw/workloads/prefetcher/elementwise_programs.h"
#include "sw/workloads/prefetcher/published_programs.h"
#include "sw/workloads/prefetcher/rivals.h"

namespace tvp::workloads::prefetcher {

/// Weights stream from DRAM through a global circular buffer into the multiplications of a ring, or
/// into element-wise operations, layer after layer.
class Prefetcher : public DeviceWorkload {
 public:
  Prefetcher()
      : DeviceWorkload(
            {.name = "prefetcher",
             .summary = "stream weights from all DRAM banks into a ring of matrix multiplications "
                        "or into element-wise operations",
             .system = "single_chip",
             .max_time_ns = 100e6},
            config_) {}

 private:
  void check() const override;
  void run_on(runtime::MeshDevice& mesh, std::uint64_t seed, Result& result) override;
  Options options() const;
  Epilogue epilogue() const;
  void run_own(runtime::MeshDevice& mesh, const RingPrograms& programs,
               const runtime::Program& receivers, Rivals& rivals) const;
  void run_ring(runtime::MeshDevice& mesh, const PrefetchPlan& plan,
                const std::vector<Sender>& senders, Tensors& tensors, const Options& options,
                std::uint64_t seed, Result& result) const;
  void run_elementwise(runtime::MeshDevice& mesh, const PrefetchPlan& plan,
                       const std::vector<Sender>& senders, Tensors& tensors, const Options& options,
                       std::uint64_t seed, Result& result) const;
  void run_published(runtime::MeshDevice& mesh, const PublishedPrograms& programs,
                     const PrefetchPlan& plan, Result& result) const;

  struct Config : WorkloadSettings {
    Config() : WorkloadSettings("prefetcher") {}
    foundation::Text model{*this,
                           {"model", foundation::kNameOrInputFile,
                            "small, llama_70b_tp8, llama_8b, mixtral_like, or a TOML file of "
                            "[[tensor]] tables with name, k, n, format",
                            "workload"},
                           "small"};
    Choice consumer =
        choice("consumer",
               "use of what arrives: matmul (the ring), activation (function of each datum), or "
               "eltwise_chain ((r + w) * w with a resident tensor r); element-wise results, "
               "bfloat16, go to DRAM",
               {.value = "matmul", .choices = {"matmul", "activation", "eltwise_chain"}},
               "tt-metal Prefetcher report");
    Number layers = number("layers", "", "layers, of one shape", {.value = 2, .min = 1, .max = 64});
    Number banks = number("banks", "", "DRAM banks, each with a sender; 0: all",
                          {.value = 0, .min = 0, .max = 32});
    Number receivers = number("receivers", "", "cores that a sender feeds, to the right of it",
                              {.value = 2, .min = 1, .max = 7}, "tt-metal Prefetcher report");
    Number depth =
        number("depth", "", "tensors of the largest size that the global circular buffer holds",
               {.value = 2, .min = 1, .max = 64}, "tt-metal Prefetcher report");
    Number places =
        number("places", "", "blocks that a sender has room for, each with a transaction id",
               {.value = 3, .min = 3, .max = 15}, "tt-metal Prefetcher report");
    Number tensor_kib = number(
        "tensor_kib", "KiB",
        "largest part of a tensor in a receiver; columns of larger ones come in several parts",
        {.value = 400, .min = 1, .max = 1024});
    Number gather_kib = number(
        "gather_kib", "KiB",
        "in each core for shards of the activation that come round, at least three, at most all "
        "(only with consumer=matmul)",
        {.value = 256, .min = 1, .max = 1024});
    Number packet_bytes =
        number("packet_bytes", "bytes", "most that a packet has, of reads and writes",
               {.value = 8192, .min = 2048, .max = 8192}, "NoC packet");
    Number rows_off = number("rows_off", "", "rows between a sender and the place beside its bank",
                             {.value = 0, .min = 0, .max = 31});
    Choice feed =
        choice("feed",
               "prefetch, or direct: every core of the ring reads its weights itself (only with "
               "consumer=matmul)",
               {.value = "prefetch", .choices = {"prefetch", "direct"}});
    Choice kernels =
        choice("kernels",
               "own, or published: tt-metal's, compiled from $TT_METAL_HOME (only with "
               "consumer=matmul)",
               {.value = "own", .choices = {"own", "published"}});
    Choice fidelity =
        choice("fidelity", "phases of multiplications (only with consumer=matmul|eltwise_chain)",
               {.value = "hifi2", .choices = {"lofi", "hifi2", "hifi3", "hifi4"}});
    Number rows = number("rows", "",
                         "rows of the activation: users of a model that decode together (only with "
                         "consumer=matmul)",
                         {.value = 32, .min = 1, .max = 128});
    Flag bias = flag("bias", "a bias is added to each product (only with consumer=matmul)", false);
    Choice function = choice("function",
                             "applied to each product, as in fused multiplications, or to each "
                             "datum that arrives (only with consumer=matmul|activation)",
                             {.value = "none", .choices = {"none", "relu", "silu", "gelu"}});
    Flag performance_mode =
        flag("performance_mode", "transactions are not counted one by one; writes are posted", true,
             "tt-metal Prefetcher report");
    Flag write_ids =
        flag("write_ids", "writes are awaited by transaction id, a block later", false);
    Flag stream_credits = flag("stream_credits", "credits in stream registers, not in L1", false);
    Flag compact = flag("compact", "tensors follow each other without gaps", false);
    Choice pointers = choice("pointers",
                             "how unpackers go from block to block: a pointer set by_hand, or "
                             "local_pops of a circular buffer over the global one (only with "
                             "consumer=matmul)",
                             {.value = "by_hand", .choices = {"by_hand", "local_pops"}},
                             "tt-metal Prefetcher report");
    Number hop_cores = number(
        "hop_cores", "",
        "cores that only pass shards of the activation on, where the ring's ways are longest "
        "(only with consumer=matmul)",
        {.value = 0, .min = 0, .max = 64}, "tt-metal ring matmul");
    Number rival_kib =
        number("rival_kib", "KiB",
               "that another operation moves along each row of the first senders, over their links",
               {.value = 0, .min = 0, .max = 16384});
    Number rival_reads_kib = number("rival_reads_kib", "KiB",
                                    "that another operation reads from the bank of each sender",
                                    {.value = 0, .min = 0, .max = 16384});
    Flag pause = flag("pause",
                      "rivals pause the senders of their row or bank: no reads of DRAM, no writes "
                      "to receivers until they resume",
                      false);
    Flag consumer_pauses = flag("consumer_pauses",
                                "receivers pause their sender while they write the results of a "
                                "block to DRAM (only with consumer=activation|eltwise_chain)",
                                false);
    Number write_noc = number("write_noc", "", "NoC of senders' writes",
                              {.value = 0, .min = 0, .max = 1}, "tt-metal Prefetcher report");
    foundation::Setting<double> channel_peak{
        *this,
        {"channel_peak", "bytes/cycle", "peak rate of a bank's channel, for comparison",
         "GDDR6 of 12 Gbit/s on 16 pins"},
        {.value = 24, .min = 0.001, .max = 1000}};
  };

  Config config_;
};

}  // namespace tvp::workloads::prefetcher
