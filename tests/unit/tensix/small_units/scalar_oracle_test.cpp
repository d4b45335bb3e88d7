// Random scalar unit instructions on GPRs and L1, including atomics, compared byte by byte with the
// steps of their pages (ISA TensixCoprocessor).

#include <array>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "foundation/regs/tensix_disassembler.h"
#include "tests/unit/tensix/frontend/coprocessor_bench.h"

namespace tvp::tensix::coprocessor::scalar_oracle {
namespace {

using Word = std::uint32_t;
constexpr unsigned kThreadCount = 3, kGprs = 64;
constexpr std::uint32_t kMemory = 0x20000;  ///< bytes of L1 in use
constexpr std::uint32_t kHighest = 0x400;   ///< largest address, in units of 16 B, without offset

/// GPRs as bytes, and memory.
struct Page {
  std::array<std::array<std::uint8_t, 4 * kGprs>, kThreadCount> gprs{};
  std::vector<std::uint8_t> memory = std::vector<std::uint8_t>(kMemory);

  Word gpr(unsigned thread, unsigned index) const { return word_at(&gprs[thread][4 * index]); }
  void set_gpr(unsigned thread, unsigned index, Word value) {
    std::memcpy(&gprs[thread][4 * index], &value, 4);
  }
  Word word(std::uint32_t address) const { return word_at(&memory[address]); }
  void set_word(std::uint32_t address, Word value) { std::memcpy(&memory[address], &value, 4); }
  static Word word_at(const std::uint8_t* bytes) {
    Word value;
    std::memcpy(&value, bytes, 4);
    return value;
  }

  /// True if hardware retries until another agent has changed memory.
  bool waits(unsigned thread, Word word_of_code) const {
    const unsigned opcode = word_of_code >> 24;
    const std::uint32_t at = gpr(thread, word_of_code & 63) * 16;
    const unsigned offset = word_of_code >> 12 & 3;
    if (opcode == 0x64) return word(at + 4 * offset) != (word_of_code >> 14 & 15);
    if (opcode != 0x62) return false;
    const unsigned width = word_of_code >> 14 & 15;
    const Word size = word(at + 4) - word(at);
    if (offset % 2 == 0) return size == 0;
    return size != 0 && size % (width == 0 ? 0x8000 : 1u << (width - 1)) == 0;
  }

  void execute(unsigned t, Word w) {
    const unsigned low = w & 63, second = w >> 6 & 63, third = w >> 12 & 63;
    const unsigned mode = w >> 18 & 7;
    const Word left = gpr(t, low), right = (w >> 23 & 1) != 0 ? second : gpr(t, second);
    const std::uint32_t at = gpr(t, low) * 16;
    switch (w >> 24) {
      case 0x45: {
        const auto value = static_cast<std::uint16_t>(w >> 8);
        std::memcpy(&gprs[t][2 * (w & 127)], &value, 2);
        return;
      }
      case 0x58:
        return set_gpr(t, third, left + right);
      case 0x59:
        return set_gpr(t, third, left - right);
      case 0x5A:
        return set_gpr(t, third, left % 65536 * (right % 65536));
      case 0x5B:
        return set_gpr(t, third,
                       mode == 0   ? left & right
                       : mode == 1 ? left | right
                                   : left ^ right);
      case 0x5C: {
        const std::uint64_t wide = left;
        const unsigned by = right % 32;
        return set_gpr(t, third, static_cast<Word>(mode == 0 ? wide << by : wide >> by));
      }
      case 0x5D:
        return set_gpr(t, third,
                       mode == 0   ? left > right
                       : mode == 1 ? left < right
                                   : left == right);
      case 0x49: {
        const std::uint32_t from = at + advance_offset(t, w);
        const unsigned size = w >> 22 & 3;
        const unsigned bytes = bytes_of(size);
        std::memcpy(&gprs[t][4 * (size == 0 ? second & 60 : second)], &memory[from / bytes * bytes],
                    bytes);
        return;
      }
      case 0x66: {
        const std::uint32_t to = at + advance_offset(t, w);
        const unsigned size = w >> 21 & 3;
        const unsigned bytes = bytes_of(size);
        std::memcpy(&memory[to / bytes * bytes], &gprs[t][4 * (size == 0 ? second & 60 : second)],
                    bytes);
        return;
      }
      case 0x61: {
        const std::uint32_t word_address = at + 4 * (w >> 12 & 3);
        const std::uint64_t modulus = std::uint64_t{2} << (w >> 14 & 31);
        const Word old = word(word_address);
        const std::uint64_t sum = old % modulus + gpr(t, second) % modulus;
        set_word(word_address, static_cast<Word>(old - old % modulus + sum % modulus));
        return set_gpr(t, second, old);
      }
      case 0x63: {
        std::array<std::uint8_t, 16> data{};
        if ((w >> 22 & 1) != 0) {
          std::memcpy(&data[second % 4 * 4], &gprs[t][4 * second], 4);
        } else {
          std::memcpy(data.data(), &gprs[t][4 * (second & 60)], 16);
        }
        for (unsigned i = 0; i < 16; ++i)
          if ((w >> 14 >> i / 2 & 1) != 0) memory[at + i] = data[i];
        return;
      }
      case 0x64:
        return set_word(at + 4 * (w >> 12 & 3), w >> 18 & 15);
      default: {
        const std::uint32_t word_address = at + 4 * (w >> 12 & 3);
        const Word modulus = 1u << (w >> 14 & 15);
        const Word old = word(word_address);
        const Word by = (w >> 22 & 1) != 0 ? 0 : 1u << (w >> 18 & 15);
        set_word(word_address, old / modulus * modulus + (old + by) % modulus);
        return set_gpr(t, second, old);
      }
    }
  }

