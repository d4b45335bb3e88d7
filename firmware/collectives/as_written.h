#pragma once
// The ring all-reduce of the PIM interconnect document, word for word ("Ring AllReduce",
// Algorithm). In the first phase every unit sends its whole value, not a chunk, and reduces the
// received value into its own, N-1 times. The next units therefore receive contributions twice or
// more. In the second phase the values travel N-1 steps without a reduction. The document's network
// is empty after each step, which a barrier ensures here.
//
// After the first phase unit i holds C(N-1, k) times the value of unit i-k. A sum of ones is
// therefore 2^(N-1) instead of N; maxima and minima are correct. After the second phase it holds
// the value of unit i+1.

#include <cstdint>

#include "firmware/collectives/link.h"

namespace tvp::firmware::collectives {

template <typename Reduction, typename Transport>
void all_reduce_as_written(Transport& transport, Memory& memory, Link<Transport>& link,
                           const Group& group, const Phases& phases, Place from, Place to,
                           std::uint32_t bytes) {
  const std::uint32_t position = group.position();
  link.connect(group.unit(group.ring[(position + group.size - 1) % group.size]),
               group.unit(group.ring[(position + 1) % group.size]), phases);
  std::uint8_t* const value = memory.staging[0];
  for (std::uint32_t s = 0; s < slices_of(bytes, kSliceBytes); ++s) {
    const Span span = slice_of({0, bytes}, s, kSliceBytes);
    transport.dma_wait(transport.dma_read_async(value, from.of(span), span.bytes));
    for (std::uint32_t step = 0; step < 2 * (group.size - 1); ++step) {
      typename Transport::Ticket sent{};
      link.pass(sent, value, span.bytes, true);
      const std::uint8_t* const received = link.receive();
      transport.send_wait(sent);
      if (step < group.size - 1) {
        Reduction::reduce(value, received, span.bytes);
      } else {
        const auto* words = reinterpret_cast<const std::uint32_t*>(received);
        for (std::uint32_t w = 0; w < span.bytes / 4; ++w)
          reinterpret_cast<std::uint32_t*>(value)[w] = words[w];
      }
      link.release();
      transport.barrier();
    }
    transport.dma_wait(transport.dma_write_async(to.of(span), value, span.bytes));
  }
}

}  // namespace tvp::firmware::collectives
