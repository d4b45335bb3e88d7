#pragma once
// All-to-all: in step s every member of a group sends to the member s places behind it, and
// receives from the member s places before it. Partners change with each step, so a sender waits
// until the receiver has granted the message. A channel has at most one message under way.

#include <cstdint>

#include "firmware/collectives/memory.h"

namespace tvp::firmware::collectives {

/// The blocks of a bank during an all-to-all, one for each rank. At the start a block lies where
/// the destination's chunk of the vector is. At the end the blocks follow each other in the order
/// of sources.
class Blocks {
 public:
  enum class Form { kInput, kScratch, kOutput };
  Blocks(Form form, std::uint32_t address, const Cut& cut, std::uint32_t own_rank)
      : form_(form), address_(address), cut_(cut), own_bytes_(cut.chunk(own_rank).bytes) {}

  std::uint32_t address(std::uint32_t block) const {
    switch (form_) {
      case Form::kInput:
        return address_ + cut_.chunk(block).begin;
      case Form::kScratch:
        return address_ + block * cut_.largest();
      case Form::kOutput:
        break;
    }
    return address_ + block * own_bytes_;
  }

 private:
  Form form_;
  std::uint32_t address_;
  Cut cut_;
  std::uint32_t own_bytes_;
};

template <typename Transport>
class Exchange {
 public:
  using Ticket = typename Transport::Ticket;

  Exchange(Transport& transport, Memory& memory) : transport_(transport), memory_(memory) {
    for (std::uint32_t& grant : memory_.exchange.grants) grant = 0;
    for (std::uint32_t i = 0; i < kChannels; ++i)
      transport_.set_window(kExchangeData + i, memory_.exchange.slots[i], kSliceBytes);
    transport_.set_window(kExchangeGrants, memory_.exchange.grants, sizeof memory_.exchange.grants);
  }

  /// Swaps the digit of the group in the numbers of all blocks. Before, the digit is that of the
  /// block's destination; after, that of its source. `first_grant` is the first of group.size
  /// grants of this level.
  void swap(const Group& group, std::uint32_t own_rank, std::uint32_t first_grant, const Cut& cut,
            const Blocks& from, const Blocks& to, const Phases& phases) {
    const Walk walk{group, own_rank, cut};
    for (std::uint32_t k = 0; k < walk.blocks(); ++k) {
      const std::uint32_t block = walk.block(group.index, k);
      copy(from.address(block), to.address(block), walk.bytes(group.index, k));
    }
    for (std::uint32_t p = 0; p < phases.count; ++p)
      exchange_in_phase(walk, phases.first[p], from, to);
    for (std::uint32_t step = 1; step < group.size && phases.count == 0; ++step)
      exchange(walk, step, first_grant + step, from, to);
  }

 private:
  static constexpr std::uint32_t kChannels = 2;
  static_assert(kChannels <= kSlots);

  /// The blocks that this unit exchanges with another member of the group.
  struct Walk {
    const Group& group;
    std::uint32_t own_rank;
    const Cut& cut;

    std::uint32_t blocks() const { return group.all / group.size; }
    /// Block k of those with digit `member`.
    std::uint32_t block(std::uint32_t member, std::uint32_t k) const {
      return k % group.stride + group.stride * (member + group.size * (k / group.stride));
    }
    /// The block's size on the way to `member`. Digits up to the group's are those of the receiving
    /// unit; the digits above are still those of the destination.
    std::uint32_t bytes(std::uint32_t member, std::uint32_t k) const {
      const std::uint32_t above = group.stride * group.size;
      const std::uint32_t below = own_rank % group.stride;
      return cut.chunk(below + group.stride * member + block(member, k) / above * above).bytes;
    }
    /// Slices of all blocks on the way to `member`, the same number of each block.
    std::uint32_t slices() const { return slices_of(cut.largest(), kSliceBytes); }
  };

