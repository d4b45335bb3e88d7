// Tests schedules as files: round trips, files in the format of MSCCL, and the errors of others.
#include <gtest/gtest.h>

#include <string>

#include "foundation/fault.h"
#include "sw/collectives/algorithms/algorithm.h"
#include "sw/collectives/files/msccl_xml.h"
#include "sw/collectives/files/schedule_file.h"
#include "sw/collectives/files/schedule_json.h"
#include "sw/collectives/schedule/checker.h"
#include "tests/support/fault_of.h"

namespace tvp::collectives {
namespace {

template <typename Call>
std::string refusal_of(const Call& call) {
  return tvp::test::fault_of([&] { call(); }, foundation::FaultKind::kDescription);
}

template <typename Visit>
void for_all_schedules(const Visit& visit) {
  for (const auto& algorithm : all_algorithms())
    for (const Primitive primitive : algorithm->primitives())
      for (const std::uint32_t ranks : {2U, 4U, 5U, 8U})
        for (const std::uint32_t segments : {1U, 2U}) {
          ScheduleRequest request;
          request.primitive = primitive;
          request.ranks = ranks;
          request.segments = segments;
          request.peer = ranks - 1;
          if (algorithm->refusal(request).empty()) visit(algorithm->schedule(request));
          request.average = reduces(primitive);
          request.root = ranks - 1;
          request.peer = 0;
          if (algorithm->refusal(request).empty()) visit(algorithm->schedule(request));
        }
}

TEST(ScheduleJson, ComesBackAsItWas) {
  for_all_schedules([](const Schedule& schedule) {
    EXPECT_TRUE(from_json(to_json(schedule), "x.json") == schedule) << schedule.name;
  });
}

TEST(ScheduleJson, KeepsTheSetsOfLanes) {
  ScheduleRequest request;
  request.ranks = 12;
  request.tiers = {{3}, {4}};
  const Schedule torus = algorithm_named("torus").schedule(request);
  const std::string text = to_json(torus);
  EXPECT_NE(text.find("\"lane_sets\": 4"), std::string::npos);
  EXPECT_TRUE(from_json(text, "x.json") == torus);
}

std::size_t steps_in(const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = text.find("<step"); at != std::string::npos;
       at = text.find("<step", at + 1))
    ++count;
  return count;
}

TEST(MscclXml, ComesBackRight) {
  std::size_t written = 0;
  for_all_schedules([&](const Schedule& schedule) {
    std::string text;
    try {
      text = to_msccl(schedule);
    } catch (const foundation::Fault& fault) {
      const std::string why = fault.what();
      EXPECT_TRUE(why.find("no division") != std::string::npos ||
                  why.find("no switch") != std::string::npos ||
                  why.find("no send_recv") != std::string::npos)
          << why;
      return;
    }
    ++written;
    const Schedule back = from_msccl(text, "x.xml");
    const Verdict verdict = Checker(back).run();
    EXPECT_TRUE(verdict.right()) << schedule.name << "\n" << verdict.text();
    EXPECT_EQ(back.size(), schedule.size());
    EXPECT_EQ(back.vector_chunks(), schedule.vector_chunks());
    // After one conversion the steps stay equal, though threadblocks may change places.
    EXPECT_EQ(steps_in(to_msccl(back)), steps_in(text)) << schedule.name;
  });
  EXPECT_GT(written, 100U);
}

// A file in the form of MSCCL's tools, in place: each rank receives the other's contribution in its
// scratch memory.
constexpr const char* kInPlace = R"(<algo name="allpairs" proto="LL" nchannels="1"
  nchunksperloop="2" ngpus="2" coll="allreduce" inplace="1" outofplace="0" minBytes="0" maxBytes="0">
  <!-- two ranks, two chunks -->
  <gpu id="0" i_chunks="2" o_chunks="0" s_chunks="2">
    <tb id="0" send="1" recv="1" chan="0">
      <step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="s" dstoff="0" cnt="2" depid="-1" deps="-1" hasdep="0"/>
      <step s="1" type="r" srcbuf="i" srcoff="0" dstbuf="s" dstoff="0" cnt="2" depid="-1" deps="-1" hasdep="1"/>
    </tb>
    <tb id="1" send="-1" recv="-1" chan="-1">
      <step s="0" type="nop" srcbuf="i" srcoff="0" dstbuf="i" dstoff="0" cnt="0" depid="0" deps="1" hasdep="0"/>
      <step s="1" type="re" srcbuf="s" srcoff="0" dstbuf="i" dstoff="0" cnt="2" depid="-1" deps="-1" hasdep="0"/>
    </tb>
  </gpu>
  <gpu id="1" i_chunks="2" o_chunks="0" s_chunks="2">
    <tb id="0" send="0" recv="0" chan="0">
      <step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="s" dstoff="0" cnt="2" depid="-1" deps="-1" hasdep="0"/>
      <step s="1" type="r" srcbuf="i" srcoff="0" dstbuf="s" dstoff="0" cnt="2" depid="-1" deps="-1" hasdep="1"/>
      <step s="2" type="re" srcbuf="s" srcoff="0" dstbuf="i" dstoff="0" cnt="2" depid="-1" deps="-1" hasdep="0"/>
    </tb>
  </gpu>
</algo>
)";

