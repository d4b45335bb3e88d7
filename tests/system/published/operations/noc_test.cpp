// Kernels of tt-metal's data movement benchmarks: transfers between cores and from DRAM.

#include <gtest/gtest.h>

#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

using runtime::CoreCoord;
using runtime::CoreRange;
using runtime::NOC;

const std::string kMovement = "tests/tt_metal/tt_metal/data_movement/";

class PublishedNoc : public PublishedTest {
 protected:
  static constexpr Word kBytes = 64;  // per transaction

  Words words(std::size_t many) {
    Words made(many);
    for (Word& word : made) word = static_cast<Word>(random_());
    return made;
  }
  static Word packed(CoreCoord logical) {
    const CoreCoord at = bench_->noc(logical);
    return count(at.x) << 16 | count(at.y);
  }
  static Words coordinates(std::initializer_list<CoreCoord> cores) {
    Words made;
    for (const CoreCoord& core : cores) {
      made.push_back(count(bench_->noc(core).x));
      made.push_back(count(bench_->noc(core).y));
    }
    return made;
  }
  /// The part of a local tensor on the nth core.
  static Words part(const Words& all, std::size_t n, std::size_t cores) {
    const auto each = static_cast<std::ptrdiff_t>(all.size() / cores);
    const auto from = all.begin() + static_cast<std::ptrdiff_t>(n) * each;
    return {from, from + each};
  }
};

TEST_F(PublishedNoc, TransactionIds) {
  // One core reads from one core and writes to another. In the other variant, a transaction id
  // shows that a write has left before its source is overwritten.
  constexpr Word kMany = 15, kWords = kMany * kBytes / 4;
  const CoreRange cores({0, 0}, {2, 0});
  for (const bool reads_first : {true, false}) {
    const Words before = words(3 * kWords);
    const auto at = bench_->local(before, cores);
    Operation(*bench_)
        .writer(kMovement + "transaction_id/kernels/" +
                    (reads_first ? "reader_writer.cpp" : "writer_reader_one_packet_stateful.cpp"),
                {.compile = {address(at), kMany, kBytes, 0, packed({1, 0}), packed({2, 0})}})
        .run();
    const Words after = bench_->local_words(at);
    const Words given = part(before, 2, 3);
    EXPECT_EQ(part(after, 0, 3), given);
    EXPECT_EQ(part(after, 1, 3), reads_first ? given : part(before, 0, 3));
    EXPECT_EQ(part(after, 2, 3), given);
  }
}

TEST_F(PublishedNoc, WordsWithAndWithoutState) {
  constexpr Word kMany = 10, kBase = 0x1234, kStride = 16;
  const CoreRange cores({0, 0}, {1, 0});
  for (const char* kernel : {"sender_stateful.cpp", "sender_non_stateful.cpp"}) {
    for (Word ways = 0; ways < 8; ++ways) {
      const Word posted = ways & 1, one_place = ways >> 1 & 1, one_value = ways >> 2 & 1;
      const auto at = bench_->local(Words(2 * kMany * kStride / 4), cores);
      Operation(*bench_)
          .writer(kMovement + "direct_write/kernels/" + kernel,
                  {.compile = {0, kMany, kBase, posted, one_place, one_value, address(at), kStride,
                               packed({1, 0}), 1}})
          .run();
      const Words got = part(bench_->local_words(at), 1, 2);
      for (Word i = 0; i < kMany; ++i) {
        const Word value = one_place && !one_value ? kBase + kMany - 1
                           : one_value             ? kBase
                                                   : kBase + i;
        ASSERT_EQ(got[i * kStride / 4], one_place && i != 0 ? 0 : value)
            << kernel << ways << ": " << i;
      }
    }
  }
}

