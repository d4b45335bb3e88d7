#include "models/noc/niu/request_rules.h"

#include <string>

#include "foundation/hex.h"
#include "models/noc/noc_protocol.h"

namespace tvp::noc {

using namespace regs::noc;  // for register names

namespace {

enum class AddressKind { kMmio, kL1, kOther };

bool congruent(std::uint64_t a, std::uint64_t b, std::uint64_t modulus) {
  return (a ^ b) % modulus == 0;
}

bool crosses_word(std::uint64_t address, std::uint64_t bytes) { return bytes > 4 - address % 4; }

/// Addresses of local data RAM, which only a core itself can access (ISA BabyRISCV/README.md,
/// Memory map). A NIU finds nothing there.
bool is_local_memory(std::uint64_t address) { return address >> 16 == 0xFFB0; }

/// Empty if the pair is allowed.
std::string check_length(AddressKind from_kind, std::uint64_t from, AddressKind to_kind,
                         std::uint64_t to, std::uint64_t bytes, std::uint32_t flit_bytes) {
  if (to_kind == AddressKind::kMmio) {
    if (is_local_memory(to))
      return "the destination is in the local memory of a core, as a variable or on its stack, "
             "which no NIU reaches";
    if (bytes != 4 || from % 4 != 0 || to % 4 != 0) {
      return "a transfer to an MMIO address must be 4 bytes, aligned to 4";
    }
    if (from_kind != AddressKind::kMmio && !congruent(from, to, 16)) {
      return "source and MMIO destination must be congruent modulo 16";
    }
    return "";
  }
  if (from_kind == AddressKind::kMmio) {
    if (is_local_memory(from))
      return "the source is in the local memory of a core, as a variable or on its stack, which no "
             "NIU reaches";
    if (crosses_word(from, bytes) || crosses_word(to, bytes) || !congruent(from, to, 4)) {
      return "a transfer from an MMIO address must stay within one word, congruent modulo 4";
    }
    return "";
  }
  const unsigned modulus = from_kind == AddressKind::kL1 ? 16 : flit_bytes;
  if (congruent(from, to, modulus)) return "";
  return "source and destination must be congruent modulo " + std::to_string(modulus);
}

std::string check_byte_enables(AddressKind from_kind, std::uint64_t from, AddressKind to_kind,
                               std::uint64_t to, std::uint32_t flit_bytes) {
  if (from_kind == AddressKind::kMmio && from % 4 != 0) return "MMIO source not aligned to 4";
  if (to_kind == AddressKind::kMmio) {
    if (to % 4 != 0) return "MMIO destination not aligned to 4";
    if (from_kind != AddressKind::kMmio && !congruent(from, to, 16)) {
      return "source and MMIO destination must be congruent modulo 16";
    }
    return "";
  }
  const std::string expected = ", expected a multiple of " + std::to_string(flit_bytes);
  if (to % flit_bytes != 0) return "unaligned destination of byte enables" + expected;
  if (from_kind == AddressKind::kL1 && from % flit_bytes != 0) {
    return "unaligned source of byte enables" + expected;
  }
  return "";
}

const char* check_inline(AddressKind to_kind, std::uint64_t to) {
  // An L1 address that is not aligned to 16 is rounded down; software relies on that.
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
  return kind_at(context, RequestInitiator::end_of(r.destination().to), address);
}

const char* broken_alignment_of_atomic(const NiuContext& context, const RequestInitiator& r) {
  if (kind_of_destination(context, r, r.targ.address()) != AddressKind::kL1) {
    return "atomic on an address that is not L1";
  }
  // Atomics.md reads an aligned word. The low bits would be dropped silently.
  if (r.targ.address() % 4 != 0) return "atomic on an address that is not aligned to 4";
  const std::uint64_t ret = r.ret.address();
  if (!r.is_posted() && (kind_at(context, r.ret.node(), ret) != AddressKind::kL1 || ret % 4 != 0)) {
    return "the answer of an atomic must go to L1, aligned to 4";
  }
  return "";
}

/// The alignment rule that the addresses of a request violate, or "".
std::string broken_alignment(const NiuContext& context, const RequestInitiator& r) {
  const std::uint64_t targ = r.targ.address();
  const std::uint64_t ret = r.ret.address();
  const std::uint32_t flit = context.place.grid.map().flit_bytes;
  if (r.is_atomic()) return broken_alignment_of_atomic(context, r);
  if (r.is_read()) {
    return check_length(kind_at(context, r.targ.node(), targ), targ,
                        kind_at(context, r.ret.node(), ret), ret, r.at_len_be, flit);
  }
  if (r.is_inline()) return check_inline(kind_of_destination(context, r, targ), targ);
  const AddressKind from = kind_at(context, context.node, targ);
  const AddressKind to = kind_of_destination(context, r, ret);
  if (r.is_byte_enabled()) return check_byte_enables(from, targ, to, ret, flit);
  return check_length(from, targ, to, ret, r.at_len_be, flit);
}

std::string text_of(Node node) {
  return "(" + std::to_string(node.x) + "," + std::to_string(node.y) + ")";
}

const char* kind_name(EndpointType type) {
  switch (type) {
    case EndpointType::kTensix:
      return "a Tensix tile";
    case EndpointType::kEthernet:
      return "an ethernet tile";
    case EndpointType::kDram:
      return "DRAM";
    case EndpointType::kArc:
      return "the ARC tile";
    default:
      return "the PCIe tile";
  }
}

/// Checks the nodes that a request names.
class NodeRules {
 public:
  NodeRules(const NiuContext& context, const RequestInitiator& r)
      : context_(context), grid_(context.place.grid), r_(r) {}

