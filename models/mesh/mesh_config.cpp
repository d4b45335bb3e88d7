#include "models/mesh/mesh_config.h"

#include "models/mesh/flow_control/flow_control_registry.h"
#include "models/mesh/routing/routing_registry.h"

namespace tvp::mesh {

using foundation::kOwnChoice;

namespace {
constexpr const char* kDocument = "PIM interconnect document: 4 x 8 routers";
constexpr const char* kPipeline = "assumed: the textbook pipeline VA, SA, ST, link";
}  // namespace

MeshConfig::MeshConfig()
    : SettingGroup("mesh", SetBy::kDescription),
      width(*this, {"width", "routers", "routers from west to east", kDocument},
            {.value = 4, .min = 1, .max = 64}),
      height(*this, {"height", "routers", "routers from south to north", kDocument},
             {.value = 8, .min = 1, .max = 64}),
      clock_mhz(
          *this,
          {"clock_mhz", "MHz", "clock of the routers", "assumed: that of the bank processors"},
          {.value = 350, .min = 1, .max = 10000}),
      router(*this,
             {"router", foundation::kNoFile,
              "kind of routers: tlm, rtl (SystemVerilog), or rtl:X:Y for one RTL router among TLM. "
              "rtl:LIBRARY and rtl:LIBRARY:X:Y for a router of tensix_vp_add_rtl(). "
              "With prefix chipN. for the mesh of one chip. Also spelt router=…",
              kOwnChoice},
             "tlm"),
      routing(*this, {"routing", "", "routing function", "PIM interconnect document"},
              {.value = "xy", .choices = routing_names()}),
      routing_seed(
          *this,
          {"routing_seed", "",
           "seed of the random choices of o1turn and valiant (only with routing=o1turn|valiant)",
           kOwnChoice},
          {.value = 1, .min = 0, .max = ~std::uint64_t{0}}),
      flow_control(
          *this,
          {"flow_control", "",
           "reaction to a taken output: hold one flit at each input, deflect, drop and send again, "
           "or wait in virtual channels; static: a schedule prevents conflicts",
           "PIM interconnect document (hold), PIMnet, HPCA 2025 (static)"},
          {.value = "buffered", .choices = flow_control_names()}),
      vcs(*this,
          {"vcs", "channels", "virtual channels of a port (only with flow_control=buffered)",
           "assumed"},
          {.value = 2, .min = 1, .max = 8}),
      buffer_flits(*this,
                   {"buffer_flits", "flits",
                    "buffer of a virtual channel (only with flow_control=buffered)", "assumed"},
                   {.value = 8, .min = 1, .max = 64}),
      vc_selection(
          *this,
          {"vc_selection", "",
           "free channel that a packet gets: the one with the most credits, or the next in "
           "turn (rotating), which may have none (only with flow_control=buffered)",
           "assumed (most_credits); iSLIP, as in BookSim2 (rotating)"},
          {.value = "most_credits", .choices = {"most_credits", "rotating"}}),
      route_cycles(*this,
                   {"route_cycles", "cycles",
                    "head flit at the front of its buffer until its output is known (only with "
                    "flow_control=buffered)",
                    "assumed: the output is looked up one router ahead"},
                   {.value = 0, .min = 0, .max = 8}),
      vc_allocation_cycles(*this,
                           {"vc_allocation_cycles", "cycles",
                            "allocation of a virtual channel; 0 in the cycle of the switch "
                            "allocation (only with flow_control=buffered)",
                            kPipeline},
                           {.value = 1, .min = 0, .max = 8}),
      switch_allocation_cycles(*this,
                               {"switch_allocation_cycles", "cycles",
                                "switch allocation (only with flow_control=buffered)", kPipeline},
                               {.value = 1, .min = 1, .max = 8}),
      switch_traversal_cycles(*this,
                              {"switch_traversal_cycles", "cycles",
                               "through the switch (only with flow_control=buffered)", kPipeline},
                              {.value = 1, .min = 0, .max = 8}),
      link_cycles(*this,
                  {"link_cycles", "cycles",
                   "over the link to the next router (only with flow_control=buffered)", kPipeline},
                  {.value = 1, .min = 0, .max = 8}),
      credit_cycles(
          *this,
          {"credit_cycles", "cycles",
           "flit leaves its buffer until the router before it may use its slot: a "
           "register, the wire, and what BookSim2 calls credit_delay (only with "
           "flow_control=buffered)",
           "BookSim2 with its credit_delay of 1: B flits of buffer pass B / 6 flits a cycle"},
          {.value = 3, .min = 1, .max = 8}),
      injection_cycles(*this,
                       {"injection_cycles", "cycles",
                        "flit leaves the injection queue until it is in its router (only with "
                        "flow_control=buffered)",
                        "assumed: source and its link"},
                       {.value = 2, .min = 1, .max = 8}),
      injection_credit_cycles(
          *this,
          {"injection_credit_cycles", "cycles",
           "flit leaves the buffer behind an endpoint until the endpoint may use its slot: "
           "a register and the wire (only with flow_control=buffered)",
           "BookSim2: its credit_delay, a stage of a router, does not delay sources; 3 flits of 2 "
           "slots take 6 cycles"},
          {.value = 2, .min = 1, .max = 8}),
      injection_queue_packets(
          *this,
          {"injection_queue_packets", "packets",
           "packets that fit into the injection queue of an endpoint; 0 for no limit", "assumed"},
          {.value = 4, .min = 0, .max = 65535}),
      arbitration(*this,
                  {"arbitration", "",
                   "order of competing requests; default: round_robin with virtual channels, else "
                   "oldest (only with flow_control!=static)",
                   kOwnChoice},
                  {.value = "default", .choices = arbitration_names()}),
      class_weights(*this,
                    {"class_weights", foundation::kNoFile,
                     "turns of traffic classes 0 to 3 (only with arbitration=weighted)", "assumed"},
                    "1:2:4:8"),
      vc_groups(*this,
                {"vc_groups", "",
                 "parts of the virtual channels; traffic class c uses part c, or the last one "
                 "(only with flow_control=buffered)",
                 kOwnChoice},
                {.value = 1, .min = 1, .max = 4}),
      throttle_flits(*this,
                     {"throttle_flits", "flits",
                      "an endpoint starts no packet while its router holds more than this; 0: no "
                      "limit (only with flow_control=buffered)",
                      kOwnChoice},
                     {.value = 0, .min = 0, .max = 4096}),
      faults(*this,
             {"faults", foundation::kNoFile,
              "faults: link:X.Y.PORT@CYCLE;router:X.Y@CYCLE, with suffix +CYCLES if transient, and "
              "with "
              "prefix chipN. if each chip has a mesh",
              kOwnChoice},
             ""),
      random_link_faults(
          *this, {"random_link_faults", "", "number of random links that break", kOwnChoice},
          {.value = 0, .min = 0, .max = 4096}),
      random_router_faults(
          *this, {"random_router_faults", "", "number of random routers that break", kOwnChoice},
          {.value = 0, .min = 0, .max = 4096}),
      random_fault_until(*this,
                         {"random_fault_until", "cycles",
                          "random faults begin by this cycle (only with random_link_faults!=0 or "
                          "random_router_faults!=0)",
                          kOwnChoice},
                         {.value = 1000, .min = 1, .max = 1'000'000'000}),
      random_fault_cycles(*this,
                          {"random_fault_cycles", "cycles",
                           "duration of random faults; 0: permanent (only with "
                           "random_link_faults!=0 or random_router_faults!=0)",
                           kOwnChoice},
                          {.value = 0, .min = 0, .max = 1'000'000'000}),
      fault_seed(
          *this,
          {"fault_seed", "",
           "seed of the random faults (only with random_link_faults!=0 or random_router_faults!=0)",
           kOwnChoice},
          {.value = 1, .min = 0, .max = ~std::uint64_t{0}}),
      fault_detect_cycles(
          *this,
          {"fault_detect_cycles", "cycles",
           "time for which a permanent fault damages packets before all routers have new tables "
           "(only with faults!= or random_link_faults!=0 or random_router_faults!=0)",
           "assumed"},
          {.value = 200, .min = 1, .max = 1'000'000}),
      max_retries(*this,
                  {"max_retries", "",
                   "times that a damaged packet is sent again before it is lost (only with "
                   "faults!= or random_link_faults!=0 or random_router_faults!=0)",
                   "assumed"},
                  {.value = 64, .min = 0, .max = 65535}) {}

Arbitration arbitration_of(const MeshConfig& config) {
  return find_arbitration(config.arbitration.value(),
                          find_flow_control(config.flow_control.value()).has_channels);
}

support::Calendar::Lookahead lookahead(const MeshConfig& config) {
  static_cast<void>(config);
  // A moving flit reaches its endpoint in the next cycle at the earliest, and so does a credit of
  // an injection queue. A tile injects at least one cycle after its own cycle.
  return {.tile_to_tile = 2, .event_to_tile = 1};
}

}  // namespace tvp::mesh
