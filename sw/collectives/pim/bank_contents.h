#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sw/collectives/pim/bank_vectors.h"
#include "sw/collectives/pim/pim_request.h"

namespace tvp::collectives {

using Bytes = std::vector<std::uint8_t>;

/// The bytes of each rank's bank before a collective, and those that it must hold afterwards.
class BankContents {
 public:
  /// Both must outlive the object.
  BankContents(const PimRequest& request, const BankVectors& vectors)
      : request_(request), vectors_(vectors) {}

  /// True if the collective reads the rank's operand.
  bool has_operand(unsigned rank) const {
    return !request_.collective->has_root() || rank == request_.root;
  }
  Bytes operand(unsigned rank) const;
  std::uint64_t result_bytes(unsigned rank) const;
  /// Results of all ranks, computed from operands.
  std::vector<Bytes> evaluate(const std::vector<Bytes>& operands) const;
  BankVectors::Verdict judge(unsigned rank, const Bytes& found) const;
  /// The reason of a wrong result of the variant `as_written`, for the report; empty for others.
  std::string explain(unsigned rank, const BankVectors::Verdict& verdict, const Bytes& found) const;

 private:
  /// A part of a result: bytes of one rank's vector, or of the reduction of all vectors.
  struct Piece {
    std::optional<unsigned> source;  ///< none: the reduction
    BankVectors::Chunk bytes;
  };
  std::vector<Piece> pieces(unsigned rank) const;
  /// The part of the rank's vector that is its operand.
  BankVectors::Chunk operand_bytes(unsigned rank) const;
  BankVectors::Chunk whole() const { return {0, vectors_.padded_bytes()}; }

  const PimRequest& request_;
  const BankVectors& vectors_;
};

}  // namespace tvp::collectives
