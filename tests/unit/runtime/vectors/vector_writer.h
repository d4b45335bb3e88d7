#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "foundation/regs/tensix_opcodes.h"
#include "sw/runtime/vectors/vector_registers.h"
#include "tests/unit/runtime/vectors/vector_machine.h"

namespace tvp::runtime::vectors::test {

namespace op = regs::tensix;
using Word = std::uint32_t;

/// Writes a function with vectors in integer registers. At most `most` are alive at a time.
class Writer {
 public:
  Writer(unsigned seed, std::size_t most) : random_(seed), most_(most) {
    text_ = "\t.file 1 \"kernel.cpp\"\n\t.type\twork, @function\nwork:\n";
    for (const char* name : {"a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "s0", "s1", "s2", "s3",
                             "s4", "s5", "s6", "s7", "s8", "s9", "t1", "t2", "t3", "t4", "t5"})
      free_.push_back(name);
  }

  void line(const std::string& text) { text_ += "\t" + text + "\n"; }
  void label(const std::string& name) { text_ += name + ":\n"; }
  void issue(Word word, const std::string& fields) {
    line("sfpi.issue\t" + std::to_string(word) + fields);
  }
  std::string finished() {
    while (!alive_.empty()) store(0, true);
    return text_ + "\tret\n\t.size\twork, .-work\n";
  }

  unsigned draw(std::size_t below) { return static_cast<unsigned>(random_() % below); }
  bool has_room() const { return alive_.size() < most_; }
  std::size_t alive() const { return alive_.size(); }
  const std::string& at(std::size_t i) const { return alive_[i]; }
  std::size_t any() { return draw(alive_.size()); }

  /// A register that holds a vector from now on.
  std::string take() {
    const std::size_t i = draw(free_.size());
    alive_.push_back(free_[i]);
    free_.erase(free_.begin() + static_cast<std::ptrdiff_t>(i));
    return alive_.back();
  }
  void drop(std::size_t i) {
    free_.push_back(alive_[i]);
    alive_.erase(alive_.begin() + static_cast<std::ptrdiff_t>(i));
  }

  void load() { issue(op::encode_sfpload(0, 4, 3, draw(512)), ",d20=" + take()); }
  void load_number() { issue(op::encode_sfpload(0, 3, 3, 512 + draw(512)), ",d20=" + take()); }
  void load_constant() {
    const std::string to = take();
    const unsigned kind = draw(4);
    if (kind == 0) return line("sfpi.constant\t" + std::to_string(9 + draw(2)) + "," + to);
    issue(op::encode_sfploadi(0, kind == 1 ? 2 : 0, draw(65536)), ",d20=" + to);
    if (kind == 3) issue(op::encode_sfploadi(0, 10, draw(65536)), ",m20=" + to);
  }
  void store(std::size_t i, bool last) {
    const Word word = op::encode_sfpstore(0, 4, 3, next_row_++ & 0x3FF);
    if (draw(4) == 0) {  // the core computes the word and stores it to the coprocessor's port
      line("li\ts10," + std::to_string(word));
      line("sfpi.store\t" + std::to_string(word) + ",s10,s11,t0,s20=" + alive_[i]);
    } else {
      issue(word, ",s20=" + alive_[i]);
    }
    if (last) drop(i);
  }
  /// Changes a value in place, so that no more are alive.
  void change(std::size_t i) {
    const std::string& to = alive_[i];
    const std::string& from = alive_[any()];
    switch (draw(8)) {
      case 0:
        return issue(op::encode_sfpand(0, 0), ",m4=" + to + ",s8=" + from);
      case 1:
        return issue(op::encode_sfpor(0, 0), ",m4=" + to + ",s8=" + from);
      case 2:
        return issue(op::encode_sfpxor(0, 0), ",m4=" + to + ",s8=" + from);
      case 3:
        return issue(op::encode_sfpnot(0, 0), ",d4=" + to + ",s8=" + to);
      case 4:
        return issue(op::encode_sfpiadd(0, 0, 0, 4), ",m4=" + to + ",s8=" + from);
      case 5:
        return issue(op::encode_sfpiadd(0, 0, 0, 2 | 4), ",m4=" + to + ",s8=" + from);
      case 6:
        return issue(op::encode_sfpiadd(draw(4096), 0, 0, 1 | 4), ",d4=" + to + ",s8=" + to);
      default:
        return issue(op::encode_sfpshft(draw(2) == 0 ? 3 : 0xFFB, 0, 0, 1), ",m4=" + to);
    }
  }
  /// Numbers stay whole and small, so that the rounding of sums does not matter.
  void change_number(std::size_t i) {
    const std::string& to = alive_[i];
    const std::string& from = alive_[any()];
    switch (draw(4)) {
      case 0:
        return issue(op::encode_sfpadd(10, 0, 0, 0, 0), ",d4=" + to + ",s12=" + to + ",s8=" + from);
      case 1:  // a difference
        return issue(op::encode_sfpmad(11, 0, 0, 0, 0), ",d4=" + to + ",s12=" + to + ",s8=" + from);
      case 2:
        return issue(op::encode_sfpmov(0, 0, 1), ",d4=" + to + ",s8=" + to);
      default: {
        if (!has_room()) return;
        // A product with a constant, optionally followed by a sum: two operations may become one.
        const std::string constant = take();
        issue(op::encode_sfploadi(0, 0, draw(2) == 0 ? 0x4000 : 0x3F00), ",d20=" + constant);
        issue(op::encode_sfpmul(0, 0, 9, 0, 0),
              ",d4=" + constant + ",s16=" + at(i) + ",s12=" + constant);
        issue(op::encode_sfpadd(10, 0, 0, 0, 0),
              ",d4=" + at(i) + ",s12=" + constant + ",s8=" + at(any()));
        return drop(alive() - 1);
      }
    }
  }
  /// Moves the value to another register or through the stack.
  void move(std::size_t i) {
    const std::string from = alive_[i];
    drop(i);
    const std::string to = take();
    if (from == to) return;
    if (draw(2) == 0) return line("mv\t" + to + "," + from);
    const std::string slot = std::to_string(4 * draw(6)) + "(sp)";
    line("sw\t" + from + "," + slot);
    line("lw\t" + to + "," + slot);
  }
  void copy(std::size_t i) {
    const std::string from = alive_[i];
    line("mv\t" + take() + "," + from);
  }
  void step() {
    if (alive() == 0) return load();
    switch (draw(10)) {
      case 0:
        return has_room() ? load() : store(any(), true);
      case 1:
        return has_room() ? load_constant() : change(any());
      case 2:
        return has_room() ? copy(any()) : change(any());
      case 3:
        return move(any());
      case 4:
        return store(any(), draw(3) == 0);
      default:
        return change(any());
    }
  }
  /// Predicated code: assigns variables; values computed inside are used inside.
  void predicated(int depth) {
    if (!has_room() || alive() == 0) return;
    const std::size_t outside = alive();
    issue(op::encode_sfppushc(0), "");
    issue(op::encode_sfpsetcc(0, 0, 0, 2 * draw(4)), ",s8=" + at(any()));
    // The compiler copies at any place, and means all lanes.
    if (alive() + 1 < most_ && draw(2) == 0) copy(draw(outside));
    branch_of_lanes(outside, depth);
    if (draw(2) == 0) {
      issue(op::encode_sfpcompc(0), "");
      branch_of_lanes(outside, depth);
    }
    issue(op::encode_sfppopc(0, 0), "");
  }

