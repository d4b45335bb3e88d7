#include "models/tensix/tile/returning_words.h"

#include <algorithm>
#include <bit>

namespace tvp::tensix {

using support::Cycle;

Cycle ReturningWords::pass(const L1Banks::Stream& read, std::uint32_t word, Cycle after) {
  if (turns_.size() <= after) turns_.assign(std::bit_ceil(after + 1), {});
  Cycle at = read.begin;
  for (std::uint32_t done = 0; done < read.words; done += read.lanes, ++at) {
    const std::uint32_t words = std::min(read.lanes, read.words - done);
    while ((written_at(at) & L1Banks::banks_of(read.word + done, words)) != 0) ++at;
    turns_[(at + after) & (turns_.size() - 1)] = {at + after,
                                                  L1Banks::banks_of(word + done, words)};
  }
  return at;
}

}  // namespace tvp::tensix
