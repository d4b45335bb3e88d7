#include "models/dram/traffic/dram_traffic_config.h"

#include <string>

#include "models/dram/traffic/pattern_source.h"
#include "models/dram/traffic/trace_source.h"

namespace tvp::dram {

namespace {

/// Limit of a pattern's working set.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 34;

std::vector<std::string> format_choices() {
  std::vector<std::string> choices = trace_format_names();
  choices.insert(choices.begin(), "auto");
  return choices;
}

[[noreturn]] void bad(const char* key, const std::string& text) {
  throw foundation::Fault(foundation::FaultKind::kDescription, std::string("dram_traffic.") + key,
                          text);
}

}  // namespace

DramTrafficConfig::DramTrafficConfig()
    : SettingGroup("dram_traffic", SetBy::kRun),
      pattern(*this, {"pattern", "", "order of addresses; trace reads them from a file", "user"},
              {.value = "stream", .choices = {"stream", "strided", "random", "trace"}}),
      trace(*this,
            {"trace", foundation::kInputFile,
             "file of lines TIME R|W ADDRESS, TIME in cycles or +GAP, or a trace of DRAMsim3, "
             "Ramulator or DRAMSys (only with pattern=trace)",
             "user"},
            ""),
      trace_format(
          *this,
          {"trace_format", "",
           "format of the trace; auto: by its first line (only with pattern=trace)", "user"},
          {.value = "auto", .choices = format_choices()}),
      trace_clock_mhz(
          *this,
          {"trace_clock_mhz", "MHz",
           "clock of the trace's times; 0: the memory's CK (only with pattern=trace)", "user"},
          {.value = 0, .min = 0, .max = 100000}),
      instructions_per_ck(
          *this,
          {"instructions_per_ck", "",
           "instructions between accesses that a core executes in a cycle of CK, in "
           "traces with instructions (only with pattern=trace)",
           "assumed: Ramulator 2's example, ipc 4 with clocks 8 to 3"},
          {.value = 32.0 / 3, .min = 0.001, .max = 1000.0}),
      trace_wraps(
          *this,
          {"trace_wraps", "",
           "addresses of a trace beyond the memory wrap around (only with pattern=trace)", "user"},
          false),
      timing_file(*this,
                  {"timing_file", foundation::kInputFile,
                   "timing file of DDR3 or DDR4 from DRAMsim3, Ramulator or DRAMSys, instead of "
                   "dram.preset",
                   "user"},
                  ""),
      requests(*this,
               {"requests", "",
                "number of bursts; a trace is played whole (only with pattern!=trace)", "user"},
               {.value = 200000, .min = 1, .max = std::uint64_t{1} << 40}),
      outstanding(*this, {"outstanding", "", "requests that may be open at a time", "user"},
                  {.value = 64, .min = 1, .max = 65536}),
      rate_per_ns(*this,
                  {"rate_per_ns", "1/ns",
                   "rate of requests, independent of answers; 0: as fast as answers (only with "
                   "pattern!=trace)",
                   "user"},
                  {.value = 0.0, .min = 0.0, .max = 1000.0}),
      read_share(
          *this,
          {"read_share", "", "share of reads, the others write (only with pattern!=trace)", "user"},
          {.value = 1.0, .min = 0.0, .max = 1.0}),
      stride_bytes(
          *this,
          {"stride_bytes", "bytes",
           "distance of addresses in the strided pattern (only with pattern=strided)", "user"},
          {.value = 8192, .min = 1, .max = kMostBytes}),
      working_set_bytes(*this,
                        {"working_set_bytes", "bytes",
                         "memory that a pattern covers (only with pattern!=trace)", "user"},
                        {.value = std::uint64_t{1} << 26, .min = 1, .max = kMostBytes}),
      seed(*this,
           {"seed", "", "seed of random addresses and directions; vp run --seed sets it", "user"},
           {.value = 1, .min = 0, .max = ~std::uint64_t{0}}) {}

std::unique_ptr<TrafficSource> DramTrafficConfig::make_source(const MemorySystem& memory) const {
  if (pattern == "trace") {
    if (trace.value().empty()) bad("trace", "names no file: expected one for the pattern trace");
    const TraceSource::Options options{.format = trace_format.value(),
                                       .clock_mhz = trace_clock_mhz,
                                       .instructions_per_ck = instructions_per_ck,
                                       .wraps = trace_wraps};
    return std::make_unique<TraceSource>(trace.value(), options, memory);
  }
  const unsigned burst = memory.mapping().burst_bytes();
  const auto whole = [&](const char* key, std::uint64_t bytes) {
    if (bytes % burst != 0 || bytes > memory.mapping().bytes()) {
      bad(key, std::to_string(bytes) + ": expected a multiple of a burst's " +
                   std::to_string(burst) + " bytes up to the memory's " +
                   std::to_string(memory.mapping().bytes()));
    }
  };
  whole("working_set_bytes", working_set_bytes);
  if (pattern == "strided") whole("stride_bytes", stride_bytes);
  PatternSource::Options o;
  o.kind = pattern == "random"    ? PatternSource::Kind::kRandom
           : pattern == "strided" ? PatternSource::Kind::kStrided
                                  : PatternSource::Kind::kStream;
  o.requests = requests;
  o.working_set_bytes = working_set_bytes;
  o.stride_bytes = stride_bytes;
  o.burst_bytes = burst;
  o.read_share = read_share;
  o.rate = rate_per_ns * memory.preset().timing.tck.ns();
  o.seed = seed;
  return std::make_unique<PatternSource>(o);
}

}  // namespace tvp::dram
