#include "models/dram/dram_config.h"

#include <algorithm>
#include <string>
#include <vector>

#include "models/dram/policies/policy_registry.h"
#include "models/dram/timing/preset_file.h"

namespace tvp::dram {

namespace {
constexpr const char* kPerformance = "ISA DRAMTile/README.md, Performance";
constexpr const char* kPeer = "DRAMsim3 DDR4_8Gb_x8_2400.ini";
/// Burst size in which the peer simulator counts its queue depths. A queue holds bytes, so bursts
/// of half the size get twice the depth.
constexpr unsigned kPeerBurstBytes = 64;

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const Preset& preset : presets()) names.emplace_back(preset.name);
  return names;
}
}  // namespace

DramConfig::DramConfig()
    : SettingGroup("dram", SetBy::kDescription),
      controller(*this,
                 {"controller", "",
                  "model of a Tensix chip's channel: banked has banks, rows and refresh, "
                  "service is a rate and a latency",
                  "ours"},
                 {.value = "banked", .choices = {"banked", "service"}}),
      bytes_per_cycle(
          *this,
          {"bytes_per_cycle", "bytes/cycle",
           "raw rate of a channel: 16 bits at 12 GT/s, AICLK 1 GHz (only with controller=service)",
           kPerformance},
          {.value = 24.0, .min = 0.1, .max = 1024.0}),
      read_efficiency(*this,
                      {"read_efficiency", "",
                       "share of the raw rate that reads reach between two refreshes (only with "
                       "controller=service)",
                       "assumed: refresh alone explains what reads do not reach"},
                      {.value = 1.0, .min = 0.01, .max = 1.0}),
      write_efficiency(*this,
                       {"write_efficiency", "",
                        "share of the raw rate that writes reach between two refreshes (only with "
                        "controller=service)",
                        "ISA DRAMTile/README.md, Performance: 91.8 % in all, reads 93.1 %"},
                       {.value = 0.986, .min = 0.01, .max = 1.0}),
      refresh_interval_cycles(*this,
                              {"refresh_interval_cycles", "cycles",
                               "from the beginning of a refresh of a channel to the next; 0: none "
                               "(only with controller=service)",
                               "JEDEC GDDR6: tREFI 1.9 us"},
                              {.value = 1900, .min = 0, .max = 1000000}),
      refresh_cycles(
          *this,
          {"refresh_cycles", "cycles",
           "a refresh, in which the channel moves nothing (only with controller=service)",
           "ISA DRAMTile/README.md: a steady read loses 6.9 % of the interval"},
          {.value = 131, .min = 0, .max = 100000}),
      burst_bytes(
          *this,
          {"burst_bytes", "bytes",
           "least that a channel moves: 16 transfers of 16 bits (only with controller=service)",
           "JEDEC GDDR6: burst length 16"},
          {.value = 32, .min = 1, .max = 1024}),
      read_latency_cycles(*this,
                          {"read_latency_cycles", "cycles",
                           "request at the controller until its first bytes come back (only with "
                           "controller=service)",
                           "assumed: difference of the published 32 B reads of DRAM and of L1 "
                           "(tt-metal data movement plots)"},
                          {.value = 99, .min = 1, .max = 10000}),
      write_latency_cycles(
          *this,
          {"write_latency_cycles", "cycles",
           "last byte at the controller until it is acknowledged (only with controller=service)",
           "assumed: difference of the published 32 B writes to DRAM and to L1 "
           "(tt-metal data movement plots)"},
          {.value = 123, .min = 1, .max = 10000}),
      queue_bytes(*this,
                  {"queue_bytes", "bytes", "requests that a controller takes ahead of the channel",
                   "assumed"},
                  {.value = 8192, .min = 32, .max = 1048576}),
      preset(*this,
             {"preset", "", "kind and speed of the parts with banks (only with controller=banked)",
              "models/dram/timing/timing.cpp"},
             {.value = "gddr6_12", .choices = preset_names()}),
      ranks(*this,
            {"ranks", "",
             "ranks of a channel; with a timing file, 1 means those of the file (only with "
             "controller=banked)",
             "assumed: one, as on a single-rank DIMM"},
            {.value = 1, .min = 1, .max = 8}),
      mapping(*this,
              {"mapping", foundation::kNoFile,
               "fields of an address from its highest bit on; a number behind a name says how many "
               "bits are there (only with controller=banked)",
               "assumed: groups above a burst, so that a stream alternates between them"},
              "row:rank:bank:column:bankgroup:channel"),
      hash_banks(*this,
                 {"hash_banks", "",
                  "exclusive-or the bits of group and bank with those of the row (only with "
                  "controller=banked)",
                  "assumed"},
                 false),
      page(*this,
           {"page", "",
            "rows stay open, or close after their last request (closed), each column command "
            "(auto_precharge) or a time (timeout) (only with controller=banked)",
            kPeer},
           {.value = "open", .choices = page_policy_names()}),
      page_timeout_cycles(
          *this,
          {"page_timeout_cycles", "CK cycles",
           "idle time after which a row closes (only with page=timeout)", "assumed"},
          {.value = 200, .min = 1, .max = 1000000}),
      scheduler(*this,
                {"scheduler", "", "which request goes first (only with controller=banked)",
                 "first ready, first come, first served: Rixner et al., ISCA 2000"},
                {.value = "fr_fcfs", .choices = scheduler_names()}),
      starvation_cap(
          *this,
          {"starvation_cap", "",
           "row hits that may pass an older request of their bank (only with scheduler=fr_fcfs)",
           "assumed"},
          {.value = 16, .min = 0, .max = 1000000}),
      refresh(
          *this,
          {"refresh", "",
           "all_bank, bank (REFsb of DDR5, REFpb of GDDR6), or off (only with controller=banked)",
           "JESD79-4, JESD79-5, JESD250"},
          {.value = "all_bank", .choices = refresh_policy_names()}),
      refresh_postpone(*this,
                       {"refresh_postpone", "",
                        "refreshes that may wait for a moment without requests; at most what the "
                        "standard permits (only with refresh!=off)",
                        "JESD79-4 4.26, JESD79-5"},
                       {.value = 0, .min = 0, .max = 8}),
      read_queue(*this,
                 {"read_queue", "x 64 B",
                  "reads that wait beyond the banks' queues (only with controller=banked)", kPeer},
                 {.value = 32, .min = 1, .max = 4096}),
      write_queue(
          *this,
          {"write_queue", "x 64 B",
           "writes that wait beyond the banks' queues (only with controller=banked)", kPeer},
          {.value = 32, .min = 1, .max = 4096}),
      bank_queue(
          *this,
          {"bank_queue", "x 64 B",
           "requests of a bank and direction that the scheduler sees (only with controller=banked)",
           kPeer},
          {.value = 8, .min = 1, .max = 256}),
      write_high(
          *this,
          {"write_high", "x 64 B",
           "waiting writes at which they go before reads (only with controller=banked)", "assumed"},
          {.value = 24, .min = 1, .max = 4096}),
      write_low(*this,
                {"write_low", "x 64 B",
                 "waiting writes at which reads go again (only with controller=banked)", "assumed"},
                {.value = 8, .min = 0, .max = 4096}),
      finish_rows(
          *this,
          {"finish_rows", "",
           "the data bus turns between reads and writes only after the requests whose rows "
           "are open, while rows for the other direction open (only with controller=banked)",
           "DRAMsim3 wastes no activation when the bus turns; off is assumed"},
          false),
      response_cycles(*this,
                      {"response_cycles", "CK cycles",
                       "the controller's own share of a latency (only with controller=banked)",
                       "assumed: unloaded reads of the peers are two cycles above RL + BL/2"},
                      {.value = 2, .min = 0, .max = 1000}),
      banked_read_cycles(
          *this,
          {"banked_read_cycles", "cycles",
           "controller of a Tensix chip and its PHY, beyond the commands of a read (only with "
           "controller=banked)",
           "assumed: as read_latency_cycles, less what the commands of a closed row take"},
          {.value = 66, .min = 0, .max = 10000}),
      banked_write_cycles(
          *this,
          {"banked_write_cycles", "cycles",
           "the same of a write until it is acknowledged (only with controller=banked)",
           "assumed: as write_latency_cycles, less what the commands of a closed row take"},
          {.value = 107, .min = 0, .max = 10000}),
      merge_bytes(*this,
                  {"merge_bytes", "bytes",
                   "a power of two: writes of less to one such place are merged one after the "
                   "other (only with controller=banked)",
                   "assumed: writes in a row to one place wait for each other at 64 B and not at "
                   "128 B in tt-metal noc_latencies.yaml"},
                  {.value = 128, .min = 1, .max = 8192}),
      merge_cycles(*this,
                   {"merge_cycles", "cycles",
                    "from one such write to the next at that place (only with controller=banked)",
                    "assumed: 4, 16, 64 and 256 writes of 64 B in tt-metal noc_latencies.yaml"},
                   {.value = 65, .min = 0, .max = 1000}) {}

