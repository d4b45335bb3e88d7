// Constants that are loaded again if registers run out, and copies between named registers.
// Programs run before and after, as in vector_registers_test.cpp.

#include <gtest/gtest.h>

#include "foundation/regs/tensix_opcodes.h"
#include "sw/runtime/vectors/vector_registers.h"
#include "tests/unit/runtime/vectors/vector_writer.h"

namespace tvp::runtime::vectors {
namespace {

namespace op = regs::tensix;
using test::expect_same;
using test::raw;
using test::refusal;
using test::Writer;

/// Seven constants and three variables, of which more are alive together than registers exist.
class ConstantsWriter : public Writer {
 public:
  static constexpr std::size_t kConstants = 7;
  static constexpr std::size_t kVariables = 3;
  /// The first constant is read by halves before the other half is loaded. All lanes of the second
  /// one are copied while only some are enabled. Neither can be loaded again.
  static constexpr std::size_t kReadBetween = 0, kCopied = 1;

  explicit ConstantsWriter(unsigned seed) : Writer(seed, 20) {
    for (std::size_t i = 0; i < kConstants; ++i) {
      halves_.push_back(i != kCopied && (i == kReadBetween || draw(2) == 0));
      issue(op::encode_sfploadi(0, 0, draw(65536)), ",d20=" + take());
      if (i != kReadBetween && halves_[i]) load_lower_half(i);
    }
    for (std::size_t i = 0; i < kVariables; ++i) load();
    change_variable(at(kConstants), kReadBetween);
    load_lower_half(kReadBetween);
  }

  void step() {
    const std::string variable = at(kConstants + draw(kVariables));
    const std::size_t constant = draw(kConstants);
    switch (draw(4)) {
      case 0:
        return assign_enabled_lanes(variable, constant);
      case 1:  // a copy with all lanes enabled
        copy(constant);
        change_variable(at(alive() - 1), kConstants + draw(kVariables));
        return store(alive() - 1, true);
      default:
        return change_variable(variable, constant);
    }
  }

 private:
  void load_lower_half(std::size_t i) {
    issue(op::encode_sfploadi(0, 10, draw(65536)), ",m20=" + at(i));
  }
  void change_variable(const std::string& to, std::size_t from) {
    issue(op::encode_sfpxor(0, 0), ",m4=" + to + ",s8=" + at(from));
  }
  void assign_enabled_lanes(const std::string& variable, std::size_t constant) {
    issue(op::encode_sfppushc(0), "");
    issue(op::encode_sfpsetcc(0, 0, 0, 2 * draw(4)), ",s8=" + variable);
    const bool copies = draw(2) == 0;
    if (copies) copy(kCopied);
    const std::string inside = take();
    line("mv\t" + inside + "," + variable);
    change_variable(inside, constant);
    line("sfpi.assign\t" + variable + "," + inside);
    drop(alive() - 1);
    issue(op::encode_sfppopc(0, 0), "");
    if (!copies) return;
    change_variable(variable, alive() - 1);
    drop(alive() - 1);
  }

  std::vector<bool> halves_;
};

TEST(VectorConstants, AreLoadedAgainWholeAndWhereTheirLanesAreEnabled) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    ConstantsWriter writer(seed);
    for (int i = 0; i < 20; ++i) writer.step();
    expect_same(writer.finished(), seed);
  }
}

// A constant that is loaded at its use must not be loaded again, which would not terminate.
TEST(VectorConstants, AreRefusedBesideEightThatCannotBeLoadedAgain) {
  Writer writer(1, 20);
  for (int i = 0; i < 8; ++i) writer.load();
  const std::string constant = writer.take();
  writer.issue(op::encode_sfploadi(0, 0, 0x4000), ",d20=" + constant);
  for (std::size_t i = 0; i < 8; ++i)
    writer.issue(op::encode_sfpxor(0, 0), ",m4=" + writer.at(i) + ",s8=" + constant);
  writer.drop(8);
  EXPECT_NE(
      refusal(writer.finished() + "\t.word\twork\n").find("9 vectors are needed at the same time"),
      std::string::npos);
}