TEST(MscclXml, ReadsWhatWorksInPlace) {
  const Schedule schedule = from_msccl(kInPlace, "allpairs.xml");
  const Verdict verdict = Checker(schedule).run();
  EXPECT_TRUE(verdict.right()) << verdict.text();
  EXPECT_EQ(schedule.share, 2U);
  // Both ranks send two chunks before they receive, in one message.
  EXPECT_FALSE(Checker(schedule, 1).run().right());
  EXPECT_EQ(schedule.longest_message(), 2U);
  EXPECT_EQ(slots_that_suffice(schedule, 1), 2U);
}

// Files of msccl-tools give inplace="1" also for custom collectives, whose steps name both buffers.
constexpr const char* kCustom = R"(<algo name="shift" proto="LL" nchannels="1" nchunksperloop="3"
  ngpus="2" coll="custom" inplace="1">
  <gpu id="0" i_chunks="3" o_chunks="0" s_chunks="0">
    <tb id="0" send="1" recv="-1" chan="0">
      <step s="0" type="s" srcbuf="i" srcoff="1" dstbuf="o" dstoff="0" cnt="2" depid="-1" deps="-1" hasdep="0"/>
    </tb>
  </gpu>
  <gpu id="1" i_chunks="0" o_chunks="2" s_chunks="0">
    <tb id="0" send="-1" recv="0" chan="0">
      <step s="0" type="r" srcbuf="i" srcoff="1" dstbuf="o" dstoff="0" cnt="2" depid="-1" deps="-1" hasdep="0"/>
    </tb>
  </gpu>
</algo>
)";

TEST(MscclXml, ReadsCustomCollectives) {
  const Schedule schedule = from_msccl(kCustom, "shift.xml");
  EXPECT_EQ(schedule.primitive, Primitive::kCustom);
  EXPECT_EQ(schedule.input_chunks(), 3U);
  EXPECT_EQ(schedule.output_chunks(), 2U);
  EXPECT_TRUE(Checker(schedule).run().right());
  EXPECT_EQ(from_json(to_json(schedule), "x.json"), schedule);
  const Schedule back = from_msccl(to_msccl(schedule), "x.xml");
  EXPECT_EQ(back.input_chunks(), 3U);
  EXPECT_EQ(back.output_chunks(), 2U);
  EXPECT_TRUE(Checker(back).run().right());
}

