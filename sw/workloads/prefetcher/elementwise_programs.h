#pragma once

#include "sw/workloads/prefetcher/ring_programs.h"

namespace tvp::workloads::prefetcher {

/// The same senders, whose receivers apply a function to each datum that arrives, or a chain with a
/// resident tensor. The results of a receiver are in DRAM, tile after tile in the order of arrival.
class ElementwisePrograms : public RingPrograms {
 public:
  ElementwisePrograms(runtime::MeshDevice& mesh, const PrefetchPlan& plan,
                      const std::vector<Sender>& senders, const Tensors& tensors,
                      const Options& options);

  runtime::Program receiver_program() const;
  /// Results of a receiver for a layer and part. Reads DRAM once.
  std::span<const std::uint8_t> results(const RingCore& core, std::uint32_t layer,
                                        std::uint32_t part);
  /// Names the writer of their first tile (MeshBuffer::origin).
  std::string results_origin(const RingCore& core, std::uint32_t layer, std::uint32_t part) const;
  std::uint64_t result_bytes() const { return results_->size(); }

 private:
  std::uint32_t slice_of(const RingCore& core) const {
    return core.sender * plan_.ring().receivers + core.place_in_row;
  }
  std::uint64_t result_offset(const RingCore& core, std::uint32_t layer, std::uint32_t part) const;
  std::vector<std::uint32_t> elementwise_args(const RingCore& core) const;
  void add_buffers(runtime::Program& program) const;

  std::uint64_t page_ = 0;  ///< bytes of a receiver
  std::shared_ptr<runtime::MeshBuffer> results_;
  std::vector<std::uint8_t> content_;
};

}  // namespace tvp::workloads::prefetcher
