#include "platform/machine/report/wait_graph.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace tvp::platform {
namespace {

using Reason = WaitGraph::Reason;
using Lines = std::vector<std::string>;

WaitGraph::Wait wait(const std::string& who, const std::string& what, const std::string& gives) {
  return {.who = who, .place = "f (k.cpp:1)", .what = "waits for " + what, .gives = gives};
}

TEST(WaitGraph, PutsTheRootBeforeItsVictims) {
  WaitGraph graph;
  const auto victim = graph.add(wait("t.A", "a page", "B pushes them"));
  const auto root = graph.add(wait("t.B", "room", "C pops"));
  graph[victim].givers = {root};
  graph[root].reason = Reason::kGiversEnded;
  graph[root].cause = "C has ended";
  EXPECT_EQ(graph.lines(), (Lines{"t.B in f (k.cpp:1) waits for room; C has ended",
                                  "t.A in f (k.cpp:1) waits for a page; B pushes them"}));
}

TEST(WaitGraph, PutsImpossibleWaitsFirst) {
  WaitGraph graph;
  const auto ended = graph.add(wait("t.A", "a page", ""));
  const auto impossible = graph.add(wait("t.B", "2; it is 3 and has passed it", ""));
  graph[ended].reason = Reason::kGiversEnded;
  graph[impossible].reason = Reason::kImpossible;
  EXPECT_EQ(graph.lines(), (Lines{"t.B in f (k.cpp:1) waits for 2; it is 3 and has passed it",
                                  "t.A in f (k.cpp:1) waits for a page"}));
}

TEST(WaitGraph, NamesACycleFromTheGiverThatGaveNothing) {
  WaitGraph graph;
  const auto a = graph.add(wait("t.A", "room", "B pops"));
  const auto b = graph.add(wait("t.B", "a page", "A pushed none"));
  const auto outside = graph.add(wait("t.C", "another page", "A pushes them"));
  graph[a].givers = {b};
  graph[b].givers = {a};
  graph[b].gave_nothing = true;
  graph[outside].givers = {a};
  EXPECT_EQ(graph.lines(),
            (Lines{"t.B in f (k.cpp:1) waits for a page; A pushed none. t.A in f (k.cpp:1) waits "
                   "for room; B pops. These 2 wait for each other",
                   "t.C in f (k.cpp:1) waits for another page; A pushes them"}));
}

// The cycle of known givers follows from the signal that never came.
TEST(WaitGraph, BeginsWithASignalThatNeverCame) {
  WaitGraph graph;
  const auto first = graph.add(wait("t.A", "word 1", "B signals it"));
  const auto second = graph.add(wait("t.B", "word 2", "A signals it"));
  const auto unsignalled = graph.add(wait("t.C", "word 3", "nobody signals it"));
  graph[first].givers = {second, unsignalled};
  graph[second].givers = {first};
  graph[unsignalled].candidates = {first};
  graph[unsignalled].is_unsignalled = true;
  EXPECT_EQ(graph.lines(),
            (Lines{"t.C in f (k.cpp:1) waits for word 3; nobody signals it. t.A in f (k.cpp:1) "
                   "waits for word 1; B signals it. These 2 seem to wait for each other",
                   "t.B in f (k.cpp:1) waits for word 2; A signals it"}));
}

// A signal that went elsewhere is a better cause than the end of another core.
TEST(WaitGraph, BeginsWithASignalThatWentElsewhere) {
  WaitGraph graph;
  const auto ended = graph.add(wait("t.A", "a page", ""));
  graph[ended].reason = Reason::kGiversEnded;
  const auto strayed = graph.add(wait("t.B", "word 1", ""));
  graph[strayed].reason = Reason::kStrayed;
  EXPECT_EQ(graph.lines(),
            (Lines{"t.B in f (k.cpp:1) waits for word 1", "t.A in f (k.cpp:1) waits for a page"}));
}

// The consumer that has some of its pages follows from nothing else: too few were pushed.
TEST(WaitGraph, BeginsACycleWithTheWaitThatHasSomePages) {
  WaitGraph graph;
  const auto first = graph.add(wait("t.A", "a page", "nobody pushed it"));
  const auto partial = graph.add(wait("t.B", "4 pages", "A pushed 3"));
  graph[first].candidates = {partial};
  graph[first].is_likely_root = true;
  graph[partial].givers = {first};
  graph[partial].is_partial = true;
  EXPECT_EQ(graph.lines(),
            (Lines{"t.B in f (k.cpp:1) waits for 4 pages; A pushed 3. t.A in f (k.cpp:1) waits for "
                   "a page; nobody pushed it. These 2 seem to wait for each other"}));
}

TEST(WaitGraph, FoldsEqualWaitsOfTiles) {
  WaitGraph graph;
  const auto root = graph.add(wait("(1,1).B", "room", ""));
  graph[root].reason = Reason::kImpossible;
  for (unsigned i = 2; i < 12; ++i) {
    const auto victim =
        graph.add(wait("(" + std::to_string(i) + ",1).A", "word " + std::to_string(i), ""));
    graph[victim].givers = {root};
  }
  EXPECT_EQ(graph.lines(),
            (Lines{"(1,1).B in f (k.cpp:1) waits for room",
                   "(2,1).A in f (k.cpp:1) waits for word 2. 9 more wait there: (3,1).A, (4,1).A, "
                   "(5,1).A, (6,1).A, (7,1).A, (8,1).A, (9,1).A, (10,1).A and 1 other"}));
}

TEST(WaitGraph, PrefersAWaitWithoutCandidates) {
  WaitGraph graph;
  const auto follows = graph.add(wait("t.A", "a signal", ""));
  const auto root = graph.add(wait("t.B", "nothing", ""));
  graph[follows].candidates = {root};
  EXPECT_EQ(graph.lines(), (Lines{"t.B in f (k.cpp:1) waits for nothing",
                                  "t.A in f (k.cpp:1) waits for a signal"}));
}

// The second graph has the lower chip, whose core comes first and whose thread comes last but one.
TEST(WaitGraph, MergesGraphsOfProcessesInTheOrderOfChips) {
  WaitGraph high, low;
  for (const unsigned chip : {3U, 1U}) {
    WaitGraph& graph = chip == 3 ? high : low;
    const std::string name = "chip" + std::to_string(chip);
    const auto core = graph.add(wait(name + ".A", "page", "the thread pushes"));
    const auto thread = graph.add(wait(name + ".T0", "room", ""));
    graph[core].chip = graph[thread].chip = chip;
    graph[core].givers = {thread};
    graph[thread].is_of_thread = true;
    graph[thread].reason = chip == 3 ? Reason::kGiversEnded : Reason::kImpossible;
    graph[thread].cause = "on " + name;
  }
  WaitGraph merged = WaitGraph::merged({high.to_json(), low.to_json()});
  EXPECT_EQ(merged[0].who, "chip1.A");
  EXPECT_EQ(merged[1].who, "chip3.A");
  EXPECT_EQ(merged[2].who, "chip1.T0");
  EXPECT_EQ(merged[0].givers, std::vector<std::size_t>{2});
  EXPECT_EQ(merged[1].givers, std::vector<std::size_t>{3});
  EXPECT_EQ(merged.lines().front(), "chip1.T0 in f (k.cpp:1) waits for room; on chip1");
  EXPECT_EQ(merged.lines().size(), 3U);  // the cores share one
}

}  // namespace
}  // namespace tvp::platform