TEST(MscclXml, ReadsGathersAndScattersInPlace) {
  const std::string gather = R"(<algo name="ag" proto="Simple" nchannels="1" nchunksperloop="2"
 ngpus="2" coll="allgather" inplace="1">
 <gpu id="0" i_chunks="1" o_chunks="2" s_chunks="0">
  <tb id="0" send="1" recv="1" chan="0">
   <step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
   <step s="1" type="r" srcbuf="o" srcoff="1" dstbuf="o" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
  </tb>
 </gpu>
 <gpu id="1" i_chunks="1" o_chunks="2" s_chunks="0">
  <tb id="0" send="0" recv="0" chan="0">
   <step s="0" type="s" srcbuf="o" srcoff="1" dstbuf="o" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
   <step s="1" type="r" srcbuf="o" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
  </tb>
 </gpu>
</algo>)";
  EXPECT_TRUE(Checker(from_msccl(gather, "ag.xml")).run().right());
  const std::string scatter = R"(<algo name="rs" proto="Simple" nchannels="1" nchunksperloop="2"
 ngpus="2" coll="reducescatter" inplace="1">
 <gpu id="0" i_chunks="2" o_chunks="1" s_chunks="0">
  <tb id="0" send="1" recv="1" chan="0">
   <step s="0" type="s" srcbuf="i" srcoff="1" dstbuf="i" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
   <step s="1" type="rrc" srcbuf="o" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
  </tb>
 </gpu>
 <gpu id="1" i_chunks="2" o_chunks="1" s_chunks="0">
  <tb id="0" send="0" recv="0" chan="0">
   <step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="i" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
   <step s="1" type="rrc" srcbuf="o" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
  </tb>
 </gpu>
</algo>)";
  EXPECT_TRUE(Checker(from_msccl(scatter, "rs.xml")).run().right());
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), with);
}

TEST(MscclXml, SaysWhatIsWrongAndOnWhichLine) {
  const struct {
    const char* what;
    const char* with;
    const char* complaint;
  } cases[] = {
      {"</gpu>", "</tb>", "a.xml:13: is not XML: Start-end tags mismatch"},
      {"type=\"re\"", "type=\"rr\"", "a.xml:11: <step> type=\"rr\": expected one of s, r, rcs"},
      {"depid=\"0\"", "depid=\"7\"", "a.xml:10: <step> depid=\"7\": this <gpu> has no such <tb>"},
      {"<tb id=\"1\"", "<tb id=\"0\"", "a.xml:9: <tb> id=\"0\" is given twice"},
      {"s=\"1\" type=\"r\"", "s=\"2\" type=\"r\"", "a.xml:7: <step> s=\"2\": expected 1"},
      {"srcbuf=\"i\"", "srcbuf=\"x\"", "a.xml:6: <step> srcbuf=\"x\": expected i, o or s"},
      {"cnt=\"2\"", "cnt=\"two\"",
       "a.xml:6: <step> cnt=\"two\": expected a whole number from 1 to 4194304"},
      {"cnt=\"2\"", "cnt=2", "a.xml:6: is not XML: Error parsing element attribute"},
      {"send=\"1\"", "send=\"-1\"",
       "a.xml:6: <step> type=\"s\" in the <tb> of line 5, which has send=\"-1\""},
      {"chan=\"0\"", "chan=\"-1\"",
       "a.xml:5: <tb> chan=\"-1\": expected a whole number from 0 to 65535"},
      {"ngpus=\"2\"", "ngpus=\"3\"", "a.xml:1: <algo> ngpus=\"3\", but the file has 2 <gpu>"},
      {"coll=\"allreduce\"", "coll=\"allsum\"", "a.xml:1: <algo> coll=\"allsum\": expected one of"},
      {"<gpu id=\"1\"", "<gpu id=\"0\"", "a.xml:14: <gpu> id=\"0\": expected each of 0 to 1 once"},
      {"nchunksperloop=\"2\"", "", "a.xml:1: <algo> has no attribute nchunksperloop"},
      {"-->", "", "is not XML: Error parsing comment"},
      {"</algo>", "", "a.xml:21: is not XML: "},
      {"<tb id=\"1\"", "<block id=\"1\"", "a.xml:"},
  };
  for (const auto& each : cases) {
    const std::string refused =
        refusal_of([&] { from_msccl(replaced(kInPlace, each.what, each.with), "a.xml"); });
    EXPECT_NE(refused.find(each.complaint), std::string::npos) << refused << "\n" << each.complaint;
  }
}

constexpr const char* kJson = R"({
  "schedule": 1,
  "name": "two",
  "op": "send_recv",
  "peer": 1,
  "ranks": [
    [[{"do": "send", "source": ["input", 0], "to": 1}]],
    [[{"do": "receive", "from": 0, "destination": ["output", 0]}]]
  ]
}
)";

