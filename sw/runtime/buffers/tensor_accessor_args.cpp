#include "sw/runtime/buffers/tensor_accessor_args.h"

#include <limits>
#include <string>

#include "foundation/contract/tensor_accessor.h"
#include "sw/runtime/buffers/mesh_buffer.h"
#include "sw/runtime/compiler/published_tree.h"
#include "sw/runtime/errors.h"

namespace tvp::runtime {

using tensor_accessor::ArgConfig;

namespace {

const Buffer& checked(const Buffer* buffer) {
  if (buffer == nullptr) bad_use("TensorAccessorArgs", "is given none; expected a buffer");
  return *buffer;
}

}  // namespace

TensorAccessorArgs::TensorAccessorArgs(const Buffer* buffer)
    : TensorAccessorArgs(checked(buffer)) {}

TensorAccessorArgs::TensorAccessorArgs(const Buffer& buffer) {
  buffer.cluster();  // throws if it is closed
  const std::uint64_t page = buffer.aligned_page_size();
  if (page > std::numeric_limits<std::uint32_t>::max())
    bad_use("TensorAccessorArgs", "a page of " + std::to_string(buffer.page_size()) +
                                      " bytes: kernels know pages below 4 GiB");
  std::uint32_t flags = 0;
  if (buffer.buffer_type() == BufferType::DRAM)
    flags |= static_cast<std::uint32_t>(ArgConfig::IsDram);
  if (buffer.sharded()) flags |= static_cast<std::uint32_t>(ArgConfig::Sharded);
  if (page > tensor_accessor::kLargestMarkedPage || metal_home_has_page_sizes()) {
    words_ = {flags | static_cast<std::uint32_t>(ArgConfig::AlignedPageSize),
              static_cast<std::uint32_t>(page)};
  } else {
    words_ = {flags | tensor_accessor::kPageSizeMark |
              static_cast<std::uint32_t>(page / tensor_accessor::kPageSizeUnit)
                  << tensor_accessor::kPageSizeShift};
  }
  if (!buffer.sharded()) return;
  const std::vector<CoreCoord> banks = buffer.shard_noc_coordinates();
  const auto count = static_cast<std::uint32_t>(banks.size());
  const Extent& tensor = buffer.shard_layout().tensor_in_pages();
  const Extent& shard = buffer.shard_layout().shard_in_pages();
  if (tensor[1] == shard[1]) {  // whole rows: treated as one dimension
    words_.insert(words_.end(), {1, count, tensor[0] * tensor[1], shard[0] * shard[1]});
  } else {
    words_.insert(words_.end(), {2, count, tensor[0], tensor[1], shard[0], shard[1]});
  }
  for (std::size_t i = 0; i < banks.size(); i += 2) {
    const auto coordinates = [&](std::size_t bank) {
      return bank < banks.size() ? banks[bank].x << 8 | banks[bank].y : 0;
    };
    words_.push_back(coordinates(i) | coordinates(i + 1) << 16);
  }
}

TensorAccessorArgs TensorAccessorArgs::create_dram_interleaved() {
  return TensorAccessorArgs(
      std::vector<std::uint32_t>{static_cast<std::uint32_t>(ArgConfig::IsDram)});
}

TensorAccessorArgs TensorAccessorArgs::create_l1_interleaved() {
  return TensorAccessorArgs(
      std::vector<std::uint32_t>{static_cast<std::uint32_t>(ArgConfig::None)});
}

void TensorAccessorArgs::append_to(std::vector<std::uint32_t>& compile_time_args) const {
  compile_time_args.insert(compile_time_args.end(), words_.begin(), words_.end());
}

}  // namespace tvp::runtime