  void exchange(const Walk& walk, std::uint32_t step, std::uint32_t grant, const Blocks& from,
                const Blocks& to) {
    const Group& group = walk.group;
    const std::uint32_t target = (group.index + step) % group.size;
    const std::uint32_t source = (group.index + group.size - step) % group.size;
    const std::uint32_t slices = walk.slices();
    const std::uint32_t messages = walk.blocks() * slices;
    for (std::uint32_t m = 0; m < kChannels && m < messages; ++m)
      give_grant(group.unit(source), grant, m + 1);
    Ticket sent[kChannels] = {};
    Ticket written[kChannels] = {};
    for (std::uint32_t m = 0; m < messages; ++m) {
      const std::uint32_t k = m / slices;
      const std::uint32_t channel = m % kChannels;
      const Span out = slice_of({0, walk.bytes(target, k)}, m % slices, kSliceBytes);
      transport_.send_wait(sent[channel]);
      transport_.dma_wait(transport_.dma_read_async(
          memory_.staging[channel], from.address(walk.block(target, k)) + out.begin, out.bytes));
      transport_.wait_word(memory_.exchange.grants[grant], m + 1);
      sent[channel] = transport_.send_async(group.unit(target), kExchangeData + channel, 0,
                                            memory_.staging[channel], out.bytes);

      const Span in = slice_of({0, walk.bytes(group.index, k)}, m % slices, kSliceBytes);
      transport_.wait_arrivals(kExchangeData + channel, ++received_[channel]);
      written[channel] = transport_.dma_write_async(to.address(walk.block(source, k)) + in.begin,
                                                    memory_.exchange.slots[channel], in.bytes);
      if (m + kChannels < messages) {
        transport_.dma_wait(written[channel]);
        give_grant(group.unit(source), grant, m + kChannels + 1);
      }
    }
    for (std::uint32_t i = 0; i < kChannels; ++i) {
      transport_.send_wait(sent[i]);
      transport_.dma_wait(written[i]);
    }
  }

  /// A barrier after each message replaces its grant.
  void exchange_in_phase(const Walk& walk, const Phase& phase, const Blocks& from,
                         const Blocks& to) {
    const Group& group = walk.group;
    const auto member = [&](std::uint32_t rank) { return rank / group.stride % group.size; };
    const std::uint32_t slices = walk.slices();
    const std::uint32_t messages = walk.blocks() * slices;
    for (std::uint32_t m = 0; m < messages; ++m) {
      const std::uint32_t k = m / slices;
      Ticket sent{};
      if (phase.to != kNobody) {
        const std::uint32_t target = member(phase.to);
        const Span out = slice_of({0, walk.bytes(target, k)}, m % slices, kSliceBytes);
        transport_.dma_wait(transport_.dma_read_async(
            memory_.staging[0], from.address(walk.block(target, k)) + out.begin, out.bytes));
        sent = transport_.send_async(group.unit(target), kExchangeData, 0, memory_.staging[0],
                                     out.bytes);
      }
      if (phase.from != kNobody) {
        const std::uint32_t source = member(phase.from);
        const Span in = slice_of({0, walk.bytes(group.index, k)}, m % slices, kSliceBytes);
        transport_.wait_arrivals(kExchangeData, ++received_[0]);
        transport_.dma_wait(transport_.dma_write_async(to.address(walk.block(source, k)) + in.begin,
                                                       memory_.exchange.slots[0], in.bytes));
      }
      transport_.send_wait(sent);
      transport_.barrier();
    }
  }

  void give_grant(std::uint32_t unit, std::uint32_t grant, std::uint32_t messages) {
    constexpr std::uint32_t kWords = sizeof memory_.grant_out / sizeof memory_.grant_out[0];
    const std::uint32_t i = grants_given_++ % kWords;
    transport_.send_wait(grant_sent_[i]);
    memory_.grant_out[i] = messages;
    grant_sent_[i] =
        transport_.send_async(unit, kExchangeGrants, grant * 4, &memory_.grant_out[i], 4);
  }

  void copy(std::uint32_t from, std::uint32_t to, std::uint32_t bytes) {
    for (std::uint32_t done = 0; done < bytes; done += kSliceBytes) {
      const std::uint32_t part = bytes - done < kSliceBytes ? bytes - done : kSliceBytes;
      transport_.dma_wait(transport_.dma_read_async(memory_.staging[0], from + done, part));
      transport_.dma_wait(transport_.dma_write_async(to + done, memory_.staging[0], part));
    }
  }

  Transport& transport_;
  Memory& memory_;
  std::uint32_t received_[kChannels] = {};
  std::uint32_t grants_given_ = 0;
  Ticket grant_sent_[4] = {};
};

}  // namespace tvp::firmware::collectives