TEST(ScheduleJson, SaysWhatIsWrongAndOnWhichLine) {
  EXPECT_TRUE(Checker(from_json(kJson, "a.json")).run().right());
  const struct {
    const char* what;
    const char* with;
    const char* complaint;
  } cases[] = {
      {"\"peer\": 1,", "\"peer\": 1", "a.json:6: is not JSON: "},
      {"\"peer\": 1,", "\"peer\": -1,",
       "a.json:5: \"peer\": expected a whole number from 0 to 4294967293"},
      {"\"peer\": 1,", "\"pear\": 1,", "a.json:5: key \"pear\" in a schedule: expected one of"},
      {"\"peer\": 1,", "\"peer\": 1, \"peer\": 1,", "a.json:5: key \"peer\" is given twice"},
      {"send_recv", "send_receive", "a.json:4: "},
      {"\"schedule\": 1", "\"schedule\": 2", "a.json:2: \"schedule\": expected 1"},
      {"\"do\": \"send\"", "\"do\": \"sent\"", "a.json:7: step \"sent\": expected one of send"},
      {"\"do\": \"send\", ", "", "a.json:7: has no \"do\": expected a text"},
      {"[\"output\", 0]", "[\"outputs\", 0]", "a.json:8: \"destination\": expected [\"input\""},
      {"[\"output\", 0]", "[\"output\"]", "a.json:8: \"destination\": expected [\"input\""},
      {"\"from\": 0", "\"from\": 1.5", "a.json:8: \"from\": expected a whole number"},
      {"\"to\": 1", "\"to\": 1, \"after\": [0]", "a.json:7: \"after\": expected pairs"},
      {"\"to\": 1", "\"to\": 1, \"channel\": 70000",
       "a.json:7: \"channel\": expected a whole number from 0 to 65535"},
      {"[[{\"do\": \"send\"", "[{\"do\": \"send\"", "a.json:"},
  };
  for (const auto& each : cases) {
    const std::string refused =
        refusal_of([&] { from_json(replaced(kJson, each.what, each.with), "a.json"); });
    EXPECT_NE(refused.find(each.complaint), std::string::npos) << refused << "\n" << each.complaint;
  }
}

