#include "sw/collectives/pim/bank_contents.h"

namespace tvp::collectives {

namespace {

Bytes part(const Bytes& bytes, BankVectors::Chunk chunk) {
  return {bytes.begin() + static_cast<std::ptrdiff_t>(chunk.begin),
          bytes.begin() + static_cast<std::ptrdiff_t>(chunk.end)};
}

}  // namespace

BankVectors::Chunk BankContents::operand_bytes(unsigned rank) const {
  return request_.collective->primitive == Primitive::kAllGather ? vectors_.chunk(rank) : whole();
}

Bytes BankContents::operand(unsigned rank) const {
  // A result that is copied from the wrong rank must be wrong.
  if (!has_operand(rank)) return Bytes(vectors_.padded_bytes(), 0xEE);
  return part(vectors_.input(rank), operand_bytes(rank));
}

std::vector<BankContents::Piece> BankContents::pieces(unsigned rank) const {
  std::vector<Piece> all;
  switch (request_.collective->primitive) {
    case Primitive::kBroadcast:
      return {{request_.root, whole()}};
    case Primitive::kReduceScatter:
      return {{std::nullopt, vectors_.chunk(rank)}};
    case Primitive::kAllGather:
      for (unsigned source = 0; source < vectors_.ranks(); ++source)
        all.push_back({source, vectors_.chunk(source)});
      return all;
    case Primitive::kAllToAll:
      for (unsigned source = 0; source < vectors_.ranks(); ++source)
        all.push_back({source, vectors_.chunk(rank)});
      return all;
    default:
      return {{std::nullopt, whole()}};
  }
}

std::uint64_t BankContents::result_bytes(unsigned rank) const {
  std::uint64_t bytes = 0;
  for (const Piece& piece : pieces(rank)) bytes += piece.bytes.end - piece.bytes.begin;
  return bytes;
}

std::vector<Bytes> BankContents::evaluate(const std::vector<Bytes>& operands) const {
  Bytes reduced;
  if (reduces(request_.collective->primitive)) reduced = vectors_.reduce(operands);
  std::vector<Bytes> results(operands.size());
  for (unsigned rank = 0; rank < operands.size(); ++rank) {
    for (const Piece& piece : pieces(rank)) {
      const std::uint64_t origin = piece.source ? operand_bytes(*piece.source).begin : 0;
      const Bytes copied = part(piece.source ? operands[*piece.source] : reduced,
                                {piece.bytes.begin - origin, piece.bytes.end - origin});
      results[rank].insert(results[rank].end(), copied.begin(), copied.end());
    }
  }
  return results;
}

BankVectors::Verdict BankContents::judge(unsigned rank, const Bytes& found) const {
  BankVectors::Verdict verdict;
  std::uint64_t at = 0;
  for (const Piece& piece : pieces(rank)) {
    const std::uint64_t end = at + (piece.bytes.end - piece.bytes.begin);
    const Bytes one = part(found, {at, end});
    verdict.add(piece.source ? vectors_.judge_copied(one, *piece.source, piece.bytes.begin)
                             : vectors_.judge_reduced(one, piece.bytes.begin));
    at = end;
  }
  return verdict;
}

std::string BankContents::explain(unsigned rank, const BankVectors::Verdict& verdict,
                                  const Bytes& found) const {
  if (!request_.as_written || request_.collective->primitive != Primitive::kAllReduce) return "";
  std::vector<Bytes> all;
  for (unsigned r = 0; r < vectors_.ranks(); ++r) all.push_back(vectors_.input(r));
  const std::uint64_t i = verdict.first_wrong;
  std::string text =
      ": " + vectors_.text(found, i) + " instead of " + vectors_.text(vectors_.reduce(all), i) +
      ". The document's algorithm is wrong, not the machine. Each step forwards the "
      "previous accumulator, so after N-1 steps the contribution k ranks back counts "
      "C(N-1, k) times instead of once";
  if (request_.type != "fp32") {
    const std::int64_t derived = vectors_.as_written(rank, i);
    text +=
        "; these weights give " + std::to_string(derived) +
        (derived == vectors_.integer(found, i) ? ", as found" : ", which is not what was found");
  }
  return text + ". Use variant=standard, which reduces chunk by chunk";
}

}  // namespace tvp::collectives
