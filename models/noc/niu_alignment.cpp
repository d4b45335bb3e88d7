// What addresses a request may have (ISA NoC/Alignment.md).
#include "models/noc/niu.h"
#include "models/support/hex.h"

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

}  // namespace

void Niu::check_alignment(const RequestInitiator& r) const {
  auto kind_at = [this](Node node, std::uint64_t address) {
    const EndpointType type =
        node == node_ ? place_.type : wormhole_endpoint(to_noc(place_.noc, node));
    if (!has_l1(type)) return AddressKind::kOther;
    return is_mmio(type, address) ? AddressKind::kMmio : AddressKind::kL1;
  };
  auto kind_of_destination = [&](std::uint64_t address) {
    if (r.is_broadcast())
      return is_mmio(EndpointType::kTensix, address) ? AddressKind::kMmio : AddressKind::kL1;
    return kind_at(RequestInitiator::node(r.destination_mid(), kMidXShift, kMidYShift), address);
  };
  const std::uint64_t targ = r.targ_address();
  const std::uint64_t ret = r.ret_address();
  const char* broken = "";
  if (r.is_atomic()) {
    if (kind_of_destination(targ) != AddressKind::kL1) {
      broken = "atomic on an address that is not L1";
    } else if (!r.is_posted() && (kind_at(r.ret_node(), ret) != AddressKind::kL1 || ret % 4 != 0)) {
      broken = "the answer of an atomic must go to L1, aligned to 4";
    }
  } else if (r.is_read()) {
    broken = check_length(kind_at(r.targ_node(), targ), targ, kind_at(r.ret_node(), ret), ret,
                          r.at_len_be);
  } else if (r.is_inline()) {
    broken = check_inline(kind_of_destination(targ), targ);
  } else if (r.is_byte_enabled()) {
    broken = check_byte_enables(kind_at(node_, targ), targ, kind_of_destination(ret), ret);
  } else {
    broken = check_length(kind_at(node_, targ), targ, kind_of_destination(ret), ret, r.at_len_be);
  }
  if (*broken == '\0') return;
  fault(std::string(broken) + ": TARG_ADDR " + support::hex(targ) + ", RET_ADDR " +
        support::hex(ret) + ", AT_LEN_BE " + support::hex(r.at_len_be));
}

}  // namespace tvp::noc
