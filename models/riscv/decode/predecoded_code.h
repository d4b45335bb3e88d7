#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "models/riscv/decode/decoder.h"
#include "models/riscv/timing/instruction_cache.h"
#include "models/support/huge_pages.h"

namespace tvp::riscv {

/// The decoded instructions that a core has fetched, in pages of 1 KiB of code. A word keeps its
/// first fetched value until a reset or an instruction cache invalidation, as in a cache that never
/// evicts.
class PredecodedCode {
 public:
  static constexpr std::uint32_t kPageBytes = 1024;
  static constexpr std::uint32_t kPageWords = kPageBytes / 4;
  static constexpr std::uint32_t kIramBase = 0xFFC00000;

  struct Page : support::OnHugePages {
    std::array<Op, kPageWords + 1> ops;  ///< the last one is kPageEnd
    std::array<std::uint32_t, kPageWords> words{};
    /// The codes of words that are stored as kAbsent.
    std::array<std::uint8_t, kPageWords> hidden{};
    /// Number of executions by operation, see BlockTimes.
    std::array<std::uint8_t, kPageWords + 1> heat;
    std::uint32_t base = 0;

    std::uint32_t pc(const Op* op) const {
      return base + 4 * static_cast<std::uint32_t>(op - ops.data());
    }
    Op* at(std::uint32_t pc) { return ops.data() + (pc - base) / 4; }
    std::uint32_t word(const Op* op) const {
      return words[static_cast<std::size_t>(op - ops.data())];
    }
    std::uint8_t& heat_of(const Op* op) { return heat[static_cast<std::size_t>(op - ops.data())]; }
    bool is_hidden(const Op* op) const {
      return op->code == static_cast<std::uint8_t>(Code::kAbsent);
    }
    /// The code of the word, hidden or not.
    std::uint8_t& code_of(Op* op) {
      return is_hidden(op) ? hidden[static_cast<std::size_t>(op - ops.data())] : op->code;
    }
  };

  /// If `hides` is set, words of L1 are kAbsent until they are shown.
  void resize(std::uint32_t l1_bytes, std::uint32_t iram_bytes, bool hides);

  /// The page of address pc, or null if nothing can be fetched there.
  Page* page(std::uint32_t pc) {
    std::unique_ptr<Page>* slot = find(pc);
    if (slot == nullptr) return nullptr;
    if (!*slot) allocate(*slot, pc & ~(kPageBytes - 1));
    return slot->get();
  }

  /// Enters the decoded word at the place of `op`.
  static void fill(Page& page, Op* op, std::uint32_t word, const Op& decoded);

  // Words of lines outside the instruction cache are kAbsent. Their fetched values stay.

  void hide(std::uint32_t line);
  static void show(Page& page, std::uint32_t line);
  void show(std::uint32_t line) { show(*page(line * InstructionCache::kLineBytes), line); }

  void forget();
  void forget(std::uint32_t first, std::uint32_t bytes);

 private:
  std::unique_ptr<Page>* find(std::uint32_t pc) {
    const std::uint32_t l1_page = pc / kPageBytes;
    if (l1_page < l1_pages_.size()) return &l1_pages_[l1_page];
    const std::uint32_t iram_page = (pc - kIramBase) / kPageBytes;
    if (pc >= kIramBase && iram_page < iram_pages_.size()) return &iram_pages_[iram_page];
    return nullptr;
  }
  void allocate(std::unique_ptr<Page>& slot, std::uint32_t base) const;
  void clear(Page& page) const;

  bool hides_ = false;
  std::vector<std::unique_ptr<Page>> l1_pages_;
  std::vector<std::unique_ptr<Page>> iram_pages_;
};

}  // namespace tvp::riscv