 private:
  static unsigned bytes_of(unsigned size) { return 16u >> (size == 0 ? 0 : size + 1); }
  /// The offset before it advances.
  std::uint16_t advance_offset(unsigned t, Word w) {
    constexpr unsigned kSteps[] = {0, 2, 4, 16};
    std::uint8_t* const half = &gprs[t][2 * (w >> 14 & 127)];
    std::uint16_t offset, next;
    std::memcpy(&offset, half, 2);
    next = static_cast<std::uint16_t>(offset + kSteps[w >> 12 & 3]);
    std::memcpy(half, &next, 2);
    return offset;
  }
};

class Program {
 public:
  explicit Program(unsigned seed) : generator_(seed) {}
  Word bits() { return static_cast<Word>(generator_()); }
  Word below(Word limit) { return static_cast<Word>(generator_() % limit); }

  Word next() {
    constexpr Word kOpcodes[] = {0x45, 0x58, 0x59, 0x5A, 0x5B, 0x5C, 0x5D, 0x49,
                                 0x66, 0x61, 0x61, 0x63, 0x63, 0x64, 0x62, 0x62};
    const Word opcode = kOpcodes[below(std::size(kOpcodes))];
    Word fields = bits() & 0xFFFFFF;
    if (opcode == 0x45) fields &= ~0x80u;  // an immediate operand
    if (opcode == 0x5B || opcode == 0x5D) fields = (fields & ~0x1C0000u) | below(3) << 18;
    if (opcode == 0x5C) fields = (fields & ~0x1C0000u) | below(2) << 18;
    if (opcode == 0x66) fields |= 0x800000;  // to L1
    return opcode << 24 | fields;
  }

 private:
  std::mt19937_64 generator_;
};

TEST(ScalarOracle, DoesWhatThePagesSay) {
  test::Bench bench;
  Program program(7);
  const auto page = std::make_unique<Page>();
  auto& state = bench.coprocessor.state();
  Cycle now = 0;
  unsigned waited = 0;
  for (unsigned round = 0; round < 12000; ++round) {
    const unsigned thread = program.below(kThreadCount);
    const Word instruction = program.next();
    if (round % 500 == 0) {
      for (auto& byte : page->memory) byte = static_cast<std::uint8_t>(program.bits());
      std::memcpy(bench.l1.bytes(), page->memory.data(), kMemory);
    }
    for (unsigned t = 0; t < kThreadCount; ++t) {
      for (unsigned i = 0; i < kGprs; ++i) {
        // Random bits, or an address with any offset, and half as large or equal, for comparisons.
        const Word value = i % 3 == 0 ? program.below(kHighest) : program.bits();
        page->set_gpr(t, i, i % 7 == 6 ? page->gpr(t, i - 1) : value);
      }
    }
    const unsigned address_register = instruction & 63;
    const bool addresses = instruction >> 24 >= 0x61 || instruction >> 24 == 0x49;
    if (addresses) {
      page->set_gpr(thread, address_register, program.below(kHighest));
      const std::uint32_t at = page->gpr(thread, address_register) * 16;
      // FIFOs that are mostly neither full nor empty, and matching operands of ATCAS.
      if (instruction >> 24 == 0x62) {
        const Word first = program.below(1u << 15);
        page->set_word(at, first);
        page->set_word(at + 4, program.below(4) == 0 ? first : first + program.below(40));
      }
      if (instruction >> 24 == 0x64 && program.below(8) != 0)
        page->set_word(at + 4 * (instruction >> 12 & 3), instruction >> 14 & 15);
      std::memcpy(bench.l1.bytes() + at, &page->memory[at], 16);
    }
    for (unsigned t = 0; t < kThreadCount; ++t)
      for (unsigned i = 0; i < kGprs; ++i) state.gprs[t][i] = page->gpr(t, i);
    if (page->waits(thread, instruction)) {
      ++waited;  // the coprocessor waits, too, until the words change
      const std::uint32_t at = page->gpr(thread, address_register) * 16;
      bench.push(thread, now, {instruction});
      bench.run(now += 60);
      ASSERT_EQ(std::memcmp(bench.l1.bytes() + at, &page->memory[at], 16), 0)
          << regs::tensix::disassemble(instruction) << " does not wait";
      ASSERT_FALSE(bench.coprocessor.thread_idle(thread));
      const bool swap = instruction >> 24 == 0x64;
      const std::uint32_t changed = swap ? at + 4 * (instruction >> 12 & 3) : at + 4;
      const Word let_go = swap ? instruction >> 14 & 15 : page->word(at) + 1;
      page->set_word(changed, let_go);
      if (page->waits(thread, instruction)) page->set_word(changed, page->word(at) + 3);
      if (page->waits(thread, instruction)) page->set_word(changed, page->word(at));
      ASSERT_FALSE(page->waits(thread, instruction));
      bench.l1.set_word(changed, page->word(changed));
    } else {
      bench.push(thread, now, {instruction});
    }
    page->execute(thread, instruction);
    bench.run(now += 60);
    const std::string what =
        regs::tensix::disassemble(instruction) + " of thread " + std::to_string(thread);
    ASSERT_TRUE(bench.coprocessor.thread_idle(thread)) << what;
    for (unsigned t = 0; t < kThreadCount; ++t)
      for (unsigned i = 0; i < kGprs; ++i)
        ASSERT_EQ(state.gprs[t][i], page->gpr(t, i)) << "GPR " << i << " of " << t << ": " << what;
    ASSERT_EQ(std::memcmp(bench.l1.bytes(), page->memory.data(), kMemory), 0) << what;
  }
  EXPECT_GT(waited, 50U);
}

}  // namespace
}  // namespace tvp::tensix::coprocessor::scalar_oracle
