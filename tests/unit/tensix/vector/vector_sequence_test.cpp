// A replay passes through the vector unit in sequences: the results equal those of single
// instructions.

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tests/unit/tensix/vector/vector_bench.h"

namespace {

using namespace tvp::regs::tensix;
using tvp::foundation::Fault;
using tvp::tensix::coprocessor::RegisterFiles;
using tvp::tensix::coprocessor::VectorUnit;

constexpr unsigned kPlaces = VectorUnit::kReplayed;

struct Collected : tvp::foundation::FaultPolicy {
  std::vector<std::string> texts;
  void raise(const Fault& fault) override { texts.emplace_back(fault.what()); }
};

/// A unit that continues after faults.
struct Side {
  explicit Side(const tvp::tensix::coprocessor::BackendConfig& config)
      : unit("vector", *registers, config, faults) {}

  std::unique_ptr<RegisterFiles> registers = std::make_unique<RegisterFiles>();
  Collected faults;
  VectorUnit unit;
  tvp::support::Cycle now = 100, done = 0;
};

class VectorSequenceTest : public VectorBench {
 protected:
  /// Issues a word, and again at each cycle that the unit asks for.
  static void ask(Side& side, Word word) {
    Issue answer = side.unit.issue(word, 0, side.now);
    while (answer.kind == Issue::Kind::kRetryAt) {
      side.now = answer.retry;
      answer = side.unit.issue(word, 0, side.now);
    }
    side.now = answer.unit_free;
    side.done = std::max(side.done, answer.done);
  }

