#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <vector>

/// A plain interpreter of RV32IM with Zba, Zbb and Zaamo, written from the RISC-V specification,
/// that gives the expected results.
namespace tvp::riscv::golden {

struct Machine {
  std::uint32_t x[32] = {};
  std::uint32_t pc = 0;
  std::vector<std::uint8_t> l1;
  std::vector<std::uint8_t> local;
  std::uint64_t steps = 0;

  std::uint8_t* at(std::uint32_t address) {
    if (address >= 0xFFB00000U && address - 0xFFB00000U < local.size()) {
      return &local[address - 0xFFB00000U];
    }
    return address < l1.size() ? &l1[address] : nullptr;
  }
  std::uint32_t fetch() {
    std::uint32_t w = 0;
    std::memcpy(&w, at(pc), 4);
    return w;
  }

  /// False if the instruction accesses neither memory; it then has no effect.
  bool step() {
    const std::uint32_t w = fetch();
    const std::uint32_t opcode = w & 0x7F, rd = (w / 128) % 32, f3 = (w / 4096) % 8;
    const std::uint32_t a = x[(w / 32768) % 32], b = x[(w / 1048576) % 32], f7 = w / 33554432;
    const auto sa = static_cast<std::int32_t>(a), sb = static_cast<std::int32_t>(b);
    const std::int32_t imm_i = static_cast<std::int32_t>(w) / 1048576 -
                               ((static_cast<std::int32_t>(w) < 0 && (w & 0xFFFFF) != 0) ? 1 : 0);
    std::uint32_t result = 0, next = pc + 4;
    bool writes = true;
    switch (opcode) {
      case 0x37:
        result = w & 0xFFFFF000U;
        break;
      case 0x17:
        result = pc + (w & 0xFFFFF000U);
        break;
      case 0x6F: {
        std::uint32_t imm = ((w >> 21) & 0x3FF) * 2 + ((w >> 20) & 1) * 2048 + (w & 0xFF000);
        if (w >> 31) imm -= 1U << 20;
        result = next;
        next = pc + imm;
        break;
      }
      case 0x67:
        result = next;
        next = (a + static_cast<std::uint32_t>(imm_i)) & ~1U;
        break;
      case 0x63: {
        std::uint32_t imm = ((w >> 8) & 15) * 2 + ((w >> 25) & 63) * 32 + ((w >> 7) & 1) * 2048;
        if (w >> 31) imm -= 4096;
        const bool condition[8] = {a == b, a != b, false, false, sa < sb, sa >= sb, a < b, a >= b};
        if (condition[f3]) next = pc + imm;
        writes = false;
        break;
      }
      case 0x03: {
        const std::uint8_t* m = at(a + static_cast<std::uint32_t>(imm_i));
        if (m == nullptr) return false;
        const std::uint32_t byte = m[0];
        const std::uint32_t half = f3 % 4 >= 1 ? byte + 256U * m[1] : 0;
        if (f3 == 0) result = byte - (byte >= 128 ? 256 : 0);
        if (f3 == 1) result = half - (half >= 32768 ? 65536 : 0);
        if (f3 == 2) result = half + 65536U * m[2] + 16777216U * m[3];
        if (f3 == 4) result = byte;
        if (f3 == 5) result = half;
        break;
      }
      case 0x23: {
        std::uint32_t imm = rd + (f7 % 64) * 32;
        if (w >> 31) imm -= 2048;
        std::uint8_t* m = at(a + imm);
        if (m == nullptr) return false;
        for (unsigned i = 0; i < (1U << f3); ++i) m[i] = static_cast<std::uint8_t>(b >> (8 * i));
        writes = false;
        break;
      }
      case 0x13:
        if (f3 % 4 == 1 && f7 != 0 && f7 != 32) {
          result = bits(f7, f3, a, (w >> 20) & 31);
          break;
        }
        result = alu(f3, f3 == 5 && f7 == 32, false, a,
                     f3 % 4 == 1 ? (w >> 20) & 31 : static_cast<std::uint32_t>(imm_i));
        break;
      case 0x33:
        if (f7 > 1 && !(f7 == 32 && (f3 == 0 || f3 == 5))) {
          result = manipulate(f7, f3, a, b);
          break;
        }
        result =
            f7 == 1 ? multiply(f3, a, b) : alu(f3, f3 == 5 && f7 == 32, f3 == 0 && f7 == 32, a, b);
        break;
      case 0x2F: {
        std::uint8_t* m = at(a);
        if (m == nullptr) return false;
        result = m[0] + 256U * m[1] + 65536U * m[2] + 16777216U * m[3];
        const std::uint32_t stored = swapped(f7 / 4, result, b);
        for (unsigned i = 0; i < 4; ++i) m[i] = static_cast<std::uint8_t>(stored >> (8 * i));
        break;
      }
      default:
        writes = false;  // fence
    }
    if (writes && rd != 0) x[rd] = result;
    pc = next;
    ++steps;
    return true;
  }

