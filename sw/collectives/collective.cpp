#include "sw/collectives/collective.h"

namespace tvp::collectives {

Request::Request(const Collective& what)
    : collective(&what), name(what.name()), algorithm(what.algorithms().front()) {}

bool Collective::has_operand(const Request&, unsigned) const { return true; }

Bytes Collective::operand(const Request&, const Vectors& vectors, unsigned rank) const {
  return vectors.input(rank);
}

std::uint64_t Collective::result_bytes(const Vectors& vectors, unsigned) const {
  return vectors.padded_bytes();
}

std::string Collective::explain(const Request&, const Vectors&, unsigned, const Vectors::Verdict&,
                                const Bytes&) const {
  return "";
}

Bytes Collective::part(const Bytes& bytes, Vectors::Chunk chunk) {
  return {bytes.begin() + static_cast<std::ptrdiff_t>(chunk.begin),
          bytes.begin() + static_cast<std::ptrdiff_t>(chunk.end)};
}

}  // namespace tvp::collectives
