#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "tests/unit/riscv/assembler.h"
#include "tests/unit/riscv/core_bench.h"

namespace tvp::riscv {

/// Random loops whose blocks run in many states. They have nested loops, calls through registers,
/// accesses that alternate between L1 and local data RAM, and streams of stores. They also load
/// words that were just stored, divide numbers of all lengths, read a clock and store to code.
/// x5 to x24 are random. x1 and x2 hold return addresses and a stack, x25 an address, x26 to x28
/// counters, x29 the clock, x30 L1 data, x31 local data RAM.
class BlockProgram {
 public:
  using Word = assembler::Word;
  static constexpr std::uint32_t kData = 0x4000;
  static constexpr std::uint32_t kLocal = 0xFFB00800;
  static constexpr std::int32_t kReach = 128;

  /// `base` is its address. With `bursts`, half of the program are streams of accesses that others
  /// can delay, with pauses in between.
  BlockProgram(unsigned seed, std::uint32_t base, bool bursts = false)
      : random_(seed), base_(base), bursts_(bursts) {}

  /// A single burst.
  std::vector<Word> make_visit() {
    using namespace assembler;
    code_ = {lui(30, kData), lui(31, kLocal + 0x800), addi(31, 31, -2048), lui(29, 0xFFB12000),
             addi(29, 29, 0x1F0)};
    for (unsigned i = 0; i < 3; ++i) burst();
    // Sum of the cycles at which visits end.
    code_.insert(code_.end(), {lw(5, 0, 29), lw(6, 0x200, 30), add(6, 6, 5), sw(6, 0x200, 30)});
    code_.push_back(lui(25, bench::Tile::kFifo));
    code_.push_back(lw(0, 0, 25));
    return code_;
  }

  std::vector<Word> make() {
    using namespace assembler;
    code_ = {lui(30, kData), lui(31, kLocal + 0x800), addi(31, 31, -2048), lui(29, 0xFFB12000),
             addi(29, 29, 0x1F0)};
    // The stack is in L1 or in local data RAM.
    if (pick(2) == 0) {
      code_.insert(code_.end(), {lui(2, kData + 0x2000), addi(2, 2, -256 - 32 * number(8))});
    } else {
      code_.insert(code_.end(), {lui(2, 0xFFB01000), addi(2, 2, -64)});
    }
    for (Word r = 5; r < 25; ++r) {
      code_.push_back(lui(r, word()));
      code_.push_back(addi(r, r, number(2048)));
    }
    const std::size_t over_functions = code_.size();
    code_.push_back(0);
    functions_.clear();
    for (unsigned i = 0; i < 3; ++i) function();
    code_[over_functions] = jal(0, 4 * static_cast<std::int32_t>(code_.size() - over_functions));
    code_.push_back(addi(28, 0, 60 + number(120)));
    const std::size_t outer = code_.size();
    for (unsigned i = 0, n = 3 + pick(6); i < n; ++i) part();
    code_.push_back(addi(28, 28, -1));
    // Beyond the range of a branch.
    code_.push_back(beq(28, 0, 8));
    code_.push_back(jal(0, -4 * static_cast<std::int32_t>(code_.size() - outer)));
    code_.push_back(lui(25, bench::Tile::kFifo));
    code_.push_back(lw(0, 0, 25));
    return code_;
  }

 private:
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  Word word() { return static_cast<Word>(random_()); }
  std::int32_t number(unsigned n) { return static_cast<std::int32_t>(pick(n)); }
  Word any() { return 5 + pick(20); }
  std::int32_t offset(unsigned bytes) {
    return static_cast<std::int32_t>(pick(2 * kReach / bytes) * bytes) - kReach;
  }
  void add_plain(unsigned most) {
    for (unsigned i = 0, n = pick(most + 1); i < n; ++i) code_.push_back(plain());
  }