  void check() const {
    const RequestInitiator::Place& to = r_.destination();
    const char* const name = name_of(to);
    check(name, RequestInitiator::end_of(to.written), RequestInitiator::end_of(to.to));
    if (r_.is_broadcast()) {
      check(name, RequestInitiator::start_of(to.written), RequestInitiator::start_of(to.to));
    }
    if (r_.is_read() || (r_.is_atomic() && !r_.is_posted())) {
      check(name_of(r_.ret), RequestInitiator::end_of(r_.ret.written), r_.ret.node());
    }
  }
  /// For a request to one tile without L1, for example "; TARG_ADDR_MID names node (9,0) of NoC 1,
  /// which is (0,11) of NoC 0, DRAM". Otherwise "".
  std::string destination_without_l1() const {
    const RequestInitiator::Place& to = r_.destination();
    const Node node = to.node();
    if (r_.is_broadcast() || !grid_.has(node)) return {};
    const EndpointType type = grid_.type(grid_.to_noc(context_.place.noc, node));
    if (has_l1(type)) return {};
    return std::string("; ") + names(name_of(to), RequestInitiator::end_of(to.written), node) +
           ", " + kind_name(type);
  }

 private:
  /// The register that holds the coordinates.
  const char* name_of(const RequestInitiator::Place& place) const {
    const bool hi = grid_.map().coordinates_in_hi;
    if (&place == &r_.ret) return hi ? "RET_ADDR_HI" : "RET_ADDR_MID";
    return hi ? "TARG_ADDR_HI" : "TARG_ADDR_MID";
  }
  void check(const char* reg, Node written, Node node) const {
    if (!grid_.has(node)) {
      context_.fault(names(reg, written, node) + ", which is outside of the grid of " +
                     std::to_string(grid_.columns()) + " x " + std::to_string(grid_.rows()));
      context_.unmodelled("coordinates outside of the NoC");
    }
    if (written.x > kLastEntry || written.y > kLastEntry) {
      context_.fault(names(reg, written, node) +
                     ": the translation tables look at five bits of a coordinate");
    } else if (is_left_over(written.x, node.x, grid_.names_column(written.x)) ||
               is_left_over(written.y, node.y, grid_.names_row(written.y))) {
      context_.fault(names(reg, written, node) +
                     " through an unused entry of the translation tables");
    }
    if (r_.is_broadcast()) return;  // its corners may be any nodes
    const Node noc0 = grid_.to_noc(context_.place.noc, node);
    if (node == context_.node) return;
    const bool mistaken = is_dram_of_noc0(written, node);
    if (grid_.takes_requests(noc0)) {
      if (mistaken && has_l1(grid_.type(noc0)))
        context_.warn(names(reg, written, node) + ", " + kind_name(grid_.type(noc0)) +
                      for_noc0(written));
      return;
    }
    const std::string meant = mistaken ? for_noc0(written) : "";
    if (grid_.type(noc0) == EndpointType::kArc) {
      context_.unmodelled(names(reg, written, node) + ", the ARC tile, which is not on this NoC" +
                          meant);
    }
    context_.fault(
        names(reg, written, node) + ", where " +
        (grid_.type(noc0) == EndpointType::kTensix ? "the tile is harvested" : "no tile is") +
        meant);
    context_.unmodelled("request to a node without a tile");
  }