TEST_F(PublishedNoc, MulticastsInOneGo) {
  // Linked or not, to all cores of a rectangle or to all but the sender, over either NoC.
  constexpr Word kMany = 4, kPages = 2, kWords = kPages * kBytes / 4;
  const CoreRange cores({0, 0}, {1, 1});
  for (const std::string kernel : {"sender_multicast.cpp", "sender_multicast_2_0.cpp"}) {
    for (Word ways = 0; ways < 8; ++ways) {
      const Word linked = ways & 1, loopback = ways >> 1 & 1;
      const Words before = words(4 * kWords);
      const auto from = bench_->local(before, cores), to = bench_->local(Words(4 * kWords), cores);
      const CoreCoord start = bench_->noc({0, 0}), end = bench_->noc({1, 1});
      Operation(*bench_)
          .writer(kMovement + "one_to_all/kernels/" + kernel,
                  {.compile = {address(from), address(to), kMany, kPages, kBytes, 0,
                               loopback ? 4U : 3U, linked, loopback, count(start.x), count(start.y),
                               count(end.x), count(end.y), 0, 2, 2},
                   .noc = ways < 4 ? NOC::NOC_0 : NOC::NOC_1})
          .run();
      const Words after = bench_->local_words(to);
      for (std::size_t core = 0; core < 4; ++core)
        EXPECT_EQ(part(after, core, 4),
                  core == 0 && loopback == 0 ? Words(kWords) : part(before, 0, 4))
            << kernel << ways << ": " << core;
    }
  }
}

TEST_F(PublishedNoc, MulticastsThatReceiversAskFor) {
  constexpr Word kMany = 5, kPages = 2, kWords = kPages * kBytes / 4;
  const CoreRange all({0, 0}, {2, 1}), sender({0, 0}, {0, 0}), receivers({1, 0}, {2, 1});
  for (const Word linked : {0U, 1U}) {
    const Words before = words(6 * kWords);
    const auto from = bench_->local(before, all), to = bench_->local(Words(6 * kWords), all);
    const CoreCoord start = bench_->noc({1, 0}), end = bench_->noc({2, 1});
    Operation operation(*bench_);
    operation.on(all);
    const Word ready = operation.semaphore(0), valid = operation.semaphore(1),
               sent = operation.semaphore(0);
    operation.on(sender)
        .writer(kMovement + "one_to_all/kernels/sender_multicast_sem.cpp",
                {.compile = {address(from), address(to), kMany, kPages, kBytes, 0, 4, linked, 0,
                             count(start.x), count(start.y), count(end.x), count(end.y), 0, 2, 2,
                             ready, valid, sent},
                 .noc = NOC::NOC_0})
        .on(receivers)
        .reader(kMovement + "one_to_all/kernels/receiver_sem.cpp",
                {.compile = {kMany, kPages, kBytes, 0, ready, sent, packed({0, 0})}})
        .run();
    const Words after = bench_->local_words(to);
    for (std::size_t core = 1; core < 6; ++core)
      EXPECT_EQ(part(after, core, 6), core == 3 ? Words(kWords) : part(before, 0, 6)) << core;
  }
}

TEST_F(PublishedNoc, AllToAllByVirtualChannels) {
  constexpr Word kMany = 6, kChannels = 4, kWords = kBytes / 4;
  const CoreRange masters({0, 0}, {1, 0}), all({0, 0}, {3, 0});
  const auto others = coordinates({{2, 0}, {3, 0}});
  for (const bool writes : {true, false}) {
    const Words before = words(4 * kWords);
    const auto from = bench_->local(before, all), to = bench_->local(Words(4 * kWords), all);
    // Reads of several cores overwrite each other; the last one of the list remains.
    const Words compile{
        0, address(writes ? from : to), address(writes ? to : from), kMany, kBytes, 2, kChannels};
    Operation operation(*bench_);
    if (writes) {
      operation.on(CoreRange({0, 0}, {0, 0}))
          .writer(kMovement + "all_to_all/kernels/sender.cpp", {.compile = compile, .run = others});
    } else {
      operation.on(masters).reader(kMovement + "all_from_all/kernels/requestor.cpp",
                                   {.compile = compile, .run = others});
    }
    operation.run();
    const Words after = bench_->local_words(to);
    for (std::size_t core = 0; core < 4; ++core) {
      const bool reached = writes == (core >= 2);
      EXPECT_EQ(part(after, core, 4), reached ? part(before, writes ? 0 : 3, 4) : Words(kWords))
          << writes << ": " << core;
    }
  }
}