  Word load(Word base) {
    using namespace assembler;
    switch (pick(6)) {
      case 0:
        return lb(any(), offset(1), base);
      case 1:
        return lhu(any(), offset(2), base);
      case 5:
        return lh(any(), offset(2), base);
      case 2:
        return lbu(any(), offset(1), base);
      default:
        return lw(any(), offset(4), base);
    }
  }
  Word store(Word base) {
    using namespace assembler;
    switch (pick(4)) {
      case 0:
        return sb(any(), offset(1), base);
      case 1:
        return sh(any(), offset(2), base);
      default:
        return sw(any(), offset(4), base);
    }
  }
  Word plain() {
    using namespace assembler;
    const Word r = pick(16) == 0 ? 0 : any();
    switch (pick(28)) {
      case 24:
      case 25:
        return of_registers(r);
      case 26:
      case 27:
        return of_immediate(r);
      case 0:
      case 1:
      case 2:
        return load(30 + pick(2));
      case 3:
      case 4:
        return store(30 + pick(2));
      case 5:
        return mul(r, any(), any());
      case 6:
        return mulhu(r, any(), any());
      case 7:
        return pick(2) == 0 ? divu(r, any(), any()) : rem(r, any(), any());
      case 8:
        return lui(r, word());
      case 9:
        return sub(r, any(), any());
      case 10:
        return xor_(r, any(), any());
      case 11:
        return srl(r, any(), any());
      case 12:
        return slli(r, any(), pick(32));
      case 13:
        return slt(r, any(), any());
      case 14:
        return fence();
      case 15:
        return andi(r, any(), number(2048));
      default:
        return addi(r, any(), number(4096) - 2048);
    }
  }

  /// Any instruction with two registers except divisions.
  Word of_registers(Word r) {
    using namespace assembler;
    const Word funct3 = pick(8);
    switch (pick(3)) {
      case 0:
        return r_type(1, any(), any(), funct3 % 4, r, 0x33);
      case 1:
        return r_type(funct3 == 0 || funct3 == 5 ? 0x20 : 0, any(), any(), funct3, r, 0x33);
      default:
        return r_type(0, any(), any(), funct3, r, 0x33);
    }
  }
  /// Any instruction with a register and an immediate.
  Word of_immediate(Word r) {
    using namespace assembler;
    const Word funct3 = pick(8);
    if (funct3 == 1) return slli(r, any(), pick(32));
    if (funct3 == 5) return pick(2) == 0 ? srli(r, any(), pick(32)) : srai(r, any(), pick(32));
    return i_type(number(4096) - 2048, any(), funct3, r, 0x13);
  }

