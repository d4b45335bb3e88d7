// `vp list`: pictures of systems, descriptors, parts of the catalogue.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/support/program.h"

namespace tvp {
namespace {

class List : public test::FolderTest {};

TEST_F(List, DrawsASystem) {
  test::expect("list t3000", 0,
               {"t3000: mesh of 2 x 4, board n300, 8 chips, 20 links",
                "[D4 5] --2-- [D5 1] --2-- [D6 3] --2-- [D7 7]", "14-15 to 1's 14-15"});
  test::expect("list galaxy", 0, {"mesh of 4 x 8", "[D31 31]", "--4--"});
  test::expect("list mesh_8x8", 0, {"a system of kind mesh", "mesh.width = 8"});
  const std::string ring =
      write("ring.toml",
            "schema = 1\nname = \"own\"\n[topology]\nkind = \"ring\"\nshape = [5]\nlinks = 3\n");
  test::expect("list " + ring, 0, {"own: ring of 5, board free, 5 chips, 15 links", "~3~ [D0 0]"});
}

TEST_F(List, SystemsAsJson) {
  const auto outcome = test::vp("list t3000 --json");
  const auto json = nlohmann::json::parse(outcome.output);
  EXPECT_EQ(json["topology"]["kind"], "mesh");
  EXPECT_EQ(json["topology"]["shape"], (std::vector<unsigned>{2, 4}));
  EXPECT_EQ(json["links"].size(), 20U);
}

TEST_F(List, WritesDescriptors) {
  const std::string folder = path("of_t3000");
  test::expect("list t3000 --descriptors " + folder, 0,
               {folder + "/cluster_descriptor.yaml", folder + "/soc_descriptor.yaml"});
  EXPECT_NE(test::read_file(folder + "/cluster_descriptor.yaml").find("board_type: n300"),
            std::string::npos);
  // The written file must be usable as a chip.
  const std::string system =
      write("one.toml",
            "schema = 1\nname = \"one\"\n[[chip]]\nid = 0\npci_device = 0\n"
            "harvested_rows = 1\ndescription = \"of_t3000/soc_descriptor.yaml\"\n");
  test::expect("list " + system, 0, {"soc_descriptor", "  72  rows 11"});
  test::expect("run dram_loopback --system " + system, 0, {"passed"});
  test::expect("list --descriptors " + folder, 2, {"expected the name or file of a system"});
  test::expect("list hop --descriptors " + folder, 2, {"'hop' is no system"});
  test::expect("list pim_rank --descriptors " + folder, 2, {"pim_rank is a system of kind pim"});
  test::expect("list t3000 --descriptors /proc/none", 2, {"/proc/none: cannot be created: "});
}

TEST_F(List, LooksForAPattern) {
  const auto hops = test::vp("list HOP_cycles");
  EXPECT_EQ(hops.exit_code, 0);
  EXPECT_NE(hops.output.find("noc.hop_cycles"), std::string::npos) << hops.output;
  EXPECT_EQ(hops.output.find("Workloads\n"), std::string::npos) << hops.output;
  test::expect("list 'noc.hop*'", 0, {"noc.hop_cycles"});
  const auto json = nlohmann::json::parse(test::vp("list sdpa --json").output);
  EXPECT_EQ(json["workloads"][0]["name"], "sdpa");
  EXPECT_TRUE(json["systems"].empty());
  EXPECT_FALSE(json["workload_keys"].empty());
  test::expect("list nowhere_at_all", 2, {"'nowhere_at_all' is no system, and in no name"});
  test::expect("list t3001.toml", 2, {"system 't3001.toml': no such file"});
}

/// Cuts text up at a separator.
std::vector<std::string> parts_of(std::string text, const std::string& separator) {
  std::vector<std::string> parts;
  for (std::size_t at = text.find(separator); at != std::string::npos; at = text.find(separator)) {
    parts.push_back(text.substr(0, at));
    text.erase(0, at + separator.size());
  }
  parts.push_back(text);
  return parts;
}

// The needs of keys name keys, and values of the lists that these keys have.
TEST_F(List, KeysNeedSettingsThatExist) {
  const auto json = nlohmann::json::parse(test::vp("list --json").output);
  std::map<std::string, std::string> expected;
  for (const char* list : {"keys", "workload_keys"})
    for (const auto& key : json.at(list)) expected[key.at("key")] = key.at("expected");
  unsigned needs = 0;
  for (const char* list : {"keys", "workload_keys"}) {
    for (const auto& key : json.at(list)) {
      const std::string doc = key.at("doc");
      const std::size_t begin = doc.rfind("(only with ");
      if (begin == std::string::npos) continue;
      ++needs;
      const std::string name = key.at("key");
      const std::string text = doc.substr(begin + 11, doc.size() - begin - 12);
      for (const std::string& need : parts_of(text, " or ")) {
        const std::size_t equals = need.find('=');
        std::string other = need.substr(0, need[equals - 1] == '!' ? equals - 1 : equals);
        if (other.find('.') == std::string::npos)
          other = name.substr(0, name.find('.') + 1) + other;
        ASSERT_TRUE(expected.contains(other)) << key.at("key") << " needs " << need;
        if (!expected[other].starts_with("one of ")) continue;
        const auto choices = parts_of(expected[other].substr(7), ", ");
        for (const std::string& value : parts_of(need.substr(equals + 1), "|"))
          EXPECT_EQ(std::ranges::count(choices, value), 1) << key.at("key") << " needs " << need;
      }
    }
  }
  EXPECT_GT(needs, 60U);
  test::expect("list mesh.link_cycles", 0, {"(only with flow_control=buffered). Source: "});
}

TEST_F(List, SaysWhereASystemDiffersFromItsBoard) {
  test::expect("list --limits", 0, {"systems", "t3000"});
}

TEST_F(List, BadTopologiesEndWithFileLineAndKey) {
  const std::string bad =
      write("bad.toml", "schema = 1\nname = \"bad\"\n[topology]\nkind = \"ring\"\nshape = [2]\n");
  test::expect("list " + bad, 2, {bad + ":5: shape: expected at least 3 chips"});
  test::expect("run dram_loopback --system " + bad, 2, {bad + ":5: shape"});
}

TEST_F(List, CollectivesNeedNoDevice) {
  test::expect("collectives list", 0, {"double_binary_tree", "op: all_reduce", "in_turns"});
  const std::string xml = path("ring.xml");
  test::expect("collectives show op=all_reduce algo=ring N=4 out=" + xml, 0,
               {"n_alpha 6      n_beta 1.5000", "written to"});
  test::expect("collectives check " + xml, 0, {"right, all_reduce of 4 ranks"});
  test::expect("collectives check " + xml + " slots=1", 2, {"deadlock: rank 0 lane 0 step 1"});
  test::expect("collectives convert " + xml + " " + path("ring.json"), 0, {"written to"});
  test::expect("collectives check " + write("bad.xml", "<algo>\n<gpu></algo>"), 2,
               {"bad.xml:2: is not XML: Start-end tags mismatch"});
  test::expect("collectives list --system pair", 2, {"expected them with 'tune' only"});
  test::expect("collectives tune all_reduce", 2, {"expected key=value"});
  test::expect("collectives", 2, {"what"});
}

TEST_F(List, CollectivesRefuseAbsurdCounts) {
  const auto head = [](const std::string& chunks, const std::string& channels) {
    return "<algo name=\"x\" coll=\"broadcast\" ngpus=\"1\" nchunksperloop=\"" + chunks +
           "\" nchannels=\"" + channels + "\">\n<gpu id=\"0\"/></algo>";
  };
  test::expect(
      "collectives check " + write("chunks.xml", head("1000000000", "1")), 2,
      {"chunks.xml:1: <algo> nchunksperloop=\"1000000000\": expected a whole number from 1"});
  test::expect("run collective --set schedule=" + write("channels.xml", head("1", "1000000000")), 2,
               {"channels.xml:1: <algo> nchannels=\"1000000000\": expected a whole number from 1"});
  test::expect("collectives check " +
                   write("share.json",
                         "{\"schedule\": 1, \"name\": \"x\", \"op\": \"broadcast\",\n\"share\": "
                         "1000000000, \"ranks\": [[]]}"),
               2, {"share.json:2: \"share\": expected a whole number from 0 to 4194304"});
}

TEST_F(List, NothingThatIsAskedForIsLeftAside) {
  test::expect("list --limits noc", 2,
               {"list --limits: goes without a word", "expected one of both"});
  test::expect("list --limits --json", 2, {"list --limits: goes without --json"});
  test::expect("list --limits --descriptors x t3000", 2, {"list --limits"});
  test::expect("list t3000 --json --descriptors x", 2, {"list --json: goes without --descriptors"});
}

}  // namespace
}  // namespace tvp