// The parser frees a deep tree without recursion, and counts each line once.
TEST(ScheduleJson, LongTextsTakeNoLongerThanTheirLength) {
  const std::string deep(1'000'000, '[');
  EXPECT_EQ(refusal_of([&] { from_json("\n" + deep, "a.json"); }),
            "a.json:2: is not JSON: values nest too deeply");
  std::string many;
  for (unsigned i = 0; i < 300'000; ++i) many += "0,\n";
  EXPECT_EQ(refusal_of([&] {
              from_json("{\"schedule\": 1, \"ranks\": [\n" + many + "]", "a.json");
            }).substr(0, 23),
            "a.json:300002: is not J");
}

TEST(MscclXml, LongTextsTakeNoLongerThanTheirLength) {
  std::string many;
  for (unsigned i = 0; i < 300'000; ++i) many += "<gpu/>\n";
  EXPECT_EQ(refusal_of([&] { from_msccl("<algo>\n" + many, "a.xml"); }).substr(0, 27),
            "a.xml:300001: is not XML: S");
  std::string attributes;
  for (unsigned i = 0; i < 300'000; ++i) attributes += " a" + std::to_string(i) + "=\"1\"";
  EXPECT_EQ(refusal_of([&] { from_msccl("\n<algo" + attributes + "/>", "a.xml"); }),
            "a.xml:2: <algo> has more than 64 attributes");
}

TEST(MscclXml, RefusesWhatIsNoElement) {
  const auto refused = [](const char* what, const char* with) {
    return refusal_of([&] { from_msccl(replaced(kInPlace, what, with), "a.xml"); });
  };
  EXPECT_EQ(refused("</gpu>", "words</gpu>"),
            "a.xml:4: <gpu> contains text: expected <tb> or <copy>");
  EXPECT_EQ(refused("</algo>", "</algo>\n<algo/>"),
            "a.xml:22: <algo> follows the end of <algo>: expected the end of the file");
  EXPECT_EQ(refused("id=\"0\" i_chunks", "id=\"0\" id=\"1\" i_chunks"),
            "a.xml:4: <gpu> has the attribute id twice");
  EXPECT_EQ(refusal_of([] { from_msccl("<gpu/>", "a.xml"); }),
            "a.xml:1: <gpu> is the root: expected <algo>");
}

// Each count is refused before anything of its size is allocated.
TEST(MscclXml, BoundsCounts) {
  const struct {
    const char* what;
    const char* with;
    const char* complaint;
  } cases[] = {
      {"nchunksperloop=\"2\"", "nchunksperloop=\"1000000000\"",
       "a.xml:1: <algo> nchunksperloop=\"1000000000\": expected a whole number from 1 to 4194304"},
      {"nchunksperloop=\"2\"", "nchunksperloop=\"4000000\"",
       "a.xml:1: <algo> nchunksperloop=\"4000000\": 2 ranks need 4000000 chunks or more each: "
       "expected at most 4194304 of all ranks"},
      {"nchannels=\"1\"", "nchannels=\"1000000000\"",
       "a.xml:1: <algo> nchannels=\"1000000000\": expected a whole number from 1 to 65536"},
      {"ngpus=\"2\"", "ngpus=\"1000000000\"",
       "a.xml:1: <algo> ngpus=\"1000000000\": expected a whole number from 1 to 4096"},
      {"s_chunks=\"2\"", "s_chunks=\"1000000000\"",
       "a.xml:4: <gpu> s_chunks=\"1000000000\": expected a whole number from 0 to 4194304"},
      {"s_chunks=\"2\"", "s_chunks=\"4000000\"",
       "a.xml:4: <gpu> s_chunks=\"4000000\": 2 ranks need 4000002 chunks or more each: expected "
       "at most 4194304 of all ranks"},
      {"chan=\"0\"", "chan=\"2000000000\"",
       "a.xml:5: <tb> chan=\"2000000000\": expected a whole number from 0 to 65535"},
      {"send=\"1\"", "send=\"1000000000\"",
       "a.xml:5: <tb> send=\"1000000000\": expected a whole number from -1 to 4095"},
      {"cnt=\"2\"", "cnt=\"1000000000\"",
       "a.xml:6: <step> cnt=\"1000000000\": expected a whole number from 1 to 4194304"},
      {"dstoff=\"0\" cnt=\"2\" depid=\"-1\" deps=\"-1\" hasdep=\"1\"",
       "dstoff=\"0\" cnt=\"4194303\" depid=\"-1\" deps=\"-1\" hasdep=\"1\"",
       "a.xml:7: <step> cnt=\"4194303\": the steps up to here move 4194305 chunks: expected at "
       "most 4194304"},
      {"srcoff=\"0\"", "srcoff=\"4194304\"",
       "a.xml:6: <step> srcoff=\"4194304\": expected a whole number from 0 to 4194303"},
  };
  for (const auto& each : cases)
    EXPECT_EQ(refusal_of([&] { from_msccl(replaced(kInPlace, each.what, each.with), "a.xml"); }),
              each.complaint);
}

TEST(ScheduleJson, BoundsCounts) {
  const struct {
    const char* what;
    const char* with;
    const char* complaint;
  } cases[] = {
      {"\"peer\": 1,", "\"peer\": 1, \"share\": 1000000000,",
       "a.json:5: \"share\": expected a whole number from 0 to 4194304"},
      {"\"peer\": 1,", "\"peer\": 1, \"share\": 4000000,",
       "a.json:6: 2 ranks need 4000000 chunks or more each: expected at most 4194304 of all ranks"},
      {"\"peer\": 1,", "\"peer\": 1, \"scratch\": 4000000,",
       "a.json:6: 2 ranks need 4000001 chunks or more each: expected at most 4194304 of all ranks"},
      {"\"to\": 1", "\"to\": 1, \"count\": 1000000000",
       "a.json:7: \"count\": expected a whole number from 0 to 4194304"},
      {"\"from\": 0", "\"from\": 0, \"count\": 4194304",
       "a.json:8: the steps up to here move 4194305 chunks: expected at most 4194304"},
  };
  for (const auto& each : cases)
    EXPECT_EQ(refusal_of([&] { from_json(replaced(kJson, each.what, each.with), "a.json"); }),
              each.complaint);
  std::string ranks;
  for (unsigned i = 0; i < 5000; ++i) ranks += i == 0 ? "[]" : ", []";
  EXPECT_EQ(refusal_of([&] {
              from_json("{\"schedule\": 1, \"name\": \"x\", \"op\": \"broadcast\",\n\"ranks\": [" +
                            ranks + "]}",
                        "a.json");
            }),
            "a.json:2: \"ranks\" has 5000 items: expected at most 4096");
}

// A file that was written can be read.
TEST(ScheduleFile, WritersRefuseWhatReadersRefuse) {
  const auto expect_refusal = [](const Schedule& schedule, const std::string& fault) {
    EXPECT_EQ(refusal_of([&] { to_json(schedule); }), "schedule s as JSON: " + fault);
    EXPECT_EQ(refusal_of([&] { to_msccl(schedule); }), "schedule s as MSCCL XML: " + fault);
  };
  const auto schedule_of = [](std::uint32_t ranks) {
    Schedule schedule;
    schedule.name = "s";
    schedule.primitive = Primitive::kBroadcast;
    schedule.share = 1;
    schedule.ranks.resize(ranks);
    return schedule;
  };
  expect_refusal(schedule_of(4097), "4097 ranks: expected at most 4096");
  Schedule large = schedule_of(2);
  large.scratch = 2'097'151;
  expect_refusal(large,
                 "2 ranks need 2097153 chunks or more each: expected at most 4194304 of all ranks");
  --large.scratch;
  EXPECT_TRUE(from_json(to_json(large), "a.json") == large);
  EXPECT_EQ(from_msccl(to_msccl(large), "a.xml").scratch, large.scratch);
  Schedule busy = schedule_of(1);
  const Step copy{.kind = StepKind::kCopy,
                  .source = {Memory::kInput, 0},
                  .destination = {Memory::kOutput, 0},
                  .count = 2'097'152};
  busy.ranks[0].lanes.push_back({{copy, copy, Step{}}});
  EXPECT_TRUE(from_json(to_json(busy), "a.json") == busy);
  busy.ranks[0].lanes[0].steps[2] = {
      .kind = StepKind::kCopy, .source = {Memory::kInput, 0}, .destination = {Memory::kOutput, 0}};
  expect_refusal(busy, "the steps up to here move 4194305 chunks: expected at most 4194304");
}

// MSCCL's `rcs` stores what it forwards, in scratch that the writer adds.
TEST(MscclXml, WriterCountsTheScratchThatItAdds) {
  Schedule schedule;
  schedule.name = "s";
  schedule.primitive = Primitive::kBroadcast;
  schedule.share = 1;
  schedule.ranks.resize(3);
  const auto relay = [](std::uint32_t chunks) {
    return Step{.kind = StepKind::kReceive, .count = chunks, .to = 2, .from = 0};
  };
  schedule.ranks[1].lanes.push_back({{relay(1'398'099)}});
  EXPECT_EQ(from_msccl(to_msccl(schedule), "a.xml").scratch, 1'398'099U);
  schedule.ranks[1].lanes[0].steps[0] = relay(1'398'100);
  EXPECT_TRUE(from_json(to_json(schedule), "a.json") == schedule);
  EXPECT_EQ(refusal_of([&] { to_msccl(schedule); }),
            "schedule s as MSCCL XML: 3 ranks need 1398102 chunks or more each: expected at most "
            "4194304 of all ranks");
}

TEST(ScheduleFile, GoesByTheEndingOfTheName) {
  EXPECT_NE(refusal_of([] { read_schedule("a.txt"); }).find("expected a name that ends in"),
            std::string::npos);
  EXPECT_NE(refusal_of([] { read_schedule("/no/such.json"); }).find("cannot be read"),
            std::string::npos);
  EXPECT_NE(refusal_of([] {
              write_schedule(from_json(kJson, "a"), "/no/such.json");
            }).find("cannot be written"),
            std::string::npos);
}

TEST(ScheduleFile, ExamplesAreRight) {
  for (const char* name :
       {"all_reduce_ring_4.xml", "all_reduce_inc_4.json", "broadcast_two_ways_4.json"}) {
    const Schedule schedule =
        read_schedule(std::string(TVP_SOURCE_FOLDER) + "/sw/collectives/examples/" + name);
    const Verdict verdict = Checker(schedule).run();
    EXPECT_TRUE(verdict.right()) << name << "\n" << verdict.text();
  }
}

}  // namespace
}  // namespace tvp::collectives
