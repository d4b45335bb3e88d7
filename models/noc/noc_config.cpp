#include "models/noc/noc_config.h"

#include <algorithm>

namespace tvp::noc {

namespace {
constexpr const char* kReadme = "ISA NoC/README.md, Performance";
constexpr const char* kDram = "ISA DRAMTile/README.md, Performance";
constexpr const char* kFitted =
    "assumed: share of the published latencies (tt-metal noc_latencies.yaml) that the core with "
    "its "
    "markers and fetches, the wires and the ports of L1 leave";
}  // namespace

NocConfig::NocConfig()
    : SettingGroup("noc", SetBy::kDescription),
      torus(*this, {"torus", "", "how packets move: whole paths reserved, or hop by hop", "ours"},
            {.value = "detailed", .choices = {"fast", "detailed"}}),
      hop_cycles(*this, {"hop_cycles", "cycles", "router to neighboring router", kReadme},
                 {.value = 9, .min = 2, .max = 64}),
      broadcast_hop_cycles(
          *this,
          {"broadcast_hop_cycles", "cycles", "router to neighboring router, a broadcast",
           "assumed: multicasts in a row take 1.054 to 1.069 cycles a flit in tt-metal "
           "noc_latencies.yaml, as do 16 flits of a channel whose credits return in 17. With "
           "hop_cycles all acknowledgements of single ones of 64 B would arrive at once"},
          {.value = 10, .min = 2, .max = 64}),
      niu_to_router_cycles(*this, {"niu_to_router_cycles", "cycles", "NIU to its router", kReadme},
                           {.value = 5, .min = 1, .max = 64}),
      router_to_niu_cycles(*this, {"router_to_niu_cycles", "cycles", "router to its NIU", kReadme},
                           {.value = 5, .min = 1, .max = 64}),
      vc_reserved_flits(*this,
                        {"vc_reserved_flits", "flits",
                         "buffer that each virtual channel of an input port owns", kDram},
                        {.value = 1, .min = 1, .max = 64}),
      pool_flits(
          *this,
          {"pool_flits", "flits",
           "buffer that the channels of an input port share (only with torus=detailed)", kDram},
          {.value = 48, .min = 1, .max = 1024}),
      pool_spare_flits(
          *this,
          {"pool_spare_flits", "flits",
           "part of the pool that no channel gets, since a nearly full pool counts as full (only "
           "with torus=detailed)",
           "assumed: ISA DRAMTile/README.md speaks of a pool that is full or nearly full. With one "
           "flit, 12 tiles that write one DRAM channel over dynamic channels get the rates of that "
           "page, 7.6 and 8.0 GB/s, with none 10 to 12"},
          {.value = 1, .min = 0, .max = 1024}),
      vc_pool_flits(*this,
                    {"vc_pool_flits", "flits", "most that one channel claims of the pool", kDram},
                    {.value = 15, .min = 0, .max = 1024}),
      credit_cycles(
          *this,
          {"credit_cycles", "cycles",
           "flit leaves a router until its slot is known to be free upstream",
           "assumed: the share of one channel, 16 flits, is what sustains a flit a cycle over "
           "hop_cycles and the way back"},
          {.value = 7, .min = 1, .max = 64}),
      niu_buffer_flits(
          *this,
          {"niu_buffer_flits", "flits",
           "requests that wait in a NIU in front of DRAM or the host, for each virtual channel",
           "assumed: 4 and 8 tiles of a row that each read a channel take 65 and 85 to 93 thousand "
           "cycles (mesham/tt-sim, dramratebench). Requests of one delay those behind them. "
           "With 16 flits they take 76 and 106, with 64 flits 58 and 72."},
          {.value = 32, .min = 1, .max = 4096}),
      register_load_cycles(*this,
                           {"register_load_cycles", "cycles", "load of a NIU register by a core",
                            "ISA BabyRISCV/README.md: 7 or more"},
                           {.value = 7, .min = 1, .max = 64}),
      assign_cycles(
          *this, {"assign_cycles", "cycles", "store to CMD_CTRL until the VC is assigned", kFitted},
          {.value = 2, .min = 1, .max = 64}),
      request_cycles(*this,
                     {"request_cycles", "cycles", "VC assigned until the header leaves", kFitted},
                     {.value = 1, .min = 1, .max = 64}),
      target_cycles(
          *this,
          {"target_cycles", "cycles", "request arrived until it is at the tile's memory", kFitted},
          {.value = 1, .min = 1, .max = 64}),
      response_cycles(*this,
                      {"response_cycles", "cycles", "memory done until the answer leaves", kFitted},
                      {.value = 1, .min = 1, .max = 64}),
      receive_cycles(
          *this,
          {"receive_cycles", "cycles", "answer arrived until it is counted or written", kFitted},
          {.value = 1, .min = 1, .max = 64}),
      l1_read_cycles(*this,
                     {"l1_read_cycles", "cycles",
                      "read of L1 by a NIU, beyond the time at its ports", kFitted},
                     {.value = 1, .min = 0, .max = 64}),
      l1_write_cycles(
          *this,
          {"l1_write_cycles", "cycles",
           "write of L1 by a NIU until it is committed, beyond the time at its ports", kFitted},
          {.value = 1, .min = 0, .max = 64}),
      answer_bytes_per_cycle(
          *this,
          {"answer_bytes_per_cycle", "bytes/cycle",
           "rate at which a NIU reads L1 for the answers to others' reads",
           "assumed: slope of single reads from one tile in tt-metal "
           "noc_latencies.yaml, 1 to 64 KiB at either distance: 28.5 and 28.6. 256 reads "
           "of 8 KiB have 28.4 and 28.5, with headers. Reads from 63 tiles in turn and "
           "writes take a cycle for each flit."},
          {.value = 28.5, .min = 1.0, .max = 64.0}),
      dram_request_cycles(
          *this,
          {"dram_request_cycles", "cycles",
           "from one read request that a NIU of a DRAM tile passes on to the next",
           "tt-metal issue 55898: one in 6.8 cycles of each endpoint and NoC, whatever its size"},
          {.value = 6.8, .min = 0.0, .max = 64.0}),
      dram_answer_flits(
          *this,
          {"dram_answer_flits", "flits",
           "answers that a NIU of a DRAM tile has asked its channels for and not sent",
           "assumed: two of the longest packets, one that leaves and one that is read. 16 and 48 "
           "tiles that read twelve channels take 175 and 399 thousand cycles (mesham/tt-sim, "
           "dramratebench), and 129 and 297 without an end"},
          {.value = 514, .min = 1, .max = 65536}),
      dram_write_bytes_per_cycle(
          *this,
          {"dram_write_bytes_per_cycle", "bytes/cycle",
           "rate at which a NIU of a DRAM tile takes the data of writes off the link",
           "ISA DRAMTile/README.md, Performance: data can only be ingested by DRAM at 24 GB/s"},
          {.value = 24.0, .min = 1.0, .max = 64.0}),
      packets_per_vc(*this,
                     {"packets_per_vc", "packets",
                      "requests that may hold one first-hop VC, one leaving and others prefetching",
                      "assumed"},
                     {.value = 2, .min = 1, .max = 16}),
      path_reserve_hop_cycles(
          *this,
          {"path_reserve_hop_cycles", "cycles", "one hop of a path reservation and of its answer",
           "assumed: hop_cycles there and 6 back; single multicasts of 64 B in tt-metal "
           "noc_latencies.yaml, and those in a row, whose requests follow the packet before at "
           "broadcast_hop_cycles"},
          {.value = 15, .min = 0, .max = 256}),
      jitter(*this,
             {"jitter", "cycles",
              "each packet leaves its NIU a random 0 to this many cycles later, behind the one "
              "before; 0: none. A program whose results change lacks a wait",
              "ours"},
             {.value = 0, .min = 0, .max = 1'000'000}),
      jitter_seed(*this, {"jitter_seed", "", "seed of the delays (only with jitter!=0)", "ours"},
                  {.value = 1, .min = 0, .max = ~std::uint64_t{0}}) {}

support::Calendar::Lookahead lookahead(const NocConfig& config) {
  // Every step of the network that ends in a NIU passes the wires between router and NIU. So does
  // the report that a virtual channel is free again.
  const support::Cycle event_to_tile =
      std::min(config.router_to_niu_cycles.value(), config.niu_to_router_cycles.value());
  // A packet passes at least one hop.
  const support::Cycle path =
      config.niu_to_router_cycles.value() +
      std::min(config.hop_cycles.value(), config.broadcast_hop_cycles.value()) +
      config.router_to_niu_cycles.value();
  // A NIU acts on the network at least one cycle later. With whole reserved paths, that reaches
  // another tile after one hop, and so does the credit for a slot of a target's buffer. Hop by hop,
  // a slot that a tile frees lets a packet through to the tile behind it as soon as the credit
  // arrives.
  const support::Cycle credit = config.credit_cycles.value() + event_to_tile;
  const support::Cycle tile_to_tile = 1 + (config.torus == "fast" ? path : std::min(path, credit));
  // A core reaches other tiles only through a request of its NIU, which must first get a channel.
  const support::Cycle core_to_tile =
      config.assign_cycles.value() + config.request_cycles.value() + path;
  return {.tile_to_tile = tile_to_tile,
          .event_to_tile = event_to_tile,
          .portless_more = core_to_tile > tile_to_tile ? core_to_tile - tile_to_tile : 0};
}

}  // namespace tvp::noc
