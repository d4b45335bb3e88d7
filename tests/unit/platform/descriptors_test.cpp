// Descriptors of tt-umd: those that we write, and chips that we read.
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <fstream>
#include <set>

#include "foundation/chip/chip_reader.h"
#include "foundation/fault.h"
#include "platform/system/cluster_descriptor.h"
#include "platform/system/descriptor_files.h"
#include "platform/system/soc_descriptor.h"
#include "tests/support/test_folder.h"

namespace tvp::platform {
namespace {

const char* const kSystems = "platform/systems";

std::string read(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

class Descriptors : public ::testing::Test {
 protected:
  /// A system with one chip of this SoC descriptor.
  SystemDescription load(const std::string& yaml, const std::string& chip_keys = "") {
    std::ofstream(folder_.file("soc.yaml")) << yaml;
    const std::string file = folder_.file("system.toml");
    std::ofstream(file)
        << "schema = 1\nname = \"x\"\n[[chip]]\nid = 0\ndescription = \"soc.yaml\"\n"
        << chip_keys;
    return SystemDescription::load(file, kSystems);
  }
  /// The error of the descriptor after replacing `from` with `to`.
  std::string error_of(const std::string& from, const std::string& to) {
    std::string yaml = wormhole_;
    const std::size_t at = yaml.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    yaml.replace(at, from.size(), to);
    try {
      load(yaml);
    } catch (const foundation::Fault& fault) {
      EXPECT_EQ(fault.kind(), foundation::FaultKind::kDescription);
      const std::string what = fault.what();
      const std::string file = folder_.file("soc.yaml");
      EXPECT_TRUE(what.starts_with(file + ":")) << what;
      return what.substr(what.find(": ", file.size()) + 2);
    }
    return "no error";
  }

  test::TestFolder folder_{"descriptors"};
  const foundation::ChipSpec spec_ =
      foundation::load_chip("wormhole_b0", foundation::chip_folder());
  const std::string wormhole_ = soc_descriptor(spec_);
};

TEST_F(Descriptors, ASocDescriptorHasTheKeysAndNodesOfThePublicOnes) {
  const YAML::Node soc = YAML::Load(wormhole_);
  for (const char* key : {"grid", "arc", "pcie", "dram", "eth", "functional_workers",
                          "harvested_workers", "router_only", "worker_l1_size", "dram_bank_size",
                          "eth_l1_size", "arch_name", "features"}) {
    EXPECT_TRUE(soc[key]) << key;
  }
  EXPECT_EQ(soc["grid"]["x_size"].as<int>(), 10);
  EXPECT_EQ(soc["grid"]["y_size"].as<int>(), 12);
  EXPECT_EQ(soc["arc"].as<std::vector<std::string>>(), std::vector<std::string>{"0-10"});
  EXPECT_EQ(soc["pcie"].as<std::vector<std::string>>(), std::vector<std::string>{"0-3"});
  EXPECT_EQ(soc["router_only"].as<std::vector<std::string>>(),
            (std::vector<std::string>{"0-2", "0-4", "0-8", "0-9"}));
  EXPECT_EQ(soc["dram"][3].as<std::vector<std::string>>(),
            (std::vector<std::string>{"5-2", "5-9", "5-10"}));
  EXPECT_EQ(soc["eth"][2].as<std::string>(), "8-0");
  const auto workers = soc["functional_workers"].as<std::vector<std::string>>();
  ASSERT_EQ(workers.size(), 80U);
  EXPECT_EQ(workers[8], "1-2");
  EXPECT_EQ(soc["worker_l1_size"].as<unsigned>(), 1499136U);
  EXPECT_EQ(soc["dram_bank_size"].as<std::uint64_t>(), 2147483648U);
  EXPECT_EQ(soc["eth_l1_size"].as<unsigned>(), 262144U);
  EXPECT_EQ(soc["arch_name"].as<std::string>(), "WORMHOLE_B0");
  EXPECT_EQ(soc["features"]["math"]["dst_size_alignment"].as<int>(), 32768);
}

TEST_F(Descriptors, ASocDescriptorReadsBackAsTheSameChip) {
  const auto system = load(wormhole_, "harvested_rows = 544\n");
  foundation::ChipSpec read_back = *system.chips[0].spec;
  EXPECT_EQ(read_back.name, "soc");
  read_back.name = spec_.name;
  EXPECT_EQ(foundation::chip_text(read_back), foundation::chip_text(spec_));
  EXPECT_EQ(read_back.harvested(544).rows, 1U << 3 | 1U << 5);
}

TEST_F(Descriptors, AnotherShapeMakesAnotherChip) {
  const auto system = load(
      "grid: {x_size: 3, y_size: 4}\narc: [0-3]\npcie: [0-2]\ndram: [[0-0, 0-1]]\neth: []\n"
      "functional_workers: [1-1, 2-1, 1-2, 2-2]\nrouter_only: [1-0]\nworker_l1_size: 1048576\n"
      "dram_bank_size: 1073741824\neth_l1_size: 262144\narch_name: wormhole_b0\n");
  const foundation::ChipSpec& spec = *system.chips[0].spec;
  EXPECT_EQ(spec.workers(), 4U);
  EXPECT_EQ(spec.harvest_rows, (std::vector<unsigned>{1, 2}));
  EXPECT_EQ(spec.memories.tensix_l1_bytes, 1U << 20);
  ASSERT_EQ(spec.dram.size(), 1U);
  EXPECT_EQ(spec.dram[0].banks[1].offset, 1U << 29);
  EXPECT_TRUE(spec.ethernet.empty());
}

TEST_F(Descriptors, BadOnesAreRefusedByFileLineAndKey) {
  EXPECT_EQ(error_of("x_size: 10", "x_size: ten"), "x_size: 'ten', expected a number");
  EXPECT_EQ(error_of("grid:", "gird:"), "missing grid: expected x_size and y_size");
  EXPECT_EQ(error_of("WORMHOLE_B0", "BLACKHOLE"),
            "arch_name: expected WORMHOLE_B0, the only architecture that is modelled");
  EXPECT_EQ(error_of("0-10]", "0:10]"), "arc: '0:10', expected a node \"x-y\"");
  EXPECT_EQ(error_of("pcie: [0-3]", "pcie: [0-3, 0-2]"),
            "pcie: expected one node, as Wormhole has");
  EXPECT_EQ(error_of("harvested_workers: []", "harvested_workers: [1-1]"),
            "harvested_workers: expected none; harvested_rows of [[chip]] says which rows are off");
  EXPECT_EQ(
      error_of("functional_workers: [1-1, ", "functional_workers: ["),
      "functional_workers: expected 80 nodes, one wherever their 8 columns and 10 rows cross");
  EXPECT_EQ(
      error_of("pcie: [0-3]", "pcie: [1-1]"),
      "pcie.node: the PCIe tile is at [1, 1], where Tensix tile [1, 1] is, expected a place of "
      "its own");
  EXPECT_EQ(error_of("channel: 5", "channel: 6"),
            "channel: expected less than 6, the number of channels of dram");
  EXPECT_EQ(error_of("worker_endpoint: [1, 1]", "worker_endpoint: [3, 1]"),
            "worker_endpoint: expected less than 3, the endpoints of the channel");
  EXPECT_EQ(error_of("address_offset: 0", "offset: 0"), "missing address_offset: expected bytes");
  EXPECT_NE(error_of("arc: [0-10]", "arc: [0-10"), "no error");
  std::filesystem::remove(folder_.file("soc.yaml"));
}

TEST_F(Descriptors, AClusterDescriptorSaysWhatTheSystemIs) {
  const YAML::Node cluster =
      YAML::Load(cluster_descriptor(SystemDescription::load("t3000", kSystems)));
  for (const char* key : {"arch", "chips", "ethernet_connections", "chips_with_mmio", "harvesting",
                          "boards", "chip_pci_bdfs"}) {
    EXPECT_TRUE(cluster[key]) << key;
  }
  EXPECT_EQ(cluster["arch"][7].as<std::string>(), "wormhole_b0");
  // x, y, rack, shelf, as in the public descriptor of a T3000.
  EXPECT_EQ(cluster["chips"][0].as<std::vector<int>>(), (std::vector<int>{1, 0, 0, 0}));
  EXPECT_EQ(cluster["chips"][7].as<std::vector<int>>(), (std::vector<int>{3, 1, 0, 0}));
  EXPECT_EQ(cluster["ethernet_connections"].size(), 20U);
  std::set<std::pair<int, int>> ends;
  for (const YAML::Node& connection : cluster["ethernet_connections"]) {
    ASSERT_EQ(connection.size(), 2U);
    for (const YAML::Node& end : connection) {
      EXPECT_TRUE(ends.emplace(end["chip"].as<int>(), end["chan"].as<int>()).second);
    }
  }
  EXPECT_TRUE(ends.contains({4, 0}));
  EXPECT_TRUE(ends.contains({0, 8}));
  EXPECT_EQ(cluster["chips_with_mmio"].size(), 8U);
  EXPECT_EQ(cluster["harvesting"][0]["harvest_mask"].as<int>(), 544);
  EXPECT_TRUE(cluster["harvesting"][0]["noc_translation"].as<bool>());
  ASSERT_EQ(cluster["boards"].size(), 4U);
  EXPECT_EQ(cluster["boards"][0].size(), 3U);
  EXPECT_EQ(cluster["boards"][0][1]["board_type"].as<std::string>(), "n300");
  EXPECT_EQ(cluster["boards"][0][2]["chips"].as<std::vector<int>>(), (std::vector<int>{0, 4}));
  EXPECT_EQ(cluster["chip_pci_bdfs"][5].as<std::string>(), "0000:00:05.0");
}

// tt-umd refuses a board with an id of unknown type.
TEST_F(Descriptors, IdsOfBoardsTellTheirType) {
  struct Boards {
    const char* system;
    std::uint64_t part_number;
    const char* type;
    std::size_t chips;
  };
  for (const Boards& kind : {Boards{"pair", 0x18, "n150", 1}, Boards{"n150", 0x18, "n150", 1},
                             Boards{"t3000", 0x14, "n300", 2}, Boards{"galaxy", 0x35, "ubb", 8}}) {
    const auto boards =
        YAML::Load(cluster_descriptor(SystemDescription::load(kind.system, kSystems)))["boards"];
    std::set<std::uint64_t> ids;
    for (const YAML::Node& board : boards) {
      const auto id = board[0]["board_id"].as<std::uint64_t>();
      EXPECT_EQ(id >> 36 & 0xFFFFF, kind.part_number) << kind.system;
      EXPECT_EQ(board[1]["board_type"].as<std::string>(), kind.type) << kind.system;
      EXPECT_EQ(board[2]["chips"].size(), kind.chips) << kind.system;
      EXPECT_TRUE(ids.insert(id).second) << kind.system << " has two of " << id;
    }
  }
}

TEST_F(Descriptors, FilesAreNamedByTheKindsOfChips) {
  const auto one =
      write_descriptors(SystemDescription::load("galaxy", kSystems), folder_.file("galaxy"));
  EXPECT_EQ(one, (std::vector<std::string>{folder_.file("galaxy/cluster_descriptor.yaml"),
                                           folder_.file("galaxy/soc_descriptor.yaml")}));
  EXPECT_EQ(read(one[1]), wormhole_);

  const std::string file = folder_.file("two.toml");
  std::ofstream(file) << "schema = 1\nname = \"two\"\n[topology]\nkind = \"line\"\nshape = [3]\n"
                         "[[chip]]\nid = 1\ndescription = \"small\"\n"
                         "[[chip]]\nid = 2\nl1_kib = 1024\n";
  const auto two = write_descriptors(SystemDescription::load(file, kSystems), folder_.file("two"));
  EXPECT_EQ(two, (std::vector<std::string>{folder_.file("two/cluster_descriptor.yaml"),
                                           folder_.file("two/soc_descriptor_wormhole_b0.yaml"),
                                           folder_.file("two/soc_descriptor_small.yaml"),
                                           folder_.file("two/soc_descriptor_wormhole_b0_2.yaml")}));
}

TEST_F(Descriptors, SystemsWithoutChipsHaveNone) {
  EXPECT_THROW(write_descriptors(SystemDescription::load("mesh_8x8", kSystems), folder_.file("m")),
               foundation::Fault);
  EXPECT_THROW(write_descriptors(SystemDescription::load("pair", kSystems), "/proc/none"),
               foundation::Fault);
}

}  // namespace
}  // namespace tvp::platform
