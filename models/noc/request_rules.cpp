#include "models/noc/request_rules.h"

#include "foundation/hex.h"
#include "models/noc/noc_protocol.h"

namespace tvp::noc {

using namespace regs::noc;  // register names

namespace {

enum class AddressKind { kMmio, kL1, kOther };

bool congruent(std::uint64_t a, std::uint64_t b, std::uint64_t modulus) {
  return (a ^ b) % modulus == 0;
}

bool crosses_word(std::uint64_t address, std::uint64_t bytes) { return bytes > 4 - address % 4; }

/// Empty when the pair is allowed.
const char* check_length(AddressKind from_kind, std::uint64_t from, AddressKind to_kind,
                         std::uint64_t to, std::uint64_t bytes) {
  if (to_kind == AddressKind::kMmio) {
    if (bytes != 4 || from % 4 != 0 || to % 4 != 0) {
      return "a transfer to an MMIO address must be 4 bytes, aligned to 4";
    }
    if (from_kind != AddressKind::kMmio && !congruent(from, to, 16)) {
      return "source and MMIO destination must be congruent modulo 16";
    }
    return "";
  }
  if (from_kind == AddressKind::kMmio) {
    if (crosses_word(from, bytes) || crosses_word(to, bytes) || !congruent(from, to, 4)) {
      return "a transfer from an MMIO address must stay within one word, congruent modulo 4";
    }
    return "";
  }
  const unsigned modulus = from_kind == AddressKind::kL1 ? 16 : 32;
  if (congruent(from, to, modulus)) return "";
  return modulus == 16 ? "source and destination must be congruent modulo 16"
                       : "source and destination must be congruent modulo 32";
}

const char* check_byte_enables(AddressKind from_kind, std::uint64_t from, AddressKind to_kind,
                               std::uint64_t to) {
  if (from_kind == AddressKind::kMmio && from % 4 != 0) return "MMIO source not aligned to 4";
  if (to_kind == AddressKind::kMmio) {
    if (to % 4 != 0) return "MMIO destination not aligned to 4";
    if (from_kind != AddressKind::kMmio && !congruent(from, to, 16)) {
      return "source and MMIO destination must be congruent modulo 16";
    }
    return "";
  }
  if (to % 32 != 0) return "destination of a write with byte enables not aligned to 32";
  if (from_kind == AddressKind::kL1 && from % 32 != 0) {
    return "source of a write with byte enables not aligned to 32";
  }
  return "";
}

const char* check_inline(AddressKind to_kind, std::uint64_t to) {
  // An L1 address that is not aligned to 16 is rounded down, which software relies on.
  if (to_kind == AddressKind::kOther) return "inline write to a tile without L1";
  if (to_kind == AddressKind::kMmio && to % 4 != 0) return "MMIO destination not aligned to 4";
  return "";
}

AddressKind kind_at(const NiuContext& context, Node node, std::uint64_t address) {
  const Grid& grid = context.place.grid;
  const EndpointType type =
      node == context.node ? context.place.type : grid.type(grid.to_noc(context.place.noc, node));
  if (!has_l1(type)) return AddressKind::kOther;
  return is_mmio(type, address) ? AddressKind::kMmio : AddressKind::kL1;
}

AddressKind kind_of_destination(const NiuContext& context, const RequestInitiator& r,
                                std::uint64_t address) {
  if (r.is_broadcast()) {
    return is_mmio(EndpointType::kTensix, address) ? AddressKind::kMmio : AddressKind::kL1;
  }
  return kind_at(context, RequestInitiator::node(r.destination_mid(), kMidXShift, kMidYShift),
                 address);
}

const char* broken_alignment_of_atomic(const NiuContext& context, const RequestInitiator& r) {
  if (kind_of_destination(context, r, r.targ_address()) != AddressKind::kL1) {
    return "atomic on an address that is not L1";
  }
  const std::uint64_t ret = r.ret_address();
  if (!r.is_posted() && (kind_at(context, r.ret_node(), ret) != AddressKind::kL1 || ret % 4 != 0)) {
    return "the answer of an atomic must go to L1, aligned to 4";
  }
  return "";
}

/// What is wrong with the addresses of a request, "" if nothing is.
const char* broken_alignment(const NiuContext& context, const RequestInitiator& r) {
  const std::uint64_t targ = r.targ_address();
  const std::uint64_t ret = r.ret_address();
  if (r.is_atomic()) return broken_alignment_of_atomic(context, r);
  if (r.is_read()) {
    return check_length(kind_at(context, r.targ_node(), targ), targ,
                        kind_at(context, r.ret_node(), ret), ret, r.at_len_be);
  }
  if (r.is_inline()) return check_inline(kind_of_destination(context, r, targ), targ);
  const AddressKind from = kind_at(context, context.node, targ);
  const AddressKind to = kind_of_destination(context, r, ret);
  if (r.is_byte_enabled()) return check_byte_enables(from, targ, to, ret);
  return check_length(from, targ, to, ret, r.at_len_be);
}

bool names_node_outside(const Grid& grid, const RequestInitiator& r) {
  const auto outside = [&](Node n) { return !grid.has(n); };
  const std::uint32_t to = r.destination_mid();
  return outside(RequestInitiator::node(to, kMidXShift, kMidYShift)) ||
         (r.is_broadcast() &&
          outside(RequestInitiator::node(to, kMidStartXShift, kMidStartYShift))) ||
         (r.is_read() && outside(r.ret_node()));
}

}  // namespace

void check_request(const NiuContext& context, const RequestInitiator& r) {
  if (r.type() == 3) {
    context.fault("request type 3 is reserved");
    context.unmodelled("request of type 3");
  }
  if (r.is_read() && r.flag(kCmdBrcstPacket)) context.fault("a read request cannot be broadcast");
  if (r.has_length() && r.at_len_be == 0) context.fault("request of 0 bytes");
  if (r.packets_left > 1 && ((r.targ_lo | r.ret_lo) & 15) != 0) {
    context.fault("requests of more than 8192 bytes need addresses aligned to 16 bytes");
  }
  if (r.is_static() && (r.is_broadcast() ? r.static_class() != vc::kClassBroadcast
                                         : r.static_class() >= vc::kClassBroadcast)) {
    context.fault("static virtual channel of class " + std::to_string(r.static_class()) +
                  " for a " + (r.is_broadcast() ? "broadcast" : "unicast") + " request");
    context.unmodelled("virtual channel class that does not fit the request");
  }
  if (r.tag & kTagDeliverToOverlay) {
    context.unmodelled("delivery of a write to the receiver's overlay");
  }
  if (names_node_outside(context.place.grid, r)) {
    context.fault("coordinates outside of the NoC: TARG_ADDR_MID " + foundation::hex(r.targ_mid) +
                  ", RET_ADDR_MID " + foundation::hex(r.ret_mid));
    context.unmodelled("coordinates outside of the NoC");
  }
  const char* const broken = broken_alignment(context, r);
  if (*broken == '\0') return;
  context.fault(std::string(broken) + ": TARG_ADDR " + foundation::hex(r.targ_address()) +
                ", RET_ADDR " + foundation::hex(r.ret_address()) + ", AT_LEN_BE " +
                foundation::hex(r.at_len_be));
}

}  // namespace tvp::noc
