#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "tests/unit/riscv/assembler.h"

namespace tvp::riscv {

/// Random terminating RV32IM programs. x30 points to L1 data, x31 to local RAM, x29 counts loops,
/// x28 holds jump targets; all else is random.
class RandomProgram {
 public:
  static constexpr std::uint32_t kData = 0x4000;       ///< x30
  static constexpr std::uint32_t kLocal = 0xFFB00800;  ///< x31
  static constexpr std::int32_t kReach = 256;          ///< bytes each side of the bases

  /// kBlackhole adds Zba, Zbb and Zaamo.
  enum class Words : std::uint8_t { kWormhole, kBlackhole };
  explicit RandomProgram(unsigned seed, Words words = Words::kWormhole)
      : random_(seed), words_(words) {}

  /// About `length` instructions; the program falls off the end.
  std::vector<std::uint32_t> make(unsigned length) {
    using namespace assembler;
    code_ = {lui(30, kData), lui(31, kLocal + 0x800), addi(31, 31, -2048)};
    for (Word r = 1; r < 28; ++r) {
      code_.push_back(lui(r, pick(4) == 0 ? corner() : word()));
      code_.push_back(addi(r, r, immediate()));
    }
    while (code_.size() < length) {
      const unsigned kind = pick(40);
      if (kind == 0) {
        loop();
      } else if (kind < 4) {
        forward_branch();
      } else if (kind == 4) {
        indirect();
      } else {
        code_.push_back(plain());
      }
    }
    return code_;
  }

 private:
  using Word = std::uint32_t;
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  Word word() { return static_cast<Word>(random_()); }
  Word corner() {
    constexpr Word kCorners[] = {0, 0x80000000U, 0x7FFFF000U, 0xFFFFF000U, 0x1000};
    return kCorners[pick(5)];
  }
  std::int32_t immediate() { return static_cast<std::int32_t>(pick(4096)) - 2048; }
  Word rd() { return pick(28); }  // x0 too
  Word rs() { return pick(8) == 0 ? 0 : pick(28); }
  std::int32_t offset(unsigned bytes) {
    return static_cast<std::int32_t>(pick(2 * kReach / bytes) * bytes) - kReach;
  }

  /// An instruction that only the cores of Blackhole have.
  Word added() {
    using namespace assembler;
    struct Form {
      Word funct7, funct3;
    };
    constexpr Form kTwo[] = {{0x05, 4}, {0x05, 5}, {0x05, 6}, {0x05, 7}, {0x10, 2}, {0x10, 4},
                             {0x10, 6}, {0x20, 4}, {0x20, 6}, {0x20, 7}, {0x30, 1}, {0x30, 5}};
    constexpr Word kOne[] = {0x60001013, 0x60101013, 0x60201013, 0x60401013,
                             0x60501013, 0x28705013, 0x69805013, 0x08004033};
    constexpr Word kAtomic[] = {0, 1, 4, 8, 12, 16, 20, 24, 28};
    const unsigned kind = pick(30);
    if (kind < 12) return r_type(kTwo[kind].funct7, rs(), rs(), kTwo[kind].funct3, rd(), 0x33);
    if (kind < 20) return kOne[kind - 12] | rs() << 15 | rd() << 7;
    if (kind == 20) return r_type(0x30, pick(32), rs(), 5, rd(), 0x13);
    return r_type(kAtomic[kind - 21] << 2 | pick(4), rs(), 30, 2, rd(), 0x2F);
  }

  Word plain() {
    using namespace assembler;
    if (words_ == Words::kBlackhole && pick(3) == 0) return added();
    const Word base = 30 + pick(2);
    switch (pick(48)) {
      case 0:
        return lui(rd(), word());
      case 1:
        return auipc(rd(), word());
      case 2:
        return lb(rd(), offset(1), base);
      case 3:
        return lh(rd(), offset(2), base);
      case 4:
      case 5:
      case 6:
        return lw(rd(), offset(4), base);
      case 7:
        return lbu(rd(), offset(1), base);
      case 8:
        return lhu(rd(), offset(2), base);
      case 9:
        return sb(rs(), offset(1), base);
      case 10:
        return sh(rs(), offset(2), base);
      case 11:
      case 12:
        return sw(rs(), offset(4), base);
      case 13:
        return slti(rd(), rs(), immediate());
      case 14:
        return sltiu(rd(), rs(), immediate());
      case 15:
        return xori(rd(), rs(), immediate());
      case 16:
        return ori(rd(), rs(), immediate());
      case 17:
        return andi(rd(), rs(), immediate());
      case 18:
        return slli(rd(), rs(), pick(32));
      case 19:
        return srli(rd(), rs(), pick(32));
      case 20:
        return srai(rd(), rs(), pick(32));
      case 21:
        return add(rd(), rs(), rs());
      case 22:
        return sub(rd(), rs(), rs());
      case 23:
        return sll(rd(), rs(), rs());
      case 24:
        return slt(rd(), rs(), rs());
      case 25:
        return sltu(rd(), rs(), rs());
      case 26:
        return xor_(rd(), rs(), rs());
      case 27:
        return srl(rd(), rs(), rs());
      case 28:
        return sra(rd(), rs(), rs());
      case 29:
        return or_(rd(), rs(), rs());
      case 30:
        return and_(rd(), rs(), rs());
      case 31:
        return mul(rd(), rs(), rs());
      case 32:
        return mulh(rd(), rs(), rs());
      case 33:
        return mulhsu(rd(), rs(), rs());
      case 34:
        return mulhu(rd(), rs(), rs());
      case 35:
        return div(rd(), rs(), rs());
      case 36:
        return divu(rd(), rs(), rs());
      case 37:
        return rem(rd(), rs(), rs());
      case 38:
        return remu(rd(), rs(), rs());
      case 39:
        return fence();
      default:
        return addi(rd(), rs(), immediate());
    }
  }
  void forward_branch() {
    using namespace assembler;
    const Word f3 = std::vector<Word>{0, 1, 4, 5, 6, 7}[pick(6)];
    const unsigned skipped = pick(5);
    if (pick(5) == 0) {
      code_.push_back(jal(rd(), 4 + 4 * static_cast<std::int32_t>(skipped)));
    } else {
      code_.push_back(b_type(4 + 4 * static_cast<std::int32_t>(skipped), rs(), rs(), f3));
    }
    for (unsigned i = 0; i < skipped; ++i) code_.push_back(plain());
  }
  void loop() {
    using namespace assembler;
    const unsigned body = 1 + pick(12);
    code_.push_back(addi(29, 0, 1 + static_cast<std::int32_t>(pick(6))));
    for (unsigned i = 0; i < body; ++i) code_.push_back(plain());
    code_.push_back(addi(29, 29, -1));
    code_.push_back(bne(29, 0, -4 * static_cast<std::int32_t>(body + 1)));
  }
  void indirect() {
    using namespace assembler;
    const unsigned skipped = pick(4);
    code_.push_back(auipc(28, 0));
    code_.push_back(jalr(rd(), 28, 8 + 4 * static_cast<std::int32_t>(skipped)));
    for (unsigned i = 0; i < skipped; ++i) code_.push_back(plain());
  }

  std::mt19937 random_;
  Words words_;
  std::vector<std::uint32_t> code_;
};

}  // namespace tvp::riscv