  /// A part of the outer loop.
  void part() {
    using namespace assembler;
    if (bursts_ && pick(2) == 0) return burst();
    add_plain(6);
    switch (pick(10)) {
      case 0:
      case 1:
        call();
        break;
      case 2:
      case 3:
        inner_loop(27);
        break;
      case 4:
        varying();
        break;
      case 5: {  // loads the word that was just stored
        const std::int32_t at = offset(4);
        code_.push_back(sw(any(), at, 30));
        add_plain(2);
        code_.push_back(lw(any(), at, 30));
        break;
      }
      case 6:  // reads the clock
        code_.push_back(lw(any(), 0, 29));
        break;
      case 7:  // stores to code, which is fetched again later
        code_.push_back(auipc(25, 0));
        code_.push_back(lw(5, 12, 25));
        code_.push_back(sw(5, 16, 25));
        code_.push_back(addi(6, 6, number(64)));
        code_.push_back(addi(6, 6, number(64)));
        break;
      case 8:
        forward();
        break;
      default:
        for (unsigned i = 0, n = 3 + pick(12); i < n; ++i) {
          code_.push_back(pick(3) == 0 ? load(30) : store(30));
        }
    }
  }
  /// Loads, stores or both, mostly in L1, once or a few times.
  void burst() {
    using namespace assembler;
    const unsigned kind = pick(4), step = 4U << pick(4);
    const bool again = pick(3) == 0;
    if (again) code_.push_back(addi(27, 0, 2 + number(4)));
    const std::size_t start = code_.size();
    for (unsigned i = 0, n = 4 + pick(17); i < n; ++i) {
      const Word base = pick(8) == 0 ? 31 : 30;
      const std::int32_t at = static_cast<std::int32_t>(i * step % (2 * kReach)) - kReach;
      const bool loads = kind == 0 || (kind == 1 && pick(2) == 0);
      code_.push_back(loads ? lw(5 + i % 20, at, base) : sw(any(), at, base));
      if (pick(12) == 0) code_.push_back(plain());
    }
    if (again) {
      code_.push_back(addi(27, 27, -1));
      code_.push_back(bne(27, 0, -4 * static_cast<std::int32_t>(code_.size() - start)));
    }
    if (pick(2) == 0) code_.push_back(lw(any(), 0, 29));
    if (pick(2) == 0) return;
    code_.push_back(addi(26, 0, 1 + number(40)));
    code_.push_back(xor_(7, 7, 26));
    code_.push_back(addi(26, 26, -1));
    code_.push_back(bne(26, 0, -8));
  }
  void forward() {
    using namespace assembler;
    const std::vector<Word> kinds{0, 1, 4, 5, 6, 7};
    const unsigned skipped = pick(6);
    code_.push_back(
        b_type(4 + 4 * static_cast<std::int32_t>(skipped), any(), any(), kinds[pick(6)]));
    for (unsigned i = 0; i < skipped; ++i) code_.push_back(plain());
  }
  void inner_loop(Word counter) {
    using namespace assembler;
    code_.push_back(addi(counter, 0, 1 + number(20)));
    const std::size_t start = code_.size();
    if (pick(3) == 0) {
      code_.push_back(load(30));  // loads only
    } else {
      add_plain(5);
      if (pick(3) == 0) varying();
      if (pick(3) == 0) forward();
      if (pick(4) == 0) code_.push_back(divu(any(), any(), any()));
    }
    code_.push_back(addi(counter, counter, -1));
    code_.push_back(bne(counter, 0, -4 * static_cast<std::int32_t>(code_.size() - start)));
  }
  /// An access of L1 or of local data RAM, as a register selects.
  void varying() {
    using namespace assembler;
    const Word by = any();
    code_.push_back(andi(25, by, 1));
    code_.push_back(sub(25, 0, 25));
    code_.push_back(xor_(24, 30, 31));
    code_.push_back(and_(24, 24, 25));
    code_.push_back(xor_(25, 24, 30));
    code_.push_back(pick(2) == 0 ? load(25) : store(25));
    code_.push_back(addi(by, by, 1 + number(3)));
  }
  void function() {
    using namespace assembler;
    functions_.push_back(base_ + 4 * static_cast<std::uint32_t>(code_.size()));
    const bool saves = pick(2) == 0;
    if (saves) {
      code_.insert(code_.end(), {addi(2, 2, -16), sw(1, 12, 2), sw(any(), 8, 2)});
    }
    add_plain(4);
    if (pick(2) == 0) inner_loop(26);
    if (saves) code_.insert(code_.end(), {lw(any(), 8, 2), lw(1, 12, 2), addi(2, 2, 16)});
    code_.push_back(jalr(0, 1, 0));
    for (unsigned i = 0, n = pick(40); i < n; ++i) code_.push_back(nop());  // possibly another page
  }
  /// Puts the address of one of two functions into a register.
  void call() {
    using namespace assembler;
    const std::uint32_t a = functions_[pick(3)], b = functions_[pick(3)];
    const Word by = any();
    code_.push_back(andi(25, by, 1));
    code_.push_back(sub(25, 0, 25));
    for (const Word r : {Word{23}, Word{24}}) {
      const std::uint32_t to = r == 23 ? a : a ^ b;
      code_.push_back(lui(r, to + 0x800));
      code_.push_back(addi(r, r, static_cast<std::int32_t>(to << 20) >> 20));
    }
    code_.push_back(and_(24, 24, 25));
    code_.push_back(xor_(23, 23, 24));
    code_.push_back(jalr(1, 23, 0));
    code_.push_back(addi(by, by, number(3)));
  }

  std::mt19937 random_;
  std::uint32_t base_;
  bool bursts_;
  std::vector<Word> code_;
  std::vector<std::uint32_t> functions_;
};

}  // namespace tvp::riscv
