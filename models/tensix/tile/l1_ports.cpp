#include "models/tensix/tile/l1_ports.h"

namespace tvp::tensix {

L1Ports::L1Ports(Generation generation) {
  at(L1Client::kUnpacker0) = {{0, 9, 10, 11}, 4};
  at(L1Client::kUnpacker1) = {{1, 9, 10, 11}, 4};
  at(L1Client::kPacker0) = {{8}, 1};
  at(L1Client::kPacker1) = {{1}, 1};
  for (const L1Client client :
       {L1Client::kPacker2, L1Client::kRiscB, L1Client::kRiscNc, L1Client::kRiscT0,
        L1Client::kThcon, L1Client::kMoverRead, L1Client::kExponents}) {
    at(client) = {{2}, 1};
  }
  for (const L1Client client :
       {L1Client::kPacker3, L1Client::kRiscT1, L1Client::kRiscT2, L1Client::kMoverWrite}) {
    at(client) = {{3}, 1};
  }
  at(L1Client::kNoc0Write) = {{4, 5}, 2};
  at(L1Client::kNoc0Read) = {{6, 7}, 2};
  at(L1Client::kNoc1Write) = {{12, 13}, 2};
  at(L1Client::kNoc1Read) = {{14, 15}, 2};
  if (generation != Generation::kBlackhole) return;
  at(L1Client::kNoc0Write) = {{4, 5, 16, 17}, 4};
  at(L1Client::kNoc0Read) = {{6, 7, 18, 19}, 4};
  at(L1Client::kNoc1Write) = {{12, 13, 20, 21}, 4};
  at(L1Client::kNoc1Read) = {{14, 15, 22, 23}, 4};
}

const L1Ports& L1Ports::of(Generation generation) {
  static const L1Ports kWormhole(Generation::kWormhole);
  static const L1Ports kBlackhole(Generation::kBlackhole);
  return generation == Generation::kBlackhole ? kBlackhole : kWormhole;
}

}  // namespace tvp::tensix
