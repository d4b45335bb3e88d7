#pragma once
// Broadcast down a tree: the heap (children 2i+1 and 2i+2) or the binomial tree.

#include <cstdint>

#include "firmware/collectives/memory.h"

namespace tvp::firmware::collectives {

enum class TreeShape : std::uint32_t { kHeap, kBinomial };

enum class TreeFlow : std::uint32_t {
  kPipelined,  ///< a slice is forwarded when it has arrived
  kWhole,      ///< the whole vector, child by child, when it has arrived
  kByLevel,    ///< as kWhole, and a barrier after each level
};

/// Place of a member in a tree over `size` members with the root at 0.
class TreeNode {
 public:
  TreeNode(TreeShape shape, std::uint32_t size, std::uint32_t node) {
    if (shape == TreeShape::kHeap) {
      parent_ = (node - 1) / 2;
      number_ = (node + 1) % 2;
      for (std::uint32_t child = 2 * node + 1; child <= 2 * node + 2 && child < size; ++child)
        add(child, (child + 1) % 2);
    } else {
      parent_ = node & (node - 1);
      while (node != 0 && (node >> number_ & 1) == 0) ++number_;
      // The child with the most descendants first.
      std::uint32_t bit = 0;
      while ((1U << bit) < size && (node == 0 || bit < number_)) ++bit;
      while (bit-- > 0)
        if (node + (1U << bit) < size) add(node + (1U << bit), bit);
    }
    for (std::uint32_t n = node; n != 0; ++depth_)
      n = shape == TreeShape::kHeap ? (n - 1) / 2 : n & (n - 1);
  }

  std::uint32_t parent() const { return parent_; }
  /// The number of this child at its parent, which selects the credit channel.
  std::uint32_t number() const { return number_; }
  std::uint32_t depth() const { return depth_; }
  std::uint32_t children() const { return children_; }
  std::uint32_t child(std::uint32_t i) const { return child_[i]; }
  std::uint32_t child_number(std::uint32_t i) const { return child_number_[i]; }

 private:
  void add(std::uint32_t child, std::uint32_t number) {
    child_[children_] = child;
    child_number_[children_++] = number;
  }

  std::uint32_t parent_ = 0;
  std::uint32_t number_ = 0;
  std::uint32_t depth_ = 0;
  std::uint32_t children_ = 0;
  std::uint32_t child_[kMaxChildren] = {};
  std::uint32_t child_number_[kMaxChildren] = {};
};

template <typename Transport>
class Tree {
 public:
  using Ticket = typename Transport::Ticket;

  Tree(Transport& transport, Memory& memory, TreeShape shape, TreeFlow flow)
      : transport_(transport), memory_(memory), shape_(shape), flow_(flow) {
    transport_.set_window(kTreeData, memory_.slots[0], sizeof memory_.slots[0]);
    for (std::uint32_t i = 0; i < kMaxChildren; ++i)
      transport_.set_window(kTreeCredit + i, memory_.slots[0], 0);
  }

  /// Broadcasts among the members of a group from member `root`, whose vector is at `from`; all
  /// others store it at `to`. A unit receives in one group only, and may then be the root of
  /// others. All credits are back at the end, so that channels can serve the next group.
  void broadcast(const Group& group, std::uint32_t root, Place from, Place to,
                 std::uint32_t bytes) {
    const std::uint32_t node = (group.index + group.size - root) % group.size;
    const TreeNode tree(shape_, group.size, node);
    const auto unit = [&](std::uint32_t n) { return group.unit((n + root) % group.size); };
    for (std::uint32_t i = 0; i < tree.children(); ++i) child_unit_[i] = unit(tree.child(i));
    parent_unit_ = node == 0 ? 0 : unit(tree.parent());
    slices_ = slices_of(bytes, kSliceBytes);
    bytes_ = bytes;
    if (flow_ == TreeFlow::kPipelined) {
      if (node == 0) {
        send_from_bank(tree, 0, tree.children(), from);
      } else {
        receive(tree, to, true);
      }
    } else {
      for (std::uint32_t level = 0; level == 0 || group.size >> level != 0; ++level) {
        if (tree.depth() == level) {
          for (std::uint32_t i = 0; i < tree.children(); ++i)
            send_from_bank(tree, i, i + 1, node == 0 ? from : to);
        } else if (tree.depth() == level + 1) {
          receive(tree, to, false);
        }
        if (flow_ == TreeFlow::kByLevel) transport_.barrier();
      }
    }
    for (std::uint32_t i = 0; i < tree.children(); ++i)
      transport_.wait_arrivals(kTreeCredit + tree.child_number(i), sent_[tree.child_number(i)]);
  }

