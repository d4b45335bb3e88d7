#include "models/riscv/timing/fetch_unit.h"

#include <algorithm>
#include <cstring>

namespace tvp::riscv {

void FetchUnit::reset(std::uint32_t l1_bytes, const CoreGeneration::Cache& cache) {
  ++generation_;
  code_.resize(l1_bytes, iram_bytes(), cache.bytes != 0);
  code_.forget();
  cache_.configure(cache.bytes, cache.ways);
  shown_ = cache_.tags();
}

void FetchUnit::take_in(PredecodedCode::Page& page, const Op* op) {
  const std::uint32_t line = page.pc(op) / InstructionCache::kLineBytes;
  const std::uint32_t evicted = cache_.fill(line);
  if (evicted != InstructionCache::kNothing) {
    ++evictions_;
    code_.hide(evicted);
  }
  PredecodedCode::show(page, line);
  shown_[cache_.place_of(line)] = line;
}

void FetchUnit::show_unshown() {
  for (std::size_t place = unshown_._Find_first(); place < unshown_.size();
       place = unshown_._Find_next(place)) {
    const std::uint32_t line = cache_.tags()[place];
    if (shown_[place] == line) continue;
    if (shown_[place] != InstructionCache::kNothing) code_.hide(shown_[place]);
    code_.show(line);
    shown_[place] = line;
  }
  unshown_.reset();
  any_unshown_ = false;
}

void FetchUnit::invalidate() {
  ++generation_;
  code_.forget();
  cache_.clear();
  shown_ = cache_.tags();
}

bool FetchUnit::write_iram(std::uint32_t offset, const std::uint8_t* data, std::uint32_t bytes) {
  if (offset > iram_.size() || bytes > iram_.size() - offset) return false;
  std::copy_n(data, bytes, iram_.begin() + offset);
  // ISA InstructionCache.md: fetches from this RAM are not cached.
  forget(PredecodedCode::kIramBase + offset, bytes);
  return true;
}

bool FetchUnit::read_iram(std::uint32_t address, void* data, std::uint32_t bytes) const {
  const std::uint32_t offset = address - PredecodedCode::kIramBase;
  if (offset >= iram_.size() || bytes > iram_.size() - offset) return false;
  std::memcpy(data, iram_.data() + offset, bytes);
  return true;
}

bool FetchUnit::fetch(PredecodedCode::Page& page, Op* op, LoadStoreUnit& memory) {
  const std::uint32_t pc = page.pc(op);
  std::uint32_t word = 0;
  if (!memory.read_code(pc, word) && !read_iram(pc, &word, sizeof word)) return false;
  PredecodedCode::fill(page, op, word, cores_.decode(word, pc));
  if (std::find(breakpoints_.begin(), breakpoints_.end(), pc) != breakpoints_.end()) {
    op->code = static_cast<std::uint8_t>(Code::kBreakpoint);
  }
  return true;
}

void FetchUnit::insert_breakpoint(std::uint32_t pc) {
  if (std::find(breakpoints_.begin(), breakpoints_.end(), pc) != breakpoints_.end()) return;
  breakpoints_.push_back(pc);
  patch_breakpoint(pc, true);
}

void FetchUnit::remove_breakpoint(std::uint32_t pc) {
  if (std::erase(breakpoints_, pc) != 0) patch_breakpoint(pc, false);
}

/// A word that is not fetched yet gets its breakpoint when it is fetched.
void FetchUnit::patch_breakpoint(std::uint32_t pc, bool insert) {
  ++generation_;
  PredecodedCode::Page* const page = pc % 4 == 0 ? code_.page(pc) : nullptr;
  if (page == nullptr) return;
  Op* const op = page->at(pc);
  std::uint8_t& code = page->code_of(op);
  if (code == static_cast<std::uint8_t>(Code::kUndecoded)) return;
  code = insert ? static_cast<std::uint8_t>(Code::kBreakpoint)
                : cores_.decode(page->word(op), pc).code;
}

}  // namespace tvp::riscv
