#include "sw/collectives/schedule/symbol.h"

#include <algorithm>
#include <bit>

namespace tvp::collectives {

namespace {

/// Ranks of a set, as "0, 1, 5". Long lists end with the total number.
std::string list(const std::vector<std::uint64_t>& ranks) {
  std::string text;
  std::uint32_t named = 0;
  std::uint32_t all = 0;
  for (std::size_t word = 0; word < ranks.size(); ++word) {
    for (std::uint64_t left = ranks[word]; left != 0; left &= left - 1) {
      ++all;
      if (named == 12) continue;
      text += (named++ ? ", " : "") +
              std::to_string(word * 64 + static_cast<unsigned>(std::countr_zero(left)));
    }
  }
  if (all > named) text += ", … (" + std::to_string(all) + " ranks)";
  return text;
}

}  // namespace

Symbol Symbol::contribution(std::uint32_t rank, std::uint32_t chunk) {
  Symbol made;
  made.chunk_ = chunk;
  made.add_contributor(rank);
  return made;
}

Symbol Symbol::wrong(std::string reason) {
  Symbol made;
  made.reason_ = std::make_shared<const std::string>(std::move(reason));
  return made;
}

void Symbol::add_contributor(std::uint32_t rank) {
  if (ranks_.size() <= rank / 64) ranks_.resize(rank / 64 + 1);
  ranks_[rank / 64] |= std::uint64_t{1} << (rank % 64);
}

std::uint32_t Symbol::contributors() const {
  std::uint32_t count = 0;
  for (const std::uint64_t word : ranks_) count += static_cast<std::uint32_t>(std::popcount(word));
  return count;
}

Symbol Symbol::combined_with(const Symbol& other) const {
  if (is_wrong()) return *this;
  if (other.is_wrong()) return other;
  if (is_nothing() || other.is_nothing()) return wrong("a sum with a chunk that no step wrote");
  if (scaled_ || other.scaled_) return wrong("a sum after the division of the average");
  if (chunk_ != other.chunk_)
    return wrong("a sum of input chunks " + std::to_string(chunk_) + " and " +
                 std::to_string(other.chunk_));
  const std::size_t common = std::min(ranks_.size(), other.ranks_.size());
  std::vector<std::uint64_t> twice(common);
  bool any = false;
  for (std::size_t word = 0; word < common; ++word) {
    twice[word] = ranks_[word] & other.ranks_[word];
    any = any || twice[word];
  }
  if (any)
    return wrong("input chunk " + std::to_string(chunk_) + " of ranks " + list(twice) +
                 " is in the sum twice");
  Symbol sum = *this;
  sum.ranks_.resize(std::max(ranks_.size(), other.ranks_.size()));
  for (std::size_t word = 0; word < other.ranks_.size(); ++word)
    sum.ranks_[word] |= other.ranks_[word];
  return sum;
}

Symbol Symbol::scaled(std::uint32_t total) const {
  if (is_wrong()) return *this;
  if (is_nothing()) return wrong("the division of a chunk that no step wrote");
  if (scaled_) return wrong("divided twice");
  if (contributors() != total)
    return wrong("divided with " + std::to_string(contributors()) + " of " + std::to_string(total) +
                 " contributions");
  Symbol divided = *this;
  divided.scaled_ = true;
  return divided;
}

bool Symbol::operator==(const Symbol& other) const {
  return !is_wrong() && !other.is_wrong() && chunk_ == other.chunk_ && scaled_ == other.scaled_ &&
         ranks_ == other.ranks_;
}

std::string Symbol::text() const {
  if (is_wrong()) return *reason_;
  if (is_nothing()) return "nothing";
  return std::string(scaled_ ? "the average of " : "") + "input chunk " + std::to_string(chunk_) +
         " of rank" + (contributors() > 1 ? "s " : " ") + list(ranks_);
}

}  // namespace tvp::collectives