  /// DRAM has no translated coordinates, and on NoC 1 its NoC 0 coordinates mean other tiles. With
  /// translation on, kernels use other names for those tiles, so they must have meant DRAM.
  /// Firmware of ethernet tiles addresses other ethernet tiles by coordinates of the NoC.
  bool is_dram_of_noc0(Node written, Node node) const {
    return context_.place.noc == 1 && r_.through_tables && written == node &&
           grid_.type(written) == EndpointType::kDram &&
           grid_.type(grid_.to_noc(1, context_.node)) == EndpointType::kTensix;
  }
  std::string for_noc0(Node written) const {
    return "; on NoC 0 " + text_of(written) + " is DRAM, which NoC 1 knows as " +
           text_of(grid_.mirrored(written)) + ": coordinates of the other NoC";
  }

  /// Boot firmware leaves unused entries at 0, which leads to the first tile.
  static bool is_left_over(unsigned written, unsigned node, bool named) {
    return !named && written != node && node == 0;
  }

  /// The coordinates as software wrote them, after translation, and on the other NoC.
  std::string names(const char* reg, Node written, Node node) const {
    std::string text = reg + (" names node " + text_of(written));
    if (!(written == node)) text += ", translated to " + text_of(node);
    if (context_.place.noc == 1 && grid_.has(node)) {
      text += " of NoC 1";
      text += ", which is " + text_of(grid_.to_noc(1, node)) + " of NoC 0";
    } else {
      text += " of NoC " + std::to_string(context_.place.noc);
    }
    return text;
  }

  static constexpr unsigned kLastEntry = 31;

  const NiuContext& context_;
  const Grid& grid_;
  const RequestInitiator& r_;
};

}  // namespace

void check_request(const NiuContext& context, const RequestInitiator& r) {
  if (r.type() == 3) {
    context.fault("request type 3 is reserved");
    context.unmodelled("request of type 3");
  }
  if (r.is_read() && r.flag(kCmdBrcstPacket)) context.fault("a read request cannot be broadcast");
  if (r.has_length() && r.at_len_be == 0)
    context.fault(std::string("request of 0 bytes. Expected a size of at least 1. Call ") +
                  (r.is_read() ? "noc_async_read_one_packet_set_state"
                               : "noc_async_write_one_packet_set_state") +
                  " before a request with state, or check the size");
  const Map& map = context.place.grid.map();
  if (r.packets_left > 1 && ((r.targ.lo | r.ret.lo) & (map.split_alignment - 1)) != 0) {
    context.fault("requests of more than " + std::to_string(map.max_packet_bytes) +
                  " bytes need addresses aligned to " + std::to_string(map.split_alignment) +
                  " bytes");
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
  if (r.is_inline() && !map.inline_to_l1 &&
      kind_of_destination(context, r, r.targ.address()) == AddressKind::kL1) {
    context.warn("inline write to L1 address " + foundation::hex(r.targ.address()) +
                 ", which can hang the NoCs of this chip. Expected a write from L1");
  }
  NodeRules(context, r).check();
  const std::string broken = broken_alignment(context, r);
  if (broken.empty()) return;
  context.fault(broken + ": TARG_ADDR " + foundation::hex(r.targ.address()) + ", RET_ADDR " +
                foundation::hex(r.ret.address()) + ", AT_LEN_BE " + foundation::hex(r.at_len_be) +
                NodeRules(context, r).destination_without_l1());
}

}  // namespace tvp::noc