  /// The whole tree at once, slice by slice: `units` are those of all ranks.
  void broadcast_in_phases(const Phases& phases, const std::uint16_t* units, bool is_root,
                           Place from, Place to, std::uint32_t bytes) {
    bytes_ = bytes;
    slices_ = slices_of(bytes, kSliceBytes);
    for (std::uint32_t s = 0; s < slices_; ++s) {
      const Span span = slice(s);
      const std::uint32_t offset = s % kSlots * kSliceBytes;
      if (is_root) transport_.dma_wait(read_slice(from, s));
      const std::uint8_t* const data =
          is_root ? memory_.staging[s % 2] : memory_.slots[0][s % kSlots];
      Ticket written{};
      for (std::uint32_t p = 0; p < phases.count; ++p) {
        const Phase& phase = phases.first[p];
        Ticket sent{};
        if (phase.to != kNobody)
          sent = transport_.send_async(units[phase.to], kTreeData, offset, data, span.bytes);
        if (phase.from != kNobody) {
          transport_.wait_arrivals(kTreeData, s + 1);
          written = transport_.dma_write_async(to.of(span), data, span.bytes);
        }
        transport_.send_wait(sent);
        transport_.barrier();
      }
      transport_.dma_wait(written);
    }
  }

 private:
  Ticket send(const TreeNode& tree, std::uint32_t child, const void* data, std::uint32_t bytes) {
    const std::uint32_t number = tree.child_number(child);
    const std::uint32_t sent = in_group_[child]++;
    ++sent_[number];
    if (sent >= kSlots) transport_.wait_arrivals(kTreeCredit + number, sent_[number] - kSlots);
    return transport_.send_async(child_unit_[child], kTreeData, sent % kSlots * kSliceBytes, data,
                                 bytes);
  }

  void send_from_bank(const TreeNode& tree, std::uint32_t first, std::uint32_t last, Place from) {
    if (first == last) return;
    for (std::uint32_t child = first; child < last; ++child) in_group_[child] = 0;
    Ticket read[2] = {read_slice(from, 0), Ticket{}};
    Ticket sent[2] = {};
    for (std::uint32_t s = 0; s < slices_; ++s) {
      const std::uint32_t now = s % 2;
      transport_.dma_wait(read[now]);
      if (s + 1 < slices_) {
        transport_.send_wait(sent[1 - now]);
        read[1 - now] = read_slice(from, s + 1);
      }
      for (std::uint32_t child = first; child < last; ++child)
        sent[now] = send(tree, child, memory_.staging[now], slice(s).bytes);
    }
    transport_.send_wait(sent[0]);
    transport_.send_wait(sent[1]);
  }

  void receive(const TreeNode& tree, Place to, bool forward) {
    for (std::uint32_t& count : in_group_) count = 0;
    for (std::uint32_t s = 0; s < slices_; ++s) {
      transport_.wait_arrivals(kTreeData, s + 1);
      const std::uint8_t* const slot = memory_.slots[0][s % kSlots];
      Ticket sent{};
      const Ticket written = transport_.dma_write_async(to.of(slice(s)), slot, slice(s).bytes);
      const std::uint32_t children = forward ? tree.children() : 0;
      for (std::uint32_t child = 0; child < children; ++child)
        sent = send(tree, child, slot, slice(s).bytes);
      if (children > 0)
        transport_.send_wait(sent);  // sends are served in order, so this waits for all children
      transport_.dma_wait(written);
      transport_.signal(parent_unit_, kTreeCredit + tree.number());
    }
  }

  Span slice(std::uint32_t s) const { return slice_of({0, bytes_}, s, kSliceBytes); }
  Ticket read_slice(Place from, std::uint32_t s) {
    return transport_.dma_read_async(memory_.staging[s % 2], from.of(slice(s)), slice(s).bytes);
  }

  Transport& transport_;
  Memory& memory_;
  TreeShape shape_;
  TreeFlow flow_;
  std::uint32_t bytes_ = 0;
  std::uint32_t slices_ = 0;
  std::uint32_t parent_unit_ = 0;
  std::uint32_t child_unit_[kMaxChildren] = {};
  std::uint32_t sent_[kMaxChildren] = {};      ///< to children of each number, in all groups
  std::uint32_t in_group_[kMaxChildren] = {};  ///< to each child of this group
};

}  // namespace tvp::firmware::collectives
