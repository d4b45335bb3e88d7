#include "sw/collectives/library/reshard.h"

#include <algorithm>
#include <bit>

#include "sw/runtime/distributed.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/host_api.h"
#include "sw/runtime/sharding/sharding_error.h"

namespace tvp::collectives::ccl {

namespace sharding = runtime::sharding;
using sharding::Refusal;
using Buffer = std::shared_ptr<runtime::MeshBuffer>;

namespace {

/// A tensor as rows of `row_bytes`, over `ranks` devices.
struct Rows {
  std::uint64_t rows;
  std::uint64_t row_bytes;
  std::uint32_t ranks;
  std::uint64_t piece_bytes() const { return row_bytes / ranks; }
};

std::size_t outermost(const TensorShape& shape) {
  const auto found = std::ranges::find_if(shape, [](std::uint64_t size) { return size != 1; });
  return std::min<std::size_t>(static_cast<std::size_t>(found - shape.begin()), shape.size() - 1);
}

std::string text_of(std::size_t dim) { return "dim " + std::to_string(dim); }

/// The dimension along which the tensor is cut: a shard for each device, in their order.
std::size_t cut_of(const Tensor& tensor, std::uint32_t ranks) {
  const sharding::MeshPartition& parts = tensor->partition();
  const TensorShape& whole = parts.global_shape();
  const TensorShape& local = parts.local_shape();
  std::optional<std::size_t> cut;
  for (std::size_t dim = 0; dim < whole.size(); ++dim) {
    if (local[dim] == whole[dim]) continue;
    if (cut || local[dim] * ranks != whole[dim])
      sharding::refuse(Refusal::kUnevenShards,
                       "shards of " + sharding::text_of(local) + " of a tensor of " +
                           sharding::text_of(whole) + " over " + std::to_string(ranks) + " devices",
                       "equal shards of one dimension, one for each device");
    cut = dim;
  }
  if (!cut)
    sharding::refuse(Refusal::kUnevenShards, "a tensor that all devices have as a whole",
                     "a tensor that is cut");
  for (unsigned rank = 0; rank < ranks; ++rank)
    if (parts.box(rank).begin[*cut] != rank * local[*cut])
      sharding::refuse(Refusal::kShardOrder, "another shard on device " + std::to_string(rank),
                       "shards in the order of the devices, as of ShardTensorToMesh");
  return *cut;
}

void require_ends(const TensorShape& shape, std::size_t dim) {
  if (dim == outermost(shape) || dim == shape.size() - 1) return;
  sharding::refuse(Refusal::kStridedRows, text_of(dim) + " of " + sharding::text_of(shape),
                   "the outermost or the innermost dimension");
}

void require_pages(const runtime::MeshDevice& mesh, std::uint64_t bytes) {
  const std::uint64_t alignment = mesh.bank_manager(runtime::BufferType::DRAM).alignment();
  if (bytes >= alignment && std::has_single_bit(bytes)) return;
  sharding::refuse(Refusal::kPageSize,
                   "parts of rows of " + std::to_string(bytes) + " bytes on a device",
                   "a power of two, at least " + std::to_string(alignment));
}

Buffer scratch(runtime::MeshDevice& mesh, std::uint64_t bytes, std::uint64_t page) {
  return runtime::MeshBuffer::create(
      mesh, runtime::InterleavedBufferConfig{
                .size = bytes, .page_size = page, .buffer_type = runtime::BufferType::DRAM});
}

/// Cuts `rows` rows of each device into pieces, or joins the pieces.
class Repacking {
 public:
  Repacking(runtime::MeshDevice& mesh, const Rows& of, std::uint64_t rows)
      : mesh_(mesh), of_(of), rows_(static_cast<std::uint32_t>(rows)) {}

  void run(const Buffer& whole, const Buffer& pieces, bool cuts, const CallOptions& options) const {
    runtime::MeshCommandQueue& queue =
        options.queue != nullptr ? *options.queue : mesh_.mesh_command_queue(0);
    runtime::MeshWorkload workload;
    workload.add_program(runtime::MeshCoordinateRange(mesh_.shape()),
                         program(*whole, *pieces, cuts));
    queue.enqueue_mesh_workload(workload, true);
  }

