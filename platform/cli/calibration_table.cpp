#include "platform/cli/calibration_table.h"

namespace tvp::cli {

namespace {

constexpr const char* kPlots = "tt-metal tests/tt_metal/tt_metal/data_movement, perf plots";
constexpr const char* kLatencies =
    "tt-metal tests/tt_metal/tt_metal/data_movement/noc_estimator/noc_latencies.yaml";

constexpr const char* kNocLatency = "noc_latency";
constexpr const char* kNocSameColumn = "noc_latency --set noc_latency.distance_x=0";
constexpr const char* kNocBandwidth = "noc_bandwidth";

constexpr const char* kRoundTrip =
    "issue by the core, NIUs, 22 hops of the round trip on a one-way torus, poll of the counter";
constexpr const char* kStreaming = "a flit of 32 B a cycle on links and L1 ports";

constexpr const char* kReadStream =
    "silicon takes 1.12 cycles for a flit of a read and 1.02 for one of a write; the model's L1 "
    "ports and links take one";

constexpr CalibrationRow kTable[] = {
    {"NoC write, 32 B", 294, "cycles", kPlots, kRoundTrip, kNocLatency, "write_32"},
    {"NoC write, 1024 B", 326, "cycles", kPlots, kRoundTrip, kNocLatency, "write_1024"},
    {"NoC write, 8192 B", 555, "cycles", kPlots, kStreaming, kNocLatency, "write_8192"},
    {"NoC read, 32 B", 290, "cycles", kPlots, kRoundTrip, kNocLatency, "read_32"},
    {"NoC read, 1024 B", 322, "cycles", kPlots, kRoundTrip, kNocLatency, "read_1024"},
    {"NoC read, 8192 B", 570, "cycles", kPlots, kStreaming, kNocLatency, "read_8192"},
    {"NoC loopback write, 32 B", 104, "cycles", kPlots, "issue by the core, NIU, L1, no hop",
     kNocLatency, "loopback_32"},
    {"NoC read, 64 B, both axes", 293, "cycles", kLatencies, kRoundTrip, kNocLatency, "read_64"},
    {"NoC read, 64 B, same column", 205, "cycles", kLatencies,
     "as on both axes, with the 12 hops of one column", kNocSameColumn, "read_64"},
    {"256 NoC writes, 64 B, each", 23, "cycles", kPlots,
     "stores to the NIU's registers and poll of CMD_CTRL", kNocBandwidth, "write_64_each"},
    {"256 NoC writes, 1024 B", 29.5, "bytes/cycle", kPlots, kStreaming, kNocBandwidth,
     "write_1024_rate"},
    {"256 NoC reads, 64 B, each", 20, "cycles", kPlots,
     "stores to the NIU's registers and poll of CMD_CTRL", kNocBandwidth, "read_64_each"},
    {"256 NoC reads, 8192 B", 28.7, "bytes/cycle", kPlots, kStreaming, kNocBandwidth,
     "read_8192_rate", kReadStream},
};

}  // namespace

std::span<const CalibrationRow> calibration_table() { return kTable; }

}  // namespace tvp::cli
