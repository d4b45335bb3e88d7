#pragma once

#include <string_view>

namespace tvp::test::published_llk {

// All rows of perf_matmul in tt-metal
// tt_metal/tt-llk/docs/perf_evaluation/results/wormhole-nonsol/data/serial_replay_movers.csv.
// Format: "in out 32-bit Dst, fidelity, tiles wide, high, deep, cycles of 64 rounds". Formats are S
// FP32, H FP16, F BF16, B BFP8. The groups have different bottlenecks in the model.

/// Bottleneck: unpackers, products or packers.
constexpr std::string_view kBfp8[] = {
    "B F 0 2 1 5 1 20032", "B F 0 2 1 5 2 24633", "B F 0 2 1 5 3 34166", "B F 0 3 1 5 1 19133",
    "B F 0 1 1 5 1 19161", "B F 0 1 1 5 2 25330", "B F 0 1 1 5 3 29981", "B S 0 2 3 2 4 55586",
    "B S 0 2 1 5 8 92025", "B S 0 1 3 2 3 36841", "B S 0 1 3 2 4 39869", "B S 0 1 1 5 8 75093",
    "B S 0 1 3 2 8 65778"};
constexpr std::string_view kFp16[] = {
    "H B 1 3 1 2 4 28138", "H B 1 1 1 2 3 21137", "H H 0 2 1 2 2 15216", "H H 0 3 1 2 1 10226",
    "H H 0 4 1 2 1 10253", "H H 0 1 1 2 1 10884", "H H 0 1 1 2 2 15844", "H H 1 2 1 3 2 22964",
    "H H 1 2 1 3 3 32009", "H H 1 1 1 3 2 22611", "H H 1 1 1 3 3 31157", "H H 1 1 1 3 4 40396",
    "H F 0 2 3 1 2 19694", "H F 0 3 3 1 1 11306", "H F 0 1 1 6 1 29283", "H F 0 1 3 1 2 19438",
    "H F 0 1 3 1 3 27956", "H F 1 2 1 2 2 15169", "H F 1 3 1 2 2 16050", "H F 1 1 1 2 2 15970",
    "H S 0 2 1 2 2 20230", "H S 0 2 1 2 4 31200", "H S 0 2 4 1 2 27220", "H S 0 2 4 1 3 38757",
    "H S 0 2 4 1 4 54195", "H S 0 2 2 4 4 86863", "H S 0 3 1 2 2 19013", "H S 0 3 1 2 3 25220",
    "H S 0 3 4 1 2 28214", "H S 0 3 2 4 2 56034", "H S 0 4 1 2 2 19374", "H S 0 4 1 2 3 26923",
    "H S 0 1 1 2 2 20174", "H S 0 1 1 2 3 24816", "H S 0 1 4 1 2 28145", "H S 0 1 4 1 3 37813",
    "H S 0 1 2 4 3 66752", "H S 0 1 2 4 4 75122", "H S 1 2 2 1 2 15661", "H S 1 3 2 1 2 15647",
    "H S 1 3 1 4 3 49310", "H S 1 4 1 4 3 53141", "H S 1 1 2 1 2 16646", "H S 1 1 1 4 3 47644",
    "H S 1 1 1 4 4 59394"};
constexpr std::string_view kBf16[] = {
    "F B 0 2 4 2 1 21846",  "F B 0 1 4 2 1 22390", "F B 0 1 4 2 2 31151",  "F B 0 2 4 1 1 12594",
    "F B 1 1 2 2 1 11161",  "F F 0 2 1 6 2 42960", "F F 0 3 1 6 1 28458",  "F F 0 4 1 6 1 28499",
    "F F 0 1 1 6 2 43677",  "F F 0 1 1 6 3 61962", "F F 0 1 3 2 4 51147",  "F F 0 1 3 2 8 98789",
    "F F 1 2 1 2 1 10766",  "F F 1 3 1 2 1 10178", "F F 1 4 1 2 1 10259",  "F F 1 1 1 2 1 10875",
    "F S 0 2 1 2 1 16486",  "F S 0 2 1 4 1 29256", "F S 0 2 1 4 2 38075",  "F S 0 2 8 1 8 179000",
    "F S 0 3 1 4 1 30127",  "F S 0 3 1 4 2 37880", "F S 0 3 8 1 8 211717", "F S 0 4 1 4 1 29817",
    "F S 0 4 1 4 2 37541",  "F S 0 1 1 2 1 16185", "F S 0 1 1 4 1 30016",  "F S 0 1 1 4 2 37842",
    "F S 0 1 8 1 8 171624", "F S 1 3 1 4 2 37127", "F S 1 4 1 4 2 37824",  "F S 1 1 1 4 3 47687",
    "F S 1 1 1 4 4 59374"};
constexpr std::string_view kFp32[] = {
    "S F 0 2 1 4 4 134139", "S F 0 3 1 4 2 67882",  "S F 0 4 1 4 4 133885", "S F 0 1 3 1 2 51035",
    "S F 0 1 3 1 3 75554",  "S S 0 2 4 1 1 35064",  "S S 0 2 2 2 2 46368",  "S S 0 2 1 5 2 87685",
    "S S 0 2 2 2 3 67076",  "S S 0 3 2 2 1 29517",  "S S 0 3 4 1 1 35270",  "S S 0 3 2 2 2 51008",
    "S S 0 3 1 5 2 87585",  "S S 0 3 2 2 3 73978",  "S S 0 4 2 2 1 28633",  "S S 0 4 2 2 2 53011",
    "S S 0 4 1 5 2 86404",  "S S 0 4 2 2 3 78072",  "S S 0 1 4 1 1 36683",  "S S 0 1 2 2 2 42684",
    "S S 0 1 4 1 2 67614",  "S S 0 1 1 5 3 128819", "S B 1 2 2 2 1 21032",  "S B 1 1 2 2 1 19693",
    "S H 1 2 1 3 1 22458",  "S H 1 3 1 3 1 22523",  "S H 1 1 1 3 1 22729",  "S F 1 2 1 1 4 33628",
    "S F 1 2 1 1 8 66551",  "S F 1 3 1 1 4 34022",  "S F 1 3 1 1 8 66533",  "S F 1 4 1 1 4 33725",
    "S F 1 4 1 1 8 66471",  "S S 1 2 3 1 1 21065",  "S S 1 2 3 1 2 38259",  "S S 1 3 3 1 1 21413",
    "S S 1 3 1 4 3 81377",  "S S 1 3 1 4 4 104878", "S S 1 3 1 4 8 198189", "S S 1 4 3 1 1 21018",
    "S S 1 4 1 4 4 105729", "S S 1 1 3 1 1 22236",  "S S 1 1 3 1 2 38426",  "S S 1 1 1 4 4 106172"};
/// Bottleneck: instructions of T0, or for small blocks of T1 and T2, per call or block.
constexpr std::string_view kCores[] = {
    "B F 0 1 4 1 4 31637", "B B 0 2 2 1 2 14577",   "B B 0 2 2 1 3 20879",
    "B B 0 3 2 1 1 9522",  "B B 0 3 2 1 2 14545",   "B B 0 3 2 1 3 20970",
    "B B 0 1 1 2 1 10461", "B B 0 1 2 1 2 14331",   "B B 0 1 2 1 3 20874",
    "B B 1 2 2 1 4 27416", "B B 1 3 2 1 4 27452",   "B B 1 1 1 4 2 19742",
    "B B 1 1 2 1 4 27332", "B F 0 1 2 2 3 23687",   "B F 0 1 2 2 4 31034",
    "B F 0 1 2 2 8 60869", "B F 0 1 4 1 8 59021",   "B F 0 1 4 1 32 223394",
    "B F 1 3 2 1 3 20999", "B F 1 3 2 1 4 27364",   "B F 1 1 2 1 4 27396",
    "B F 1 1 2 1 8 53488", "B S 1 1 3 1 32 210392", "H H 1 2 2 1 4 27531",
    "H H 1 1 2 1 2 14804", "H S 1 2 2 1 3 21922",   "H S 1 3 2 1 3 22301",
    "H S 1 1 2 1 3 21815", "F H 1 2 2 1 4 27531",   "F H 1 3 2 1 4 28146",
    "F H 1 1 2 1 4 27508", "F H 1 1 2 1 8 53663",   "F H 1 1 2 1 32 210490",
    "F S 0 2 1 1 1 8646",  "F S 0 3 1 1 1 8608",    "F S 0 4 1 1 1 8713",
    "F S 0 1 1 1 1 8137",  "F S 1 3 1 1 8 53584",   "F S 1 4 1 1 4 27428",
    "F S 1 4 1 1 8 53570", "F S 1 1 1 1 8 53450",   "F S 1 1 1 1 32 210109"};
/// Bottleneck: packers that take FP32 from Dst, with few other accesses of L1.
constexpr std::string_view kWidePackers[] = {
    "B H 1 2 1 2 1 12593", "B H 1 2 2 2 1 25347", "B H 1 2 2 2 2 24464", "B H 1 3 2 2 1 22252",
    "B H 1 4 1 2 1 11994", "B H 1 1 1 2 1 14362", "B H 1 1 2 2 1 23875", "B H 1 1 2 2 3 23956",
    "B S 1 2 4 1 1 25804", "B S 1 2 4 1 2 26863", "B S 1 4 4 1 1 25436", "B S 1 1 4 1 1 25214",
    "B S 1 1 4 1 2 27394", "H S 1 3 2 1 1 14289", "H S 1 4 2 1 1 13116"};

/// perf_math_matmul in the same folder, data/flagged_l1_to_l1_x10.csv. The figure is the median of
/// ten runs of the zone KERNEL, less the 750 cycles by which it exceeds TILE_LOOP in
/// top_movers_l1_to_l1_x10.csv.
/// Format: "in out 32-bit Dst, fidelity, tiles wide, rows of the left tile, whole Dst, first tile
/// in Dst, cycles of 1024 rounds".
constexpr std::string_view kRowsOfTiles[] = {
    "H H 0 4 1 16 1 0 119740", "F F 0 4 1 16 1 0 119510", "F S 0 4 1 8 1 15 119500",
    "F F 1 4 1 16 1 0 123400", "H H 0 3 2 2 1 14 118540", "B B 1 3 2 1 1 0 118370",
    "H F 1 3 2 2 1 6 118540",  "H B 0 2 2 4 0 0 165870",  "S B 1 1 2 1 0 0 153620",
    "S B 1 1 2 2 0 2 153880",  "H F 1 1 3 1 0 1 168948",  "F F 1 1 3 1 0 1 168975",
    "H B 0 1 4 4 0 0 184330",  "F B 0 1 4 8 0 0 185020",  "B F 1 1 4 1 0 0 184300",
    "H F 1 3 4 1 0 0 196700",  "F F 1 1 4 16 0 0 193930", "H F 0 2 5 16 0 0 218468",
    "H S 0 1 5 8 0 0 210340",  "F S 0 1 5 8 0 0 212824",  "B F 0 1 6 8 0 0 216150"};

}  // namespace tvp::test::published_llk