  /// An instruction with an effect, which may come a cycle too early.
  Word any_instruction() {
    const auto lreg = [this] { return random.below(8); };
    switch (random.below(16)) {
      case 0:
        return encode_sfpload(lreg(), 2, 0, 2 * random.below(16));
      case 1:
        return encode_sfpstore(lreg(), 2, 0, 2 * random.below(16));
      case 2:
        return encode_sfploadi(lreg(), 0, random.below(65536));
      case 3:
      case 4:
        return encode_sfpmad(lreg(), lreg(), lreg(), lreg(), random.below(20) == 0 ? 4 : 0);
      case 5:
        return encode_sfpmad(lreg(), lreg(), lreg(), random.below(16), 0);
      case 6:
        return encode_sfpmuli(random.below(65536), lreg(), 0);
      case 7:
        return encode_sfpswap(lreg(), lreg(), random.below(9));
      case 8:
        return encode_sfpshft2(0, lreg(), lreg(), random.below(7));
      case 9:
        return encode_sfpsetcc(0, lreg(), 0, 2 * random.below(4));
      case 10:
        return encode_sfpencc(3, 0, 10);
      case 11:
        return encode_sfpiadd(random.below(4096), lreg(), lreg(), 5);
      case 12:
        return encode_sfpnop();
      default:
        return encode_sfpmov(lreg(), lreg(), 0);
    }
  }
};

TEST_F(VectorSequenceTest, DoesWhatItsInstructionsDo) {
  Side one_by_one(config), together(config);
  std::uint64_t in_sequences = 0, asked = 0;
  std::array<Word, kPlaces> words{};
  for (std::uint64_t changes = 1; changes < 400; ++changes) {
    // The program is recorded again in parts.
    for (Word& word : words) {
      if (changes == 1 || random.below(3) == 0) word = any_instruction();
    }
    for (unsigned row = 0; row < 32; ++row) {
      const bool undefined = random.below(40) == 0;
      for (Side* side : {&one_by_one, &together}) {
        side->registers->dst.define16(row);
        if (undefined) side->registers->dst.undefine16(row);
      }
      for (unsigned column = 0; column < 16 && !undefined; ++column) {
        const auto datum = static_cast<std::uint16_t>(random.bits());
        for (Side* side : {&one_by_one, &together})
          side->registers->dst.write16(row, column, datum);
      }
    }
    const unsigned first = random.below(kPlaces);
    const unsigned count = 1 + random.below(2 * kPlaces);
    for (unsigned i = 0; i < count; ++i) ask(one_by_one, words[(first + i) % kPlaces]);
    std::vector<Word> offered, taken;
    for (unsigned i = 0; i < count;) {
      const auto before = together.now;
      const Cycle end = before + 1 + random.below(2 * kPlaces);
      const auto had = taken.size();
      const bool any = together.unit.issue_sequence(
          0, words, changes, (first + i) % kPlaces, 1 + random.below(count - i), end,
          random.below(4) != 0, together.now, together.done,
          [&](Word word) { offered.push_back(word); }, [&](Word word) { taken.push_back(word); });
      const auto got = static_cast<unsigned>(taken.size() - had);
      EXPECT_LE(together.now, end);
      EXPECT_EQ(any, got != 0);
      if (!any) {
        EXPECT_EQ(together.now, before);
        const Word word = words[(first + i++) % kPlaces];
        offered.push_back(word);
        taken.push_back(word);
        ask(together, word);
        ++asked;
      } else {
        in_sequences += got;
        i += got;
      }
    }
    for (unsigned i = 0; i < count; ++i) {
      ASSERT_EQ(offered[i], words[(first + i) % kPlaces]);
      ASSERT_EQ(taken[i], words[(first + i) % kPlaces]);
    }
    ASSERT_EQ(together.now, one_by_one.now);
    ASSERT_EQ(together.done, one_by_one.done);
    ASSERT_EQ(together.unit.enabled_lanes(), one_by_one.unit.enabled_lanes());
    for (unsigned index = 0; index < VectorUnit::kRegisters; ++index)
      ASSERT_EQ(together.unit.lreg(index), one_by_one.unit.lreg(index)) << "LReg" << index;
    for (unsigned row = 0; row < 32; ++row)
      ASSERT_EQ(together.registers->dst.storage(row), one_by_one.registers->dst.storage(row));
    ASSERT_EQ(together.faults.texts, one_by_one.faults.texts);
  }
  EXPECT_GT(one_by_one.faults.texts.size(), 100u);
  EXPECT_GT(in_sequences, asked);
}

TEST_F(VectorSequenceTest, EndsBeforeWhatComesACycleTooEarly) {
  std::array<Word, kPlaces> words{};
  words.fill(encode_sfpmov(0, 1, 0));
  words[1] = encode_sfpmad(1, 1, 1, 2, 0);
  words[2] = encode_sfpmov(2, 1, 0);  // reads it
  words[4] = encode_sfpmad(1, 1, 1, 3, 0);
  const auto sequence_from = [&](unsigned first) {
    Cycle done = 0;
    const Cycle begin = now;
    unit.issue_sequence(
        0, words, 1, first, kPlaces, now + 1000, true, now, done, [](Word) {}, [](Word) {});
    return now - begin;
  };
  EXPECT_EQ(sequence_from(0), 2u);
  now += 1;
  EXPECT_EQ(sequence_from(2), 32u);
}

TEST_F(VectorSequenceTest, WaitsForTheSecondCycleOfASwapBehindAFullGateOnly) {
  std::array<Word, kPlaces> words{};
  words.fill(encode_sfpmov(0, 1, 0));
  words[1] = encode_sfpswap(0, 1, 1);
  words[4] = encode_sfpswap(0, 1, 1);
  words[5] = encode_sfpnop();
  unsigned count = 0;
  const auto cycles_of = [&](unsigned first, unsigned most, unsigned room, bool may_wait) {
    Cycle done = 0;
    const Cycle begin = now += 10;
    count = 0;
    unit.issue_sequence(
        0, words, 1, first, most, now + room, may_wait, now, done, [](Word) {},
        [&](Word) { ++count; });
    return now - begin;
  };
  EXPECT_EQ(cycles_of(0, 4, 100, true), 5u);
  EXPECT_EQ(count, 4u);
  EXPECT_EQ(cycles_of(0, 4, 100, false), 2u);
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(cycles_of(0, 4, 3, true), 3u);  // The end is in the second cycle, or at it.
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(cycles_of(0, 4, 2, true), 2u);
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(cycles_of(0, 2, 100, true), 2u);  // The next word may be SFPNOP.
  EXPECT_EQ(unit.issue(encode_sfpmov(0, 1, 0), 0, now).retry, now + 1);
  EXPECT_EQ(cycles_of(3, 4, 100, false), 4u);  // It is.
  EXPECT_EQ(count, 4u);
}

}  // namespace