// A copy of all lanes in predicated code needs the value that was loaded with all lanes.
TEST(VectorConstants, OfWhichAllLanesAreCopiedAreNotLoadedAgain) {
  for (const bool copied : {false, true}) {
    Writer writer(1, 20);
    const std::size_t variables = copied ? 6 : 7;
    for (std::size_t i = 0; i < variables; ++i) writer.load();
    const std::string constant = writer.take();
    writer.issue(op::encode_sfploadi(0, 0, 0x4000), ",d20=" + constant);
    writer.issue(op::encode_sfppushc(0), "");
    writer.issue(op::encode_sfpsetcc(0, 0, 0, 0), ",s8=" + writer.at(0));
    if (copied) writer.copy(variables);
    writer.load();  // the ninth
    writer.issue(op::encode_sfpxor(0, 0),
                 ",m4=" + writer.at(writer.alive() - 1) + ",s8=" + writer.at(2));
    writer.store(writer.alive() - 1, true);
    writer.issue(op::encode_sfppopc(0, 0), "");
    while (writer.alive() > variables) {
      // The copy comes first; the constant's register changes afterwards.
      const std::string last = writer.at(writer.alive() - 1);
      if (last != constant)
        writer.issue(op::encode_sfpxor(0, 0), ",m4=" + last + ",s8=" + writer.at(0));
      for (std::size_t i = 0; i < variables; ++i)
        writer.issue(op::encode_sfpxor(0, 0), ",m4=" + writer.at(i) + ",s8=" + last);
      writer.drop(writer.alive() - 1);
    }
    const std::string text = writer.finished();
    if (copied) {
      EXPECT_NE(refusal(text + "\t.word\twork\n").find("9 vectors"), std::string::npos);
    } else {
      expect_same(text, 1);
    }
  }
}

// The source manages a register that it names, also across calls.
TEST(VectorConstants, RegistersOfTheSourceLastOverCalls) {
  const auto function = [](const std::string& name, const std::string& lines) {
    return "\t.type\t" + name + ", @function\n" + name + ":\n" + lines + "\tret\n\t.size\t" + name +
           ", .-" + name + "\n";
  };
  const std::string store = raw(op::encode_sfpstore(3, 4, 3, 0));
  const std::string vector = "\tsfpi.issue\t" + std::to_string(op::encode_sfpload(0, 4, 3, 0)) +
                             ",d20=a0\n\tsfpi.issue\t" +
                             std::to_string(op::encode_sfpstore(0, 4, 3, 0)) + ",s20=a0\n";
  const std::string text = function("other", vector) +
                           function("work", vector + "\t" + raw(op::encode_sfploadi(3, 0, 0x4000)) +
                                                "\n\tcall\tother\n\t" + store + "\n") +
                           "\t.word\twork\n";
  EXPECT_EQ(refusal(text), "");
  EXPECT_NE(assign_vector_registers(text).find(store), std::string::npos);
}

// A value that the source copies between registers is in both.
TEST(VectorConstants, CopiesBetweenRegistersOfTheSourceKeepBoth) {
  for (unsigned in = 0; in < 8; ++in) {
    for (unsigned out = 0; out < 8; ++out) {
      Writer writer(1, 8);
      writer.line(raw(op::encode_sfploadi(in, 0, 0x4000)));
      const std::string value = writer.take();
      writer.line("sfpi.get\t" + std::to_string(in) + "," + value);
      writer.line("sfpi.set\t" + std::to_string(out) + "," + value);
      writer.line(raw(op::encode_sfploadi(in, 0, 0x3F00)));
      writer.line(raw(op::encode_sfpstore(out, 4, 3, 7)));
      writer.line(raw(op::encode_sfpstore(in, 4, 3, 8)));
      expect_same(writer.finished(), 8 * in + out);
    }
  }
}

}  // namespace
}  // namespace tvp::runtime::vectors