 private:
  void branch_of_lanes(std::size_t outside, int depth) {
    const std::size_t variable = draw(outside);
    const std::string from = at(draw(outside));
    const std::string inside = take();
    line("mv\t" + inside + "," + from);
    change(alive() - 1);
    line("sfpi.assign\t" + at(variable) + "," + inside);
    drop(alive() - 1);
    if (depth > 0) predicated(depth - 1);
  }

  std::mt19937 random_;
  std::size_t most_;
  std::string text_;
  std::vector<std::string> free_, alive_;
  unsigned next_row_ = 0;
};

/// `.ttinsn` of a word with registers that the source chooses.
inline std::string raw(Word word) { return ".word\t" + std::to_string(word << 2 | word >> 30); }

/// The message with which register assignment refuses a program.
inline std::string refusal(const std::string& text) {
  try {
    assign_vector_registers(text);
  } catch (const VectorError& error) {
    return error.what();
  }
  return "";
}

/// Checks that the program stores the same before and after the assignment.
inline void expect_same(const std::string& text, unsigned seed) {
  const auto before = VectorMachine::run(text);
  const std::string assigned = assign_vector_registers(text);
  EXPECT_EQ(assigned.find("sfpi."), std::string::npos);
  const auto after = VectorMachine::run(assigned);
  ASSERT_EQ(before.size(), after.size()) << "seed " << seed;
  for (std::size_t i = 0; i < before.size(); ++i) {
    ASSERT_EQ(before[i].row, after[i].row) << "seed " << seed;
    ASSERT_EQ(before[i].enabled, after[i].enabled) << "seed " << seed;
    for (unsigned lane = 0; lane < VectorMachine::kLanes; ++lane) {
      if ((before[i].enabled >> lane & 1) == 0) continue;
      if ((before[i].value.undefined >> lane & 1) != 0) continue;
      ASSERT_EQ(before[i].value.lanes[lane], after[i].value.lanes[lane])
          << "seed " << seed << ", store " << i << ", lane " << lane << "\n"
          << text << "became\n"
          << assigned;
      ASSERT_EQ(after[i].value.undefined >> lane & 1, 0u) << "seed " << seed;
    }
  }
}

}  // namespace tvp::runtime::vectors::test