void DramConfig::read_part(const std::string& file) { part_ = read_preset(file); }

Preset DramConfig::banked_preset() const {
  Preset result = part_ ? *part_ : *find_preset(preset.value());
  if (!part_ || ranks != 1) result.organization.ranks = ranks;
  return result;
}

ChannelOptions DramConfig::channel_options() const {
  if (write_low >= write_high) {
    throw foundation::Fault(
        foundation::FaultKind::kDescription, "dram.write_low",
        std::to_string(write_low) + " is not below dram.write_high, " + std::to_string(write_high));
  }
  ChannelOptions o;
  o.page = page.value();
  o.page_timeout_cycles = page_timeout_cycles;
  o.scheduler = scheduler.value();
  o.starvation_cap = starvation_cap;
  o.refresh = refresh.value();
  o.refresh_postpone = refresh_postpone;
  const auto bursts = [size = banked_preset().organization.burst_bytes()](unsigned depth) {
    return std::max(1U, depth * kPeerBurstBytes / size);
  };
  o.read_queue = bursts(read_queue);
  o.write_queue = bursts(write_queue);
  o.bank_queue = bursts(bank_queue);
  o.write_high = bursts(write_high);
  o.write_low = write_low == 0 ? 0 : bursts(write_low);
  o.finishes_rows = finish_rows;
  o.response_cycles = response_cycles;
  return o;
}

}  // namespace tvp::dram
