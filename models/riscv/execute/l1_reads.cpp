#include "models/riscv/execute/l1_reads.h"

#include <algorithm>

namespace tvp::riscv {

using support::Cycle;
using support::HeardTimes;
using support::kNever;

void L1Reads::forget(unsigned core, const HeardTimes& heard, Cycle asked_from) {
  Notes& notes = notes_[core];
  const auto is_over = [&](std::uint64_t read) {
    const Cycle at = read >> kBankBits;
    return at < asked_from || !heard.meets(at, at + 1);
  };
  if (notes.count > kMostAhead) {
    const auto begin = notes.reads.begin();
    const auto end = begin + static_cast<std::ptrdiff_t>(notes.count);
    const auto last = end - static_cast<std::ptrdiff_t>(kMostAhead);
    const auto kept = heard.spans().empty() ? begin : std::remove_if(begin, last, is_over);
    notes.count = static_cast<std::size_t>(std::copy(last, end, kept) - begin);
  }
  notes.reads.resize(std::max(2 * kMostAhead, 2 * notes.count));
}

void L1Reads::forget_from(unsigned core, Cycle at) {
  Notes& notes = notes_[core];
  const auto kept = std::lower_bound(notes.begin(), notes.end(), at << kBankBits);
  notes.count = static_cast<std::size_t>(kept - notes.begin());
}

std::vector<L1Reads::Polled>& L1Reads::polls(unsigned core, Cycle since, Cycle period,
                                             const HeardTimes& heard, Cycle asked_from) {
  std::vector<Poll>& polls = polls_[core];
  std::size_t& present = present_[core];
  const auto over = std::find_if(polls.begin(), polls.end(), [&](const Poll& poll) {
    return poll.until <= asked_from || !heard.meets(poll.since, poll.until);
  });
  present = static_cast<std::size_t>(over - polls.begin());
  if (over == polls.end()) polls.emplace_back();
  Poll& poll = polls[present];
  poll.since = since;
  poll.until = kNever;
  poll.period = period;
  poll.reads.clear();
  return poll.reads;
}

bool L1Reads::polls_no_more(unsigned core, Cycle until) {
  if (polls_[core].empty()) return false;
  Poll& poll = polls_[core][present_[core]];
  if (poll.until != kNever) return false;
  poll.until = until;
  return true;
}

bool L1Reads::Poll::find(Cycle begin, Cycle end, Cycle base, Found& found) const {
  bool any = false;
  const Cycle before = std::min(end, until);
  for (const Polled& read : reads) {
    Cycle at = since + read.offset;
    if (at < begin) at += (begin - at + period - 1) / period * period;
    for (; at < before; at += period) {
      found[at - base] |= static_cast<Banks>(1U << read.bank);
      any = true;
    }
  }
  return any;
}

bool L1Reads::find_in(Cycle begin, Cycle end, Cycle base, Found& found) const {
  bool any = false;
  for (unsigned core = 0; core < kCores; ++core) {
    const Notes& notes = notes_[core];
    if (notes.count != 0 && *(notes.end() - 1) >> kBankBits >= begin) {
      auto read = std::lower_bound(notes.begin(), notes.end(), begin << kBankBits);
      for (; read != notes.end() && *read >> kBankBits < end; ++read) {
        found[(*read >> kBankBits) - base] |= static_cast<Banks>(1U << (*read & 15));
        any = true;
      }
    }
    for (const Poll& poll : polls_[core]) {
      if (poll.until > begin && poll.since < end) any |= poll.find(begin, end, base, found);
    }
  }
  return any;
}

bool L1Reads::find(Cycle begin, Cycle end, const HeardTimes& heard, Found& found) const {
  bool any = false;
  bool cleared = false;
  for (const HeardTimes::Span& span : heard.spans()) {
    const Cycle first = std::max(begin, span.from), last = std::min(end, span.until);
    if (first >= last) continue;
    if (!cleared) found.fill(0);
    cleared = true;
    any |= find_in(first, last, begin, found);
  }
  return any;
}

}  // namespace tvp::riscv