  static std::uint32_t swapped(unsigned f5, std::uint32_t old, std::uint32_t b) {
    const bool less = (old ^ 0x80000000U) < (b ^ 0x80000000U);
    switch (f5) {
      case 0:
        return old + b;
      case 1:
        return b;
      case 4:
        return (old | b) & ~(old & b);
      case 8:
        return ~(~old & ~b);
      case 12:
        return ~(~old | ~b);
      case 16:
        return less ? old : b;
      case 20:
        return less ? b : old;
      case 24:
        return old < b ? old : b;
      default:
        return old < b ? b : old;
    }
  }

  static std::uint32_t rotated_left(std::uint32_t a, unsigned n) {
    for (unsigned i = 0; i < n % 32; ++i) a = a * 2 + a / 0x80000000U;
    return a;
  }

  /// The forms with an immediate operand.
  static std::uint32_t bits(unsigned f7, unsigned f3, std::uint32_t a, unsigned n) {
    unsigned count = 0;
    if (f3 == 1) {
      switch (n) {
        case 0:
          while (count < 32 && a / 0x80000000U == 0) a *= 2, ++count;
          return count;
        case 1:
          while (count < 32 && a % 2 == 0) a /= 2, ++count;
          return count;
        case 2:
          for (; a != 0; a /= 2) count += a % 2;
          return count;
        case 4:
          return a % 256 - (a % 256 >= 128 ? 256 : 0);
        default:
          return a % 65536 - (a % 65536 >= 32768 ? 65536 : 0);
      }
    }
    if (f7 == 0x30) return rotated_left(a, 32 - n);
    std::uint32_t result = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const std::uint32_t byte = a >> (8 * i) & 255;
      result += f7 == 0x14 ? (byte == 0 ? 0 : 255U << (8 * i)) : byte << (24 - 8 * i);
    }
    return result;
  }

  static std::uint32_t manipulate(unsigned f7, unsigned f3, std::uint32_t a, std::uint32_t b) {
    const bool less = (a ^ 0x80000000U) < (b ^ 0x80000000U);
    switch (f7 * 8 + f3) {
      case 4 * 8 + 4:
        return a % 65536;
      case 5 * 8 + 4:
        return less ? a : b;
      case 5 * 8 + 5:
        return a < b ? a : b;
      case 5 * 8 + 6:
        return less ? b : a;
      case 5 * 8 + 7:
        return a < b ? b : a;
      case 16 * 8 + 2:
        return b + 2 * a;
      case 16 * 8 + 4:
        return b + 4 * a;
      case 16 * 8 + 6:
        return b + 8 * a;
      case 32 * 8 + 4:
        return (a & b) | ~(a | b);
      case 32 * 8 + 6:
        return ~(~a & b);
      case 32 * 8 + 7:
        return a - (a & b);
      case 48 * 8 + 1:
        return rotated_left(a, b % 32);
      default:
        return rotated_left(a, 32 - b % 32);
    }
  }

  static std::uint32_t alu(unsigned f3, bool arithmetic, bool subtract, std::uint32_t a,
                           std::uint32_t b) {
    const unsigned n = b % 32;
    const std::uint64_t wide = a;
    switch (f3) {
      case 0:
        return subtract ? a + ~b + 1 : a + b;
      case 1:
        return static_cast<std::uint32_t>(wide * (std::uint64_t{1} << n));
      case 2:
        return (a ^ 0x80000000U) < (b ^ 0x80000000U);
      case 3:
        return a < b;
      case 4:
        return (a | b) & ~(a & b);
      case 5: {
        const std::uint32_t fill = arithmetic && (a >> 31) && n ? ~0U << (32 - n) : 0;
        return static_cast<std::uint32_t>(wide / (std::uint64_t{1} << n)) | fill;
      }
      case 6:
        return ~(~a & ~b);
      default:
        return ~(~a | ~b);
    }
  }

  static std::uint32_t multiply(unsigned f3, std::uint32_t a, std::uint32_t b) {
    using Wide = __int128;
    const Wide sa = static_cast<std::int32_t>(a), sb = static_cast<std::int32_t>(b);
    const Wide ua = a, ub = b;
    const auto low = [](Wide v) { return static_cast<std::uint32_t>(v & 0xFFFFFFFF); };
    switch (f3) {
      case 0:
        return low(ua * ub);
      case 1:
        return low((sa * sb) >> 32);
      case 2:
        return low((sa * ub) >> 32);
      case 3:
        return low((ua * ub) >> 32);
      case 4:
        return b == 0 ? 0xFFFFFFFFU : low(sa / sb);
      case 5:
        return b == 0 ? 0xFFFFFFFFU : low(ua / ub);
      case 6:
        return b == 0 ? a : low(sa % sb);
      default:
        return b == 0 ? a : low(ua % ub);
    }
  }
};

}  // namespace tvp::riscv::golden
