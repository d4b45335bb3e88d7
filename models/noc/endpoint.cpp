#include "models/noc/endpoint.h"

#include <algorithm>
#include <initializer_list>

namespace tvp::noc {

namespace {

bool one_of(unsigned value, std::initializer_list<unsigned> list) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

}  // namespace

EndpointType wormhole_endpoint(Node n) {
  if (n.x == 5) return EndpointType::kDram;
  if (n.x == 0) {
    if (one_of(n.y, {0, 1, 5, 6, 7, 11})) return EndpointType::kDram;
    return n.y == 10 ? EndpointType::kArc : EndpointType::kPcieOrEmpty;
  }
  return n.y == 0 || n.y == 6 ? EndpointType::kEthernet : EndpointType::kTensix;
}

bool wormhole_router_only(Node n) { return n.x == 0 && one_of(n.y, {2, 4, 8, 9}); }

}  // namespace tvp::noc
