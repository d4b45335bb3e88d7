#include "platform/cli/calibration_table.h"

namespace tvp::cli {

namespace {

constexpr const char* kPlots = "tt-metal tests/tt_metal/tt_metal/data_movement, perf plots";
constexpr const char* kLatencies =
    "tt-metal tests/tt_metal/tt_metal/data_movement/noc_estimator/noc_latencies.yaml";

constexpr const char* kNocLatency = "noc_latency";
constexpr const char* kNocSameColumn = "noc_latency --set noc_latency.distance_x=0";
constexpr const char* kNocBandwidth = "noc_bandwidth";
constexpr const char* kNocStateful = "noc_bandwidth --set noc_bandwidth.stateful=true";
constexpr const char* kNocSixteen = "noc_bandwidth --set noc_bandwidth.transactions=16";

constexpr const char* kRoundTrip =
    "issue by the core, NIUs, 22 hops of the round trip on a one-way torus, poll of the counter";
constexpr const char* kIssue = "stores to the NIU's registers and poll of CMD_CTRL";
constexpr const char* kMulticast = "reservation of the path and its answer, then a tree of links";
constexpr const char* kMulticasts =
    "a path is reserved when the packet before has left: 16 cycles a hop, and the packet";
constexpr const char* kLinkedTree = "acknowledgements of all tiles, and buffers of a tree of links";
// What was measured is a chip with 64 tiles: rectangles reach over its harvested rows.
#define TVP_MULTICAST(columns, rows, transactions, ...)                    \
  "noc_multicast --system n300_chip --set noc_multicast.columns=" #columns \
  ",noc_multicast.rows=" #rows ",noc_multicast.transactions=" #transactions __VA_ARGS__
#define TVP_LINKED ",noc_multicast.linked=true,noc.torus=detailed"
#define TVP_OUTSIDE ",noc_multicast.outside=true"
constexpr const char* kAround =
    "as from inside, and the way around the torus to a rectangle left of the sender";

#define TVP_PATTERN(pattern, columns, rows, transactions, ...)                       \
  "noc_pattern --set noc_pattern.pattern=" #pattern ",noc_pattern.columns=" #columns \
  ",noc_pattern.rows=" #rows ",noc_pattern.transactions=" #transactions __VA_ARGS__
#define TVP_BUSY(bytes) ",noc.torus=detailed,noc_pattern.bytes=" #bytes
constexpr const char* kInTurn = "issue, new coordinates for each tile, and the last round trip";
constexpr const char* kAllWrite =
    "all write to the first tile, then to the second: packets on one static channel wait in "
    "routers "
    "and hold up those behind them";
constexpr const char* kOnceLate =
    "silicon takes some 60 cycles longer once more than 4 KiB of writes are under way, whatever "
    "their size; why is not known";
constexpr const char* kAllRead =
    "answers hold up each other on two channels, as writes do on their one";
constexpr const char* kReadStorm =
    "a target takes all read requests at once here; silicon works on one a virtual channel, so "
    "that "
    "the others fill the buffers of routers on the way";
constexpr const char* kOneRound =
    "of one round of long packets, who begins first decides: other moments of start give 41109";
constexpr const char* kFourWriters =
    "writers that are two by two lose a quarter on silicon, those that are three by three nothing";
constexpr const char* kStreaming = "a flit of 32 B a cycle on links and L1 ports";
constexpr const char* kAnswers = "the rate at which the answering NIU reads L1, 0.9 flits a cycle";

constexpr const char* kDramReport =
    "ISA DRAMTile/README.md; tt-metal tech_reports/Saturating_DRAM_bandwidth";
constexpr const char* kLinks =
    "tt-metal perf_microbenchmark/ethernet/test_all_ethernet_links, latency";
constexpr const char* kPing =
    "tt-metal pull request 9966: 16 B of payload and 16 B of sync words, answered by these, take "
    "almost exactly 1 us";
constexpr const char* kLongPing =
    "tt-metal perf_microbenchmark/ethernet/test_ethernet_link_ping_latency_no_edm: 530 to 620 ns, "
    "its size is not named";
constexpr const char* kLinkRates =
    "tt-metal tests/tt_metal/microbenchmarks/ethernet/test_all_ethernet_links_bandwidth.py";
constexpr const char* kFabricLine =
    "tt-metal tests/tt_metal/microbenchmarks/ethernet/test_1d_fabric_latency.py, mean of 14 hops";
constexpr const char* kFabricHop =
    "tt-metal perf_microbenchmark/routing/golden, latency summary T3000, the version that names "
    "the "
    "cores: (0, 0) of devices 0 and 1";
constexpr const char* kFabricRates =
    "tt-metal perf_microbenchmark/routing/golden, bandwidth T3000, SingleSenderLinearUnicast";

constexpr const char* kDramLatency = "dram_latency";
constexpr const char* kDramBandwidth = "dram_bandwidth";
constexpr const char* kEthernetLatency = "ethernet_latency";
constexpr const char* kEthernetBandwidth = "ethernet_bandwidth";
constexpr const char* kLongPings = "ethernet_latency --set ethernet_latency.ping_bytes=1024";
constexpr const char* kFabricLatency = "fabric_latency";
constexpr const char* kFabricHops = "fabric_latency --set fabric_latency.router_noc=1";
constexpr const char* kFabricBandwidth = "fabric_bandwidth";

constexpr const char* kDramSim = "measured on DRAMsim3 2981759 with DDR4_8Gb_x8_2400.ini, one rank";
constexpr const char* kDdr4RowHit =
    "dram --set dram_traffic.outstanding=1,dram_traffic.working_set_bytes=8192";
constexpr const char* kDdr4Random =
    "dram --set dram_traffic.outstanding=1,dram_traffic.pattern=random";
constexpr const char* kDdr4Stream = "dram";
constexpr const char* kDdr4RandomStream = "dram --set dram_traffic.pattern=random";

constexpr const char* kOneBank =
    "dram_latency --set dram_latency.transactions=64,dram_latency.rounds=5";
constexpr const char* kAllBanks =
    "dram_latency --set dram_latency.transactions=64,dram_latency.rounds=5,dram_latency.banks=12";
constexpr const char* kDramSeries =
    "issue by the core, or the channel's raw rate and its refreshes, whichever is slower";
constexpr const char* kDramTiles = "ISA DRAMTile/README.md, Performance";
#define TVP_CROWD(cores, channels, noc, direction, vc)                                             \
  "dram_crowd --set noc.torus=detailed,dram_crowd.cores=" #cores ",dram_crowd.channels=" #channels \
  ",dram_crowd.noc=" #noc ",dram_crowd.direction=" #direction ",dram_crowd.vc=" #vc
constexpr const char* kStaticWrites =
    "write data of one packet after the other at the DRAM's NIU; whoever waits holds back its "
    "source by the 512 B that one channel has of a router's buffer";
constexpr const char* kDynamicWrites =
    "write data of one packet after the other at the DRAM's NIU; three waiting packets fill the "
    "pool of the last router's input, so that the fourth moves 128 B each round trip of a hop";
constexpr const char* kPlacedAtRandom =
    "packets that share links and channels on the way, and the DRAM's NIUs as for one channel";

constexpr const char* kDramAccess = "as a NoC transfer, and the controller's latency";
constexpr const char* kDramRate = "the channel's raw rate, and its refreshes";
constexpr const char* kRefresh =
    "as a NoC transfer, the controller's latency, and a refresh of the channel that it meets";
constexpr const char* kLink =
    "store and forward in the transmit buffer, line rate with framing, latency of link and "
    "queues, polls of both cores";

constexpr const char* kLinkLoops = "loops of both cores, a message and an acknowledgement each";
constexpr const char* kLinkShared =
    "line rate with framing, which messages and acknowledgements of the other way share";
constexpr const char* kSlowLoop =
    "the sender's loop takes 64 cycles here and 57 on silicon, for messages of 16 to 512 B alike; "
    "whether by its code or by the core is not known";
constexpr const char* kBothWays = "ethernet_bandwidth --set ethernet_bandwidth.both_ways=true";
constexpr const char* kLinkLine = "line rate with framing, a transmit buffer that never runs dry";

constexpr const char* kForwarding =
    "router firmware on both ends of a link, the link, a write over the NoC to the next router; "
    "packets are stored whole in L1 before each";
constexpr const char* kFabricEnds =
    "a hop, the way to the router over NoC 0 and the way from the other one over NoC 1";
constexpr const char* kFabricStream =
    "the line with framing and the router's loop, whichever is slower for the size";
constexpr const char* kSingleCore =
    "tt-metal tests/scripts/test_moreh_microbenchmark.py, test_matmul_single_core_sharded";
constexpr const char* kMatmul =
    "MVMULs with the instructions between tiles, banks that stay, reload and pack of partial "
    "results, hand-over of blocks";
constexpr const char* kTileSteps =
    "MVMULs, SETC16 and SETRWC of a tile, and waiting for the bank of the next one";
#define TVP_MATMUL(k, options) \
  "matmul --set m=512,n=512,k=" #k ",blocks=8,resident=true,format=bfp8_b,fidelity=" options

constexpr const char* kLlkSteps =
    "tt-metal tt_metal/tt-llk/docs/perf_evaluation/results/wormhole-nonsol/data/"
    "serial_replay_movers.csv, perf_matmul L1_TO_L1, what longer inner dimensions take more";
constexpr const char* kLlkPack =
    "tt-metal tt_metal/tt-llk/docs/perf_evaluation/results/wormhole-nonsol/noise_isolates.md, "
    "perf_matmul PACK_ISOLATE";
constexpr const char* kUnpackers =
    "unpackers that read 64 B a cycle together, a WRCFG and an address step before each tile";
constexpr const char* kCallBound =
    "tt-llk's core takes some 100 cycles to prepare each step, as with two tiles of BF16; here the "
    "coprocessor steps its addresses by itself";
constexpr const char* kPackers =
    "16 B a cycle of each of four packers, and a flush before each tile that the next one waits "
    "for";
#define TVP_STEP(format, rows, columns)                                      \
  "matmul_tile --set matmul_tile.format=" #format ",matmul_tile.rows=" #rows \
  ",matmul_tile.columns=" #columns
#define TVP_PACK(tiles) "tile_cycles --set tile_cycles.tiles=" #tiles

constexpr const char* kCores =
    "documented: ISA TensixTile/BabyRISCV/README.md, and L1.md for what repeats";
constexpr const char* kPipeline = "the core's pipeline, and its load/store unit";

constexpr const char* kCrowdedChannel =
    "four packets at the last hop, each 60 round trips of 16 cycles, are 8.5 GB/s; that the model "
    "is above is when one class of channels runs empty, that silicon is below is not explained";

// A mesh beside BookSim2 with the same routers: 8 x 8, x then y, uniform, 2 VCs of 8 flits.
constexpr const char* kBookSim = "measured on BookSim2 28f43299";
constexpr const char* kMeshIdle = "mesh --set traffic.load=0.01,traffic.measure_cycles=50000";
constexpr const char* kMeshIdleLong =
    "mesh --set traffic.load=0.01,traffic.packet_flits=5,traffic.measure_cycles=50000";
constexpr const char* kMeshLoaded = "mesh --set traffic.load=0.3,traffic.measure_cycles=10000";
constexpr const char* kMeshFull = "mesh --set traffic.load=0.6,traffic.drain_cycles=1000";

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
    {"256 NoC writes, 64 B, each", 23, "cycles", kPlots, kIssue, kNocBandwidth, "write_64_each"},
    {"256 NoC writes, 1024 B", 29.5, "bytes/cycle", kPlots, kStreaming, kNocBandwidth,
     "write_1024_rate"},
    {"256 NoC reads, 64 B, each", 20, "cycles", kPlots, kIssue, kNocBandwidth, "read_64_each"},
    {"256 NoC reads, 8192 B", 28.7, "bytes/cycle", kPlots, kAnswers, kNocBandwidth,
     "read_8192_rate"},
    {"DRAM interleaved read, 32 B", 384, "cycles", kPlots, kDramAccess, kDramLatency, "read_32"},
    {"DRAM interleaved read, 8192 B", 871, "cycles", kPlots, kRefresh, kDramLatency,
     "read_8192_longest"},
    {"DRAM interleaved write, 32 B", 401, "cycles", kPlots, kDramAccess, kDramLatency, "write_32"},
    {"DRAM interleaved write, 8192 B", 757, "cycles", kPlots, kDramAccess, kDramLatency,
     "write_8192"},
    {"DRAM read, one channel", 22.3, "GB/s", kDramReport, kDramRate, kDramBandwidth,
     "read_1_channels"},
    {"DRAM read, 12 channels, placed readers", 266, "GB/s", kDramReport, kDramRate, kDramBandwidth,
     "read_12_channels"},
    {"DRAM write, 1 tile, dynamic channels", 21.8, "GB/s", kDramTiles, kStaticWrites,
     TVP_CROWD(1, 1, 0, write, dynamic) ",dram_crowd.bytes=1048576 --seed 2", "rate"},
    {"DRAM write, 48 tiles, static channels", 22.0, "GB/s", kDramTiles, kStaticWrites,
     TVP_CROWD(48, 1, 0, write, static), "rate"},
    {"DRAM write, 48 tiles, dynamic channels", 7.9, "GB/s", kDramTiles, kDynamicWrites,
     TVP_CROWD(48, 1, 0, write, dynamic), "rate", kCrowdedChannel},
    {"DRAM write, 48 at random, 12, static", 52.3, "GB/s", kDramTiles, kPlacedAtRandom,
     TVP_CROWD(48, 12, 0, write, static), "rate"},
    {"DRAM read, 48 tiles", 22.3, "GB/s", kDramTiles, kDramRate, TVP_CROWD(48, 1, 0, read, dynamic),
     "rate"},
    {"DRAM read, 48 at random, 12 channels", 197.1, "GB/s", kDramTiles, kPlacedAtRandom,
     TVP_CROWD(48, 12, 0, read, dynamic), "rate"},
    {"ethernet round trip, 16 B", 894, "ns", kLinks, kLink, kEthernetLatency, "round_trip_16"},
    {"ethernet round trip, 1024 B", 1245, "ns", kLinks, kLink, kEthernetLatency, "round_trip_1024"},
    {"ethernet round trip, 8192 B", 2451, "ns", kLinks, kLink, kEthernetLatency, "round_trip_8192"},
    {"ethernet one-way ping, 16 B", 500, "ns", kPing, kLink, kEthernetLatency, "one_way_ping"},
    // The benchmark pings with 16 and 1024 B; what was published of 16 B is outside of this range.
    {"ethernet one-way ping, 1024 B", 575, "ns", kLongPing, kLink, kLongPings, "one_way_ping"},
    {"fabric further hop, 16 B", 711, "ns", kFabricLine, kForwarding, kFabricLatency,
     "further_hop_16"},
    {"fabric link, packets of 4096 B", 11.78, "GB/s", kFabricRates, kFabricStream, kFabricBandwidth,
     "rate_4096"},
    {"matmul tile, a fidelity phase more", 16, "cycles",
     "ISA TensixCoprocessor/MatrixUnit.md; tt-llk issue 768", "16 MVMULs", "matmul_tile", "phase"},
    {"matmul 512x512x512 8 times, LoFi", 717089, "cycles", kSingleCore, kMatmul,
     TVP_MATMUL(512, "lofi"), "kernel_cycles"},
    // Further sizes and patterns.
    {"matmul 512x512x512 8 times, HiFi2", 1233930, "cycles", kSingleCore, kMatmul,
     TVP_MATMUL(512, "hifi2"), "kernel_cycles"},
    {"matmul 512x512x512 8 times, LoFi, L1 adds", 664492, "cycles", kSingleCore, kMatmul,
     TVP_MATMUL(512, "lofi,l1_accumulate=true"), "kernel_cycles"},
    {"matmul 512x512x512 8 times, HiFi2, L1 adds", 1173029, "cycles", kSingleCore, kMatmul,
     TVP_MATMUL(512, "hifi2,l1_accumulate=true"), "kernel_cycles"},
    {"matmul 512x512x256 8 times, LoFi", 399068, "cycles", kSingleCore, kMatmul,
     TVP_MATMUL(256, "lofi"), "kernel_cycles"},
    {"matmul 512x512x256 8 times, HiFi2", 658522, "cycles", kSingleCore, kMatmul,
     TVP_MATMUL(256, "hifi2"), "kernel_cycles"},
    {"matmul 512x512x256 8 times, LoFi, L1 adds", 346350, "cycles", kSingleCore, kMatmul,
     TVP_MATMUL(256, "lofi,l1_accumulate=true"), "kernel_cycles"},
    {"matmul 512x512x256 8 times, HiFi2, L1 adds", 597457, "cycles", kSingleCore, kMatmul,
     TVP_MATMUL(256, "hifi2,l1_accumulate=true"), "kernel_cycles"},
    // What the runs above with k = 512 take longer than those with 256, a tile.
    {"matmul tile among others, LoFi", 19.41, "cycles", kSingleCore, kTileSteps, "matmul_tile",
     "lofi"},
    {"matmul tile among others, HiFi2", 35.12, "cycles", kSingleCore, kTileSteps, "matmul_tile",
     "hifi2"},
    {"matmul step of 1 x 2 tiles, BF16", 102.1, "cycles", kLlkSteps, kUnpackers,
     TVP_STEP(bfloat16, 1, 2), "step_lofi"},
    {"matmul step of 3 x 1 tiles, BF16", 138.9, "cycles", kLlkSteps, kUnpackers,
     TVP_STEP(bfloat16, 3, 1), "step_lofi"},
    {"matmul step of 2 x 3 tiles, BF16", 186.1, "cycles", kLlkSteps, kUnpackers,
     TVP_STEP(bfloat16, 2, 3), "step_lofi"},
    {"matmul step of 1 x 4 tiles, BFP8", 107.0, "cycles", kLlkSteps, kUnpackers,
     TVP_STEP(bfp8_b, 1, 4), "step_lofi", kCallBound},
    {"packing BF16, blocks of 4 tiles, a tile", 36.5, "cycles", kLlkPack, kPackers, TVP_PACK(4),
     "pack_tile"},
    {"packing BF16, blocks of 2 tiles, a tile", 36.9, "cycles", kLlkPack, kPackers, TVP_PACK(2),
     "pack_tile"},
    {"packing BF16, single tiles", 38.0, "cycles", kLlkPack, kPackers, TVP_PACK(1), "pack_tile"},
    {"core: addition", 1, "cycles", kCores, kPipeline, TVP_PACK(4), "add"},
    {"core: multiplication", 2, "cycles", kCores, kPipeline, TVP_PACK(4), "multiply"},
    {"core: load of local memory after load", 2, "cycles", kCores, kPipeline, TVP_PACK(4),
     "load_local_dependent"},
    {"core: load of L1 after load", 8, "cycles", kCores, kPipeline, TVP_PACK(4),
     "load_l1_dependent"},
    {"core: loads of L1, each", 1.75, "cycles", kCores, kPipeline, TVP_PACK(4), "load_l1"},
    {"core: stores to L1, each", 5, "cycles", kCores, kPipeline, TVP_PACK(4), "store_l1"},
    {"NoC write, 2048 B, both axes", 369, "cycles", kLatencies, kRoundTrip, kNocLatency,
     "write_2048"},
    {"NoC write, 64 B, same column", 206, "cycles", kLatencies, kRoundTrip, kNocSameColumn,
     "write_64"},
    {"NoC write, 2048 B, same column", 278, "cycles", kLatencies, kRoundTrip, kNocSameColumn,
     "write_2048"},
    {"NoC read, 2048 B, both axes", 366, "cycles", kLatencies, kRoundTrip, kNocLatency,
     "read_2048"},
    {"NoC read, 2048 B, same column", 286, "cycles", kLatencies, kRoundTrip, kNocSameColumn,
     "read_2048"},
    {"16 NoC writes, 64 B, each", 39.0, "cycles", kLatencies, "round trip and issue", kNocSixteen,
     "write_64_each"},
    {"16 NoC reads, 64 B, each", 36.7, "cycles", kLatencies, "round trip and issue", kNocSixteen,
     "read_64_each"},
    {"16 NoC reads, 1024 B, each", 56.2, "cycles", kLatencies, kAnswers, kNocSixteen,
     "read_1024_each"},
    {"16 NoC reads, 8192 B, each", 305.2, "cycles", kLatencies, kAnswers, kNocSixteen,
     "read_8192_each"},
    {"256 NoC reads, 1024 B, each", 38.2, "cycles", kLatencies, kAnswers, kNocBandwidth,
     "read_1024_each"},
    {"256 NoC reads, 2048 B, each", 73.5, "cycles", kLatencies, kAnswers, kNocBandwidth,
     "read_2048_each"},
    {"256 NoC reads, 4096 B, each", 144.6, "cycles", kLatencies, kAnswers, kNocBandwidth,
     "read_4096_each"},
    {"256 NoC writes, 8192 B", 30.9, "bytes/cycle", kLatencies, kStreaming, kNocBandwidth,
     "write_8192_rate"},
    // The stateless loop from one tile takes 26.1 in that table, for reasons of its code: from 63
    // tiles in turn it takes 19.0, between 64 and 256 reads of each, and stateful from one 18.5.
    {"256 NoC reads, 64 B, each, table", 19.0, "cycles", kLatencies, kIssue, kNocBandwidth,
     "read_64_each"},
    {"256 NoC reads, 64 B, each, stateful", 18.5, "cycles", kLatencies, kIssue, kNocStateful,
     "read_64_each"},
    {"256 NoC reads, 512 B, each, stateful", 20.2, "cycles", kLatencies, kAnswers, kNocStateful,
     "read_512_each"},
    {"256 NoC writes, 64 B, each, stateful", 21.1, "cycles", kLatencies, kIssue, kNocStateful,
     "write_64_each"},
    {"multicast to 2 x 2, 64 B", 323, "cycles", kLatencies, kMulticast, TVP_MULTICAST(2, 2, 1),
     "write_64"},
    {"multicast to 3 x 3, 4096 B", 537, "cycles", kLatencies, kMulticast, TVP_MULTICAST(3, 3, 1),
     "write_4096"},
    {"multicast to 8 x 8, 64 B", 591, "cycles", kLatencies, kMulticast, TVP_MULTICAST(8, 8, 1),
     "write_64"},
    {"256 multicasts to 2 x 2, 64 B, each", 42.0, "cycles", kLatencies, kMulticasts,
     TVP_MULTICAST(2, 2, 256), "write_64_each"},
    {"256 multicasts to 2 x 2, 8192 B, each", 309.8, "cycles", kLatencies, kMulticasts,
     TVP_MULTICAST(2, 2, 256), "write_8192_each"},
    {"256 multicasts to 3 x 3, 64 B, each", 73.1, "cycles", kLatencies, kMulticasts,
     TVP_MULTICAST(3, 3, 256), "write_64_each"},
    {"256 multicasts to 8 x 8, 64 B, each", 279.2, "cycles", kLatencies, kMulticasts,
     TVP_MULTICAST(8, 8, 256), "write_64_each"},
    {"256 multicasts to 8 x 8, 8192 B, each", 550.8, "cycles", kLatencies, kMulticasts,
     TVP_MULTICAST(8, 8, 256), "write_8192_each"},
    {"256 linked to 2 x 2, 64 B, each", 23.2, "cycles", kLatencies, kIssue,
     TVP_MULTICAST(2, 2, 256, TVP_LINKED), "write_64_each"},
    {"256 linked to 5 x 5, 8192 B, each", 297.0, "cycles", kLatencies, kLinkedTree,
     TVP_MULTICAST(5, 5, 256, TVP_LINKED), "write_8192_each"},
    {"256 linked to 8 x 8, 64 B, each", 69.0, "cycles", kLatencies, kLinkedTree,
     TVP_MULTICAST(8, 8, 256, TVP_LINKED), "write_64_each"},
    {"256 linked to 8 x 8, 8192 B, each", 338.2, "cycles", kLatencies, kLinkedTree,
     TVP_MULTICAST(8, 8, 256, TVP_LINKED), "write_8192_each"},
    {"multicast to 8 in a row, 64 B", 310, "cycles", kLatencies, kMulticast, TVP_MULTICAST(8, 1, 1),
     "write_64"},
    {"multicast to 2 x 2 from outside, 64 B", 450, "cycles", kLatencies, kAround,
     TVP_MULTICAST(2, 2, 1, TVP_OUTSIDE), "write_64"},
    {"multicast to 5 x 5 from outside, 8192 B", 858, "cycles", kLatencies, kAround,
     TVP_MULTICAST(5, 5, 1, TVP_OUTSIDE), "write_8192"},
    {"256 multicasts to 8 in a row, 64 B, each", 136.7, "cycles", kLatencies, kMulticasts,
     TVP_MULTICAST(8, 1, 256), "write_64_each"},
    {"256 multicasts to 8 in a column, 64 B, each", 150.8, "cycles", kLatencies, kMulticasts,
     TVP_MULTICAST(1, 8, 256), "write_64_each"},
    {"256 multicasts to 5 x 5, 64 B, each", 183.1, "cycles", kLatencies, kMulticasts,
     TVP_MULTICAST(5, 5, 256), "write_64_each"},
    {"256 to 2 x 2 from outside, 64 B, each", 169, "cycles", kLatencies, kAround,
     TVP_MULTICAST(2, 2, 256, TVP_OUTSIDE), "write_64_each"},
    {"256 to 2 x 2 from outside, 8192 B, each", 431.6, "cycles", kLatencies, kAround,
     TVP_MULTICAST(2, 2, 256, TVP_OUTSIDE), "write_8192_each"},
    {"256 to 5 x 5 from outside, 64 B, each", 247.1, "cycles", kLatencies, kAround,
     TVP_MULTICAST(5, 5, 256, TVP_OUTSIDE), "write_64_each"},
    {"256 linked from outside, 2 x 2, 64 B, each", 23.7, "cycles", kLatencies, kIssue,
     TVP_MULTICAST(2, 2, 256, TVP_OUTSIDE TVP_LINKED), "write_64_each"},
    {"256 linked from outside, 5 x 5, 8192 B, each", 274.6, "cycles", kLatencies, kLinkedTree,
     TVP_MULTICAST(5, 5, 256, TVP_OUTSIDE TVP_LINKED), "write_8192_each"},
    {"writes to 63 tiles, 64 B", 2455, "cycles", kLatencies, kInTurn,
     TVP_PATTERN(one_to_all, 8, 8, 1), "write_64"},
    {"writes to 63 tiles, 1024 B", 2448, "cycles", kLatencies, kInTurn,
     TVP_PATTERN(one_to_all, 8, 8, 1), "write_1024"},
    {"writes to 63 tiles, 8192 B", 16864, "cycles", kLatencies, kStreaming,
     TVP_PATTERN(one_to_all, 8, 8, 1), "write_8192"},
    {"16 writes to each of 63 tiles, 64 B, each", 23.4, "cycles", kLatencies, kIssue,
     TVP_PATTERN(one_to_all, 8, 8, 16), "write_64_each"},
    {"16 writes to each of 63 tiles, 1024 B, each", 34, "cycles", kLatencies, kStreaming,
     TVP_PATTERN(one_to_all, 8, 8, 16), "write_1024_each"},
    {"writes to 63 tiles, stateful, 64 B", 2900, "cycles", kLatencies, kInTurn,
     TVP_PATTERN(one_to_all, 8, 8, 1, ",noc_pattern.stateful=true"), "write_64"},
    {"writes to 2 x 2 from outside, 64 B", 422, "cycles", kLatencies, kInTurn,
     TVP_PATTERN(one_to_all, 2, 2, 1, ",noc_pattern.outside=true"), "write_64"},
    {"writes to 2 x 2 from outside, 8192 B", 1436, "cycles", kLatencies, kStreaming,
     TVP_PATTERN(one_to_all, 2, 2, 1, ",noc_pattern.outside=true"), "write_8192"},
    {"writes to 7 in a row, 64 B", 437, "cycles", kLatencies, kInTurn,
     TVP_PATTERN(one_to_all, 8, 1, 1), "write_64"},
    {"writes to 7 in a row, 1024 B", 492, "cycles", kLatencies, kInTurn,
     TVP_PATTERN(one_to_all, 8, 1, 1), "write_1024", kOnceLate},
    {"16 writes to each of 7 in a row, 4096 B, each", 134.5, "cycles", kLatencies, kStreaming,
     TVP_PATTERN(one_to_all, 8, 1, 16), "write_4096_each"},
    {"reads from 63 tiles, 64 B", 2406, "cycles", kLatencies, kInTurn,
     TVP_PATTERN(one_from_all, 8, 8, 1), "read_64"},
    {"reads from 63 tiles, 1024 B", 2518, "cycles", kLatencies, kInTurn,
     TVP_PATTERN(one_from_all, 8, 8, 1), "read_1024"},
    {"reads from 63 tiles, 8192 B", 16872, "cycles", kLatencies, kStreaming,
     TVP_PATTERN(one_from_all, 8, 8, 1), "read_8192"},
    {"reads from 63 tiles, stateful, 64 B", 2604, "cycles", kLatencies, kInTurn,
     TVP_PATTERN(one_from_all, 8, 8, 1, ",noc_pattern.stateful=true"), "read_64"},
    {"16 reads from each of 63 tiles, 64 B, each", 20.5, "cycles", kLatencies, kIssue,
     TVP_PATTERN(one_from_all, 8, 8, 16), "read_64_each"},
    {"16 reads from each of 63 tiles, 8192 B, each", 264, "cycles", kLatencies, kStreaming,
     TVP_PATTERN(one_from_all, 8, 8, 16), "read_8192_each"},
    {"2 x 2, all write to all, 64 B", 361.5, "cycles", kLatencies, kAllWrite,
     TVP_PATTERN(all_to_all, 2, 2, 1, TVP_BUSY(64)), "write_64"},
    {"2 x 2, all write to all 16 times, 256 B", 1874, "cycles", kLatencies, kAllWrite,
     TVP_PATTERN(all_to_all, 2, 2, 16, TVP_BUSY(256)), "write_256"},
    {"2 x 2, all write to all 64 times, 8192 B", 176740, "cycles", kLatencies, kAllWrite,
     TVP_PATTERN(all_to_all, 2, 2, 64, TVP_BUSY(8192)), "write_8192", kFourWriters},
    {"3 x 3, all write to all 16 times, 1024 B", 16914, "cycles", kLatencies, kAllWrite,
     TVP_PATTERN(all_to_all, 3, 3, 16, TVP_BUSY(1024)), "write_1024"},
    {"5 x 5, all write to all, 1024 B", 5131, "cycles", kLatencies, kAllWrite,
     TVP_PATTERN(all_to_all, 5, 5, 1, TVP_BUSY(1024)), "write_1024"},
    {"5 x 5, all write to all, 8192 B", 42219, "cycles", kLatencies, kAllWrite,
     TVP_PATTERN(all_to_all, 5, 5, 1, TVP_BUSY(8192)), "write_8192", kOneRound},
    {"5 x 5, all write to all 4 times, 4096 B", 81611, "cycles", kLatencies, kAllWrite,
     TVP_PATTERN(all_to_all, 5, 5, 4, TVP_BUSY(4096)), "write_4096"},
    {"8 x 8, all write to all, 512 B", 9724.5, "cycles", kLatencies, kAllWrite,
     TVP_PATTERN(all_to_all, 8, 8, 1, TVP_BUSY(512)), "write_512"},
    {"8 x 8, all write to all, 2048 B", 38708.5, "cycles", kLatencies, kAllWrite,
     TVP_PATTERN(all_to_all, 8, 8, 1, TVP_BUSY(2048)), "write_2048"},
    {"8 x 8, all write to all, 8192 B", 158959, "cycles", kLatencies, kAllWrite,
     TVP_PATTERN(all_to_all, 8, 8, 1, TVP_BUSY(8192)), "write_8192"},
    {"row of 8, all write to all 16 times, 512 B", 11576.5, "cycles", kLatencies, kAllWrite,
     TVP_PATTERN(all_to_all, 8, 1, 16, TVP_BUSY(512)), "write_512"},
    {"row of 8, all write to all 16 times, 4096 B", 85764, "cycles", kLatencies, kAllWrite,
     TVP_PATTERN(all_to_all, 8, 1, 16, TVP_BUSY(4096)), "write_4096"},
    {"column of 8, all write to all 16 times, 1024 B", 21718, "cycles", kLatencies, kAllWrite,
     TVP_PATTERN(all_to_all, 1, 8, 16, TVP_BUSY(1024)), "write_1024"},
    {"2 x 2, all read from all 16 times, 8192 B", 30985, "cycles", kLatencies, kAllRead,
     TVP_PATTERN(all_from_all, 2, 2, 16, TVP_BUSY(8192)), "read_8192", kReadStorm},
    {"8 x 8, all read from all, 1024 B", 53521, "cycles", kLatencies, kAllRead,
     TVP_PATTERN(all_from_all, 8, 8, 1, TVP_BUSY(1024)), "read_1024", kReadStorm},
    {"DRAM interleaved read, 2048 B", 470, "cycles", kLatencies, kDramAccess, kDramLatency,
     "read_2048"},
    {"DRAM interleaved read, 4096 B", 549, "cycles", kLatencies, kDramAccess, kDramLatency,
     "read_4096"},
    {"DRAM read, 64 B, one bank", 381, "cycles", kLatencies, kDramAccess, kDramLatency, "read_64"},
    {"DRAM read, 1024 B, one bank", 421, "cycles", kLatencies, kDramAccess, kDramLatency,
     "read_1024"},
    {"DRAM write, 64 B, one bank", 426, "cycles", kLatencies, kDramAccess, kDramLatency,
     "write_64"},
    {"DRAM write, 1024 B, one bank", 469, "cycles", kLatencies, kDramAccess, kDramLatency,
     "write_1024"},
    {"DRAM read, 8192 B, one bank", 893, "cycles", kLatencies, kRefresh, kDramLatency,
     "read_8192_longest"},
    // From all banks, the 4 KiB of that series are the ones that met a refresh.
    {"DRAM read, 4096 B, all banks", 702, "cycles", kLatencies, kRefresh, kDramLatency,
     "read_4096_longest"},
    {"DRAM read, 8192 B, all banks", 717, "cycles", kLatencies, kDramAccess, kDramLatency,
     "read_8192"},
    {"DRAM interleaved write, 2048 B", 511, "cycles", kLatencies, kDramAccess, kDramLatency,
     "write_2048"},
    {"DRAM interleaved write, 4096 B", 592, "cycles", kLatencies, kDramAccess, kDramLatency,
     "write_4096"},
    {"64 DRAM reads, 64 B, one bank, each", 32.9, "cycles", kLatencies, kDramSeries, kOneBank,
     "read_64_each"},
    {"64 DRAM reads, 1024 B, one bank, each", 50.8, "cycles", kLatencies, kDramSeries, kOneBank,
     "read_1024_each"},
    {"64 DRAM reads, 2048 B, one bank, each", 100.2, "cycles", kLatencies, kDramSeries, kOneBank,
     "read_2048_each"},
    {"64 DRAM reads, 8192 B, one bank, each", 374.0, "cycles", kLatencies, kDramSeries, kOneBank,
     "read_8192_each"},
    {"64 DRAM writes, 1024 B, one bank, each", 54.2, "cycles", kLatencies, kDramSeries, kOneBank,
     "write_1024_each"},
    {"64 DRAM writes, 2048 B, one bank, each", 99.3, "cycles", kLatencies, kDramSeries, kOneBank,
     "write_2048_each"},
    {"64 DRAM writes, 8192 B, one bank, each", 379.6, "cycles", kLatencies, kDramSeries, kOneBank,
     "write_8192_each"},
    {"64 DRAM writes, 4096 B, one bank, each", 191.8, "cycles", kLatencies, kDramSeries, kOneBank,
     "write_4096_each"},
    {"64 DRAM reads, 4096 B, all banks, each", 136.7, "cycles", kLatencies, kStreaming, kAllBanks,
     "read_4096_each"},
    {"64 DRAM reads, 1024 B, all banks, each", 41.5, "cycles", kLatencies, kDramSeries, kAllBanks,
     "read_1024_each"},
    {"64 DRAM reads, 2048 B, all banks, each", 71.7, "cycles", kLatencies, kStreaming, kAllBanks,
     "read_2048_each"},
    {"64 DRAM reads, 8192 B, all banks, each", 268.3, "cycles", kLatencies, kStreaming, kAllBanks,
     "read_8192_each"},
    {"ethernet round trip, 128 B", 911, "ns", kLinks, kLink, kEthernetLatency, "round_trip_128"},
    {"ethernet round trip, 256 B", 966, "ns", kLinks, kLink, kEthernetLatency, "round_trip_256"},
    {"ethernet round trip, 512 B", 984, "ns", kLinks, kLink, kEthernetLatency, "round_trip_512"},
    {"ethernet round trip, 2048 B", 1479, "ns", kLinks, kLink, kEthernetLatency, "round_trip_2048"},
    {"ethernet round trip, 4096 B", 1803, "ns", kLinks, kLink, kEthernetLatency, "round_trip_4096"},
    {"ethernet messages, 16 B", 0.28, "GB/s", kLinkRates, kLinkLoops, kEthernetBandwidth,
     "rate_16"},
    {"ethernet messages, 512 B", 8.35, "GB/s", kLinkRates, kLinkLoops, kEthernetBandwidth,
     "rate_512"},
    {"ethernet messages, 1024 B", 11.74, "GB/s", kLinkRates, kLinkLine, kEthernetBandwidth,
     "rate_1024"},
    {"ethernet messages, 2048 B", 11.84, "GB/s", kLinkRates, kLinkLine, kEthernetBandwidth,
     "rate_2048"},
    {"ethernet messages, 4096 B", 12.04, "GB/s", kLinkRates, kLinkLine, kEthernetBandwidth,
     "rate_4096"},
    {"ethernet messages, 8192 B", 12.07, "GB/s", kLinkRates, kLinkLine, kEthernetBandwidth,
     "rate_8192"},
    {"ethernet messages, 256 B", 4.39, "GB/s", kLinkRates, kLinkLoops, kEthernetBandwidth,
     "rate_256"},
    {"ethernet messages, 128 B", 2.25, "GB/s", kLinkRates, kLinkLoops, kEthernetBandwidth,
     "rate_128", kSlowLoop},
    {"ethernet messages, 16 B, both ways", 0.19, "GB/s", kLinkRates, kLinkLoops, kBothWays,
     "rate_16"},
    {"ethernet messages, 512 B, both ways", 6.39, "GB/s", kLinkRates, kLinkLoops, kBothWays,
     "rate_512"},
    {"ethernet messages, 1024 B, both ways", 10.9, "GB/s", kLinkRates, kLinkShared, kBothWays,
     "rate_1024"},
    {"ethernet messages, 2048 B, both ways", 11.4, "GB/s", kLinkRates, kLinkShared, kBothWays,
     "rate_2048"},
    {"ethernet messages, 4096 B, both ways", 11.82, "GB/s", kLinkRates, kLinkShared, kBothWays,
     "rate_4096"},
    {"fabric one hop, 16 B", 801.3, "ns", kFabricHop, kFabricEnds, kFabricHops, "one_hop_16"},
    {"fabric one hop, 4096 B", 1442.8, "ns", kFabricHop, kFabricEnds, kFabricHops, "one_hop_4096"},
    {"fabric further hop, 1024 B", 890, "ns", kFabricLine, kForwarding, kFabricLatency,
     "further_hop_1024"},
    {"fabric further hop, 2048 B", 1030, "ns", kFabricLine, kForwarding, kFabricLatency,
     "further_hop_2048"},
    {"fabric further hop, 4096 B", 1260, "ns", kFabricLine, kForwarding, kFabricLatency,
     "further_hop_4096"},
    {"fabric link, packets of 2048 B", 8.03, "GB/s", kFabricRates, kFabricStream, kFabricBandwidth,
     "rate_2048"},
    // DRAM alone, beside a public simulator of single-rank DDR4-2400 with 64 B reads.
    {"DDR4 read, row hit", 20.2, "ns", kDramSim, "CL, the burst, two cycles of controller, refresh",
     kDdr4RowHit, "read_mean_ns"},
    {"DDR4 read, random", 48.2, "ns", kDramSim, "as a row hit, with tRP and tRCD", kDdr4Random,
     "read_mean_ns"},
    {"DDR4 stream, 64 outstanding", 15.08, "GB/s", kDramSim,
     "tCCD_L within a row of one bank, tCCD_S where the queue reaches into the next one, refresh",
     kDdr4Stream, "bandwidth"},
    {"DDR4 random, 64 outstanding", 11.20, "GB/s", kDramSim, "tFAW and refresh", kDdr4RandomStream,
     "bandwidth"},
    {"mesh, nearly empty, 1 flit", 26.7, "cycles", kBookSim,
     "VA, SA, ST and link at each router, two cycles of injection", kMeshIdle, "latency_mean"},
    {"mesh, nearly empty, 5 flits", 30.6, "cycles", kBookSim, "the same and a cycle for each flit",
     kMeshIdleLong, "latency_mean"},
    {"mesh at 0.3 flits a node and cycle", 29.9, "cycles", kBookSim,
     "waiting for switches and channels", kMeshLoaded, "latency_mean"},
    {"mesh, most that 64 nodes get through", 25.4, "flits/cycle", kBookSim,
     "separable allocation, one pass", kMeshFull, "accepted_of_all_nodes"},
};

#undef TVP_MATMUL
#undef TVP_STEP
#undef TVP_PACK
#undef TVP_CROWD
#undef TVP_MULTICAST
#undef TVP_LINKED
#undef TVP_OUTSIDE
#undef TVP_PATTERN
#undef TVP_BUSY

}  // namespace

std::span<const CalibrationRow> calibration_table() { return kTable; }

}  // namespace tvp::cli