 private:
  runtime::Program program(const runtime::MeshBuffer& whole, const runtime::MeshBuffer& pieces,
                           bool cuts) const {
    runtime::Program program = runtime::CreateProgram();
    const runtime::CoreCoord grid = mesh_.device(0).layout().grid_size();
    const std::uint32_t count = std::min(rows_, grid.x * grid.y);
    std::vector<runtime::CoreCoord> cores;
    for (std::uint32_t i = 0; i < count; ++i) cores.push_back({i % grid.x, i / grid.x});
    const runtime::CoreRangeSet all(cores);
    const auto row_bytes = static_cast<std::uint32_t>(of_.row_bytes);
    runtime::CircularBufferConfig memory(row_bytes, {{0, runtime::DataFormat::Float16_b}});
    memory.set_page_size(0, row_bytes);
    runtime::CreateCircularBuffer(program, all, memory);
    runtime::DataMovementConfig config;
    config.compile_args = {cuts, of_.ranks, static_cast<std::uint32_t>(of_.piece_bytes())};
    runtime::TensorAccessorArgs(whole).append_to(config.compile_args);
    runtime::TensorAccessorArgs(pieces).append_to(config.compile_args);
    const runtime::KernelHandle kernel =
        runtime::CreateKernel(program, "firmware/collectives/reshard.cpp", all, config);
    std::uint32_t first = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t share = rows_ / count + (i < rows_ % count ? 1 : 0);
      runtime::SetRuntimeArgs(program, kernel, cores[i],
                              {static_cast<std::uint32_t>(whole.address()),
                               static_cast<std::uint32_t>(pieces.address()), rows_, first, share});
      first += share;
    }
    return program;
  }

  runtime::MeshDevice& mesh_;
  Rows of_;
  std::uint32_t rows_;
};

}  // namespace

Tensor reshard(Communicator& ranks, const Tensor& input, std::optional<int> to_dim,
               const CallOptions& options) {
  if (!input) runtime::bad_use("collective", "the tensor is null: expected a tensor");
  runtime::MeshDevice& mesh = input->mesh();
  const TensorShape shape = input->partition().global_shape();
  const std::uint32_t devices = ranks.size();
  const std::size_t from = cut_of(input, devices);
  require_ends(shape, from);
  const std::uint64_t row_bytes = shape.back() * input->datum_size();
  const Rows of{sharding::volume(shape) / shape.back(), row_bytes, devices};
  const bool from_columns = from == shape.size() - 1 && outermost(shape) != from;
  std::optional<std::size_t> to;
  if (to_dim) {
    to = sharding::dimension(shape, *to_dim);
    require_ends(shape, *to);
    if (shape[*to] % devices != 0)
      sharding::refuse(Refusal::kUnevenShards, std::to_string(shape[*to]) + " of " + text_of(*to),
                       "a multiple of the " + std::to_string(devices) + " devices");
  }
  const bool needs_pieces = from_columns || (to && *to != from);
  require_pages(mesh, needs_pieces ? of.piece_bytes() : of.row_bytes);
  require_pages(mesh, of.row_bytes);

  const DataType type = type_of(input);
  Tensor output = to ? sharding::DistributedBuffer::create(
                           mesh, sharding::ShardTensorToMesh(mesh, static_cast<int>(*to)), shape,
                           input->datum_size())
                     : sharding::DistributedBuffer::create(
                           mesh, sharding::ReplicateTensorToMesh(mesh), shape, input->datum_size());
  CallOptions waiting = options;
  waiting.blocking = true;
  if (!to && !from_columns) {
    ranks.all_gather(input->buffer(), output->buffer(), type, waiting);
  } else if (!to) {
    const Buffer pieces = scratch(mesh, of.rows * of.row_bytes, of.piece_bytes());
    ranks.all_gather(input->buffer(), pieces, type, waiting);
    Repacking(mesh, of, of.rows).run(output->buffer(), pieces, false, options);
  } else if (*to == from) {
    sharding::refuse(Refusal::kShardOrder, "a tensor that is cut along " + text_of(from),
                     "another dimension, or none for the whole tensor");
  } else {
    const Buffer pieces = scratch(mesh, of.rows / devices * of.row_bytes, of.piece_bytes());
    const Repacking repacking(mesh, of, of.rows / devices);
    if (!from_columns) repacking.run(input->buffer(), pieces, true, options);
    ranks.all_to_all(from_columns ? input->buffer() : pieces,
                     from_columns ? pieces : output->buffer(), type, waiting);
    if (from_columns) repacking.run(output->buffer(), pieces, false, options);
  }
  return output;
}

}  // namespace tvp::collectives::ccl
