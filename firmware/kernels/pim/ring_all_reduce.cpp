// Ring all-reduce of a vector that every unit has in its bank, in place: reduce-scatter, then
// all-gather. Compiled for one type and one operation (-DTVP_TYPE=float -DTVP_OP=Sum).
//
// The vector is cut into one chunk a node; a chunk goes through WRAM in pieces. The receiver has
// two places for pieces and gives each back with a message of 0 bytes, so that a window is never
// written before it was read.

#include "firmware/api/pim.h"

namespace {

using Type = TVP_TYPE;

struct Sum {
  static Type apply(Type a, Type b) { return a + b; }
};
struct Prod {
  static Type apply(Type a, Type b) { return a * b; }
};
struct Max {
  static Type apply(Type a, Type b) { return a < b ? b : a; }
};
struct Min {
  static Type apply(Type a, Type b) { return b < a ? b : a; }
};

constexpr std::uint32_t kWord = 8;  // chunks begin at multiples of it, as DMA wants
constexpr std::uint32_t kPieceBytes = 2048;
constexpr std::uint32_t kPlaces = 2;
constexpr std::uint32_t kData = 0;  // channels
constexpr std::uint32_t kCredit = 1;

}  // namespace

extern "C" {
// Set by the host.
struct Arguments {
  std::uint32_t rank;   // position in the ring
  std::uint32_t nodes;  // of the ring
  std::uint32_t next;   // unit behind this one
  std::uint32_t previous;
  std::uint32_t address;  // of the vector in the bank
  std::uint32_t bytes;    // a multiple of 8
} arguments;
// Read by the host: cycles at which the first phase began, the second began, all was over.
std::uint64_t stamps[3];
}

namespace {

alignas(8) std::uint8_t outgoing[kPieceBytes];
alignas(8) std::uint8_t incoming[kPlaces][kPieceBytes];
alignas(8) std::uint8_t own[kPieceBytes];

struct Range {
  std::uint32_t begin;  // bank addresses
  std::uint32_t end;
};

Range chunk(std::uint32_t number) {
  const std::uint32_t words = arguments.bytes / kWord;
  const auto border = [&](std::uint32_t n) {
    return arguments.address +
           static_cast<std::uint32_t>(std::uint64_t{words} * n / arguments.nodes) * kWord;
  };
  return {border(number), border(number + 1)};
}

std::uint32_t pieces(const Range& range) {
  return (range.end - range.begin + kPieceBytes - 1) / kPieceBytes;
}

std::uint32_t sent = 0;
std::uint32_t received = 0;

void send_piece(const Range& range, std::uint32_t piece) {
  const std::uint32_t begin = range.begin + piece * kPieceBytes;
  const std::uint32_t left = range.end - begin;
  const std::uint32_t bytes = left < kPieceBytes ? left : kPieceBytes;
  pim::dma_read(outgoing, begin, bytes);
  if (sent >= kPlaces) pim::wait_arrivals(kCredit, sent - kPlaces + 1);
  pim::send(arguments.next, kData, sent % kPlaces * kPieceBytes, outgoing, bytes);
  ++sent;
}

template <typename Op>
void reduce(std::uint8_t* into, const std::uint8_t* from, std::uint32_t bytes) {
  auto* a = reinterpret_cast<Type*>(into);
  const auto* b = reinterpret_cast<const Type*>(from);
  const Type* const end = a + bytes / sizeof(Type);
  for (; a != end; ++a, ++b) *a = Op::apply(*a, *b);
}

template <bool kReduce>
void receive_piece(const Range& range, std::uint32_t piece) {
  const std::uint32_t begin = range.begin + piece * kPieceBytes;
  const std::uint32_t left = range.end - begin;
  const std::uint32_t bytes = left < kPieceBytes ? left : kPieceBytes;
  std::uint8_t* place = incoming[received % kPlaces];
  pim::Ticket ready = 0;
  if constexpr (kReduce) ready = pim::dma_read_async(own, begin, bytes);
  pim::wait_arrivals(kData, ++received);
  if constexpr (kReduce) {
    pim::dma_wait(ready);
    reduce<TVP_OP>(own, place, bytes);
    pim::dma_write(begin, own, bytes);
  } else {
    pim::dma_write(begin, place, bytes);
  }
  pim::signal(arguments.previous, kCredit);
}

template <bool kReduce>
void step(std::uint32_t send_chunk, std::uint32_t receive_chunk) {
  const Range out = chunk(send_chunk % arguments.nodes);
  const Range in = chunk(receive_chunk % arguments.nodes);
  const std::uint32_t to_send = pieces(out);
  const std::uint32_t to_receive = pieces(in);
  for (std::uint32_t piece = 0; piece < to_send || piece < to_receive; ++piece) {
    if (piece < to_send) send_piece(out, piece);
    if (piece < to_receive) receive_piece<kReduce>(in, piece);
  }
}

}  // namespace

int main() {
  pim::set_window(kData, incoming, sizeof incoming);
  pim::barrier();
  stamps[0] = pim::timer();
  const std::uint32_t nodes = arguments.nodes;
  const std::uint32_t rank = arguments.rank;
  for (std::uint32_t s = 0; s + 1 < nodes; ++s) step<true>(rank + nodes - s, rank + nodes - s - 1);
  stamps[1] = pim::timer();
  for (std::uint32_t s = 0; s + 1 < nodes; ++s) step<false>(rank + 1 + nodes - s, rank + nodes - s);
  pim::barrier();
  stamps[2] = pim::timer();
  return 0;
}
