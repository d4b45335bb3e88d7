#pragma once

#include <cstdint>

namespace tensix_vp::rtl {

/// The pins of a node of a NoC: a channel of requests that arrive, and one of its own requests.
/// Each has requests and responses with words of 64 bits, and one request at a time. A request
/// moves at an edge at which `valid` and `ready` are both set; its response comes at that edge or
/// later.
struct NocNodePins {
  std::uint8_t clk = 0;
  std::uint8_t rst = 0;

  // Requests that arrive.
  std::uint8_t in_valid = 0;
  std::uint64_t in_addr = 0;  ///< offset in the node, a multiple of 8
  std::uint64_t in_wdata = 0;
  std::uint8_t in_wstrb = 0;       ///< a bit for each byte to write; 0 for a read
  std::uint8_t in_ready = 0;       ///< output
  std::uint8_t in_rsp_valid = 0;   ///< output
  std::uint64_t in_rsp_rdata = 0;  ///< output

  // Requests of the node.
  std::uint8_t out_valid = 0;   ///< output
  std::uint64_t out_addr = 0;   ///< output: Board::noc_address(), a multiple of 8
  std::uint64_t out_wdata = 0;  ///< output
  std::uint8_t out_wstrb = 0;   ///< output
  std::uint8_t out_ready = 0;
  std::uint8_t out_rsp_valid = 0;  ///< for one edge
  std::uint8_t out_rsp_error = 0;
  std::uint64_t out_rsp_rdata = 0;

  /// Output: the node has something to do without a request. While it is low and no request is
  /// open, the clock may stop.
  std::uint8_t busy = 0;
};

/// A node in RTL of tensix_vp_add_rtl(KIND noc_node).
class NocNode {
 public:
  NocNode() = default;
  NocNode(const NocNode&) = delete;
  NocNode& operator=(const NocNode&) = delete;
  virtual ~NocNode() = default;
  /// Reads the inputs and sets the outputs.
  virtual void eval(NocNodePins& pins) = 0;
};

/// Description that the entry of a library returns.
struct NocNodeModule {
  static constexpr std::uint32_t kVersion = 1;
  static constexpr const char* kEntry = "tensix_vp_noc_node";

  std::uint32_t version = kVersion;  ///< version of this header
  NocNode* (*make)() = nullptr;
};

}  // namespace tensix_vp::rtl