TEST_F(PublishedNoc, BothWaysAtOnce) {
  // One kernel, or two of a core on one NoC, where one only writes and the other only reads.
  constexpr Word kMany = 8, kChannel = 2, kWords = kBytes / 4;
  const CoreRange cores({0, 0}, {1, 0});
  const std::string kernels = kMovement + "core_bidirectional/kernels/";
  for (const bool one : {true, false}) {
    const Words sent = words(2 * kWords), asked = words(2 * kWords);
    const auto write = bench_->local(sent, cores), read = bench_->local(asked, cores);
    Operation operation(*bench_);
    if (one) {
      operation.writer(
          kernels + "sender_and_requestor.cpp",
          {.compile = {0, address(write), address(read), kMany, kBytes, packed({1, 0}), kChannel}});
    } else {
      operation
          .writer(kernels + "sender.cpp",
                  {.compile = {0, address(write), kMany, kBytes, packed({1, 0}), kChannel},
                   .noc = NOC::NOC_0})
          .reader(
              kernels + "requestor.cpp",
              {.compile = {0, address(read), kMany, kBytes, packed({1, 0})}, .noc = NOC::NOC_0});
    }
    operation.run();
    EXPECT_EQ(part(bench_->local_words(write), 1, 2), part(sent, 0, 2)) << one;
    EXPECT_EQ(part(bench_->local_words(read), 0, 2), part(asked, 1, 2)) << one;
  }
}

TEST_F(PublishedNoc, BanksOfDramByTransactionIds) {
  constexpr Word kBanks = 12, kPages = 3, kTimes = 2, kPage = 2048, kIds = 5;
  const Words before = words(kBanks * kPages * kPage / 4);
  const auto in = bench_->tensor(before, kPage);
  const auto to = bench_->local(Words(before.size()));
  Operation(*bench_)
      .writer(
          kMovement + "dram_sharded/kernels/dram_sharded_read_trid.cpp",
          {.compile = {kTimes, kBanks, kPages, kPage, 0, kIds}, .run = {address(in), address(to)}})
      .run();
  const Words after = bench_->words(to);
  for (Word bank = 0; bank < kBanks; ++bank)
    for (Word page = 0; page < kPages; ++page)
      for (Word word = 0; word < kPage / 4; ++word)
        ASSERT_EQ(after[(bank * kPages + page) * kPage / 4 + word],
                  before[(page * kBanks + bank) * kPage / 4 + word])
            << bank << ", " << page << ", " << word;
}

TEST_F(PublishedNoc, SemaphoresByAtomics) {
  constexpr Word kMany = 7, kBy = 3;
  const CoreRange cores({0, 0}, {1, 0});
  const auto at = bench_->local(Words(8), cores);
  const std::string kernels = kMovement + "atomics/kernels/";
  Operation(*bench_)
      .on(CoreRange({0, 0}, {0, 0}))
      .writer(kernels + "atomic_semaphore_sender.cpp",
              {.compile = {address(at), kMany, kBy, 0, packed({1, 0}), 4}})
      .on(CoreRange({1, 0}, {1, 0}))
      .writer(kernels + "atomic_semaphore_receiver.cpp",
              {.compile = {address(at), kMany, kBy, 0, 4}})
      .run();
  EXPECT_EQ(bench_->local_words(at), (Words{0, 0, 0, 0, 0, kMany * kBy, 0, 0}));
}

}  // namespace
}  // namespace tvp::test
