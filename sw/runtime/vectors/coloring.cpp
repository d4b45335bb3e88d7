#include "sw/runtime/vectors/coloring.h"

#include <algorithm>

namespace tvp::runtime::vectors {
namespace {

using Kind = Instruction::Kind;

template <typename Act>
void each_copy(const VectorCode& code, Act act) {
  for (const Block& block : code.blocks) {
    for (const Instruction& instruction : block.instructions) {
      if (instruction.kind == Kind::kMove || instruction.kind == Kind::kAssign)
        act(instruction.operands[0].web, instruction.operands[1].web);
    }
  }
}

}  // namespace

Coloring::Coloring(const VectorCode& code, const Lifetimes& lifetimes, bool join) : code_(code) {
  const auto count = static_cast<int>(code.webs.size());
  for (int web = 0; web < count; ++web) {
    edges_.push_back(lifetimes.neighbors(web));
    exists_.push_back(lifetimes.exists(web));
    parents_.push_back(web);
    regs_.push_back(code.webs[static_cast<std::size_t>(web)].reg);
  }
  if (join) join_copies();
  assign();
  for (int web = 0; web < count; ++web)
    regs_[static_cast<std::size_t>(web)] = regs_[static_cast<std::size_t>(find(web))];
}

int Coloring::find(int web) const {
  while (parents_[static_cast<std::size_t>(web)] != web)
    web = parents_[static_cast<std::size_t>(web)];
  return web;
}

void Coloring::join_copies() {
  each_copy(code_, [&](int a, int b) {
    a = find(a);
    b = find(b);
    auto into = static_cast<std::size_t>(a);
    auto from = static_cast<std::size_t>(b);
    if (a == b || edges_[into][from]) return;
    if (regs_[from] >= kVectorRegisters) return;  // a constant, to which nothing is copied
    if (regs_[into] >= 0 && regs_[from] >= 0) return;
    if (regs_[from] >= 0) std::swap(into, from);
    parents_[from] = static_cast<int>(into);
    for (std::size_t w = 0; w < edges_.size(); ++w) {
      if (!edges_[from][w]) continue;
      edges_[into][w] = edges_[w][into] = true;
    }
  });
}

int Coloring::pick(int web) const {
  unsigned taken = 0;
  for (std::size_t w = 0; w < edges_.size(); ++w) {
    const int reg = regs_[static_cast<std::size_t>(find(static_cast<int>(w)))];
    if (edges_[static_cast<std::size_t>(web)][w] && reg >= 0) taken |= 1U << reg;
  }
  int best = Operand::kNone;
  each_copy(code_, [&](int a, int b) {  // the other side's register, if it is free
    if (find(a) != web && find(b) != web) return;
    const int other = regs_[static_cast<std::size_t>(find(find(a) == web ? b : a))];
    if (other >= 0 && other < kVectorRegisters && (taken >> other & 1) == 0) best = other;
  });
  for (int reg = 0; best < 0 && reg < kVectorRegisters; ++reg)
    if ((taken >> reg & 1) == 0) best = reg;
  return best;
}

bool Coloring::needs_register(int web) const {
  const auto w = static_cast<std::size_t>(web);
  return find(web) == web && exists_[w] && regs_[w] < 0;
}

std::vector<int> Coloring::unassigned() {
  const int count = static_cast<int>(edges_.size());
  std::vector<int> left;
  for (int web = 0; web < count; ++web) {
    if (needs_register(web)) left.push_back(web);
    // A joined web exists if one of its members does.
    if (exists_[static_cast<std::size_t>(web)]) exists_[static_cast<std::size_t>(find(web))] = true;
  }
  for (int web = 0; web < count; ++web)
    if (needs_register(web) && std::find(left.begin(), left.end(), web) == left.end())
      left.push_back(web);
  return left;
}

int Coloring::degree(int web, const std::vector<bool>& removed) const {
  std::vector<bool> seen(edges_.size());
  int count = 0;
  for (std::size_t w = 0; w < edges_.size(); ++w) {
    const auto other = static_cast<std::size_t>(find(static_cast<int>(w)));
    if (!edges_[static_cast<std::size_t>(web)][w] || removed[other] || seen[other]) continue;
    seen[other] = true;
    ++count;
  }
  return count;
}

std::vector<int> Coloring::removal_order() {
  std::vector<int> left = unassigned();
  std::vector<int> order;
  std::vector<bool> removed(edges_.size());
  while (!left.empty()) {
    std::vector<int> degrees;
    for (const int web : left) degrees.push_back(degree(web, removed));
    const auto least = std::min_element(degrees.begin(), degrees.end()) - degrees.begin();
    const int web = left[static_cast<std::size_t>(least)];
    removed[static_cast<std::size_t>(web)] = true;
    order.push_back(web);
    left.erase(left.begin() + least);
  }
  return order;
}

void Coloring::assign() {
  // The web with the fewest neighbors is last: it finds a register for any assignment of the
  // others.
  const std::vector<int> order = removal_order();
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    const int reg = pick(*it);
    regs_[static_cast<std::size_t>(*it)] = reg;
    if (reg >= 0) continue;
    complete_ = false;
    return;
  }
}

}  // namespace tvp::runtime::vectors
