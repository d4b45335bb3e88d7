#include "tests/support/sharding_trial.h"

#include "sw/runtime/sharding/lowering.h"
#include "sw/runtime/sharding/mesh_composer.h"

namespace tvp::test {

using namespace runtime::sharding;

std::string Trial::text() const {
  std::string text = text_of(shape) + " of " + std::to_string(datum_size) + " bytes over";
  for (std::size_t axis = 0; axis < axes.size(); ++axis)
    text += " " + std::to_string(axes[axis]) + ":" +
            (cuts[axis] ? std::to_string(*cuts[axis]) : "repeated");
  text += " on " + std::to_string(mesh.rows) + " x " + std::to_string(mesh.columns);
  return text + ", " + (layout.buffer_type == runtime::BufferType::L1 ? "L1" : "DRAM") +
         " layout " + std::to_string(static_cast<int>(layout.buffer_layout)) + " order " +
         std::to_string(static_cast<int>(layout.order)) + " pages of " +
         std::to_string(layout.page_size);
}

MeshMapper Trial::mapper() const {
  MeshMapperConfig config{.placements = {}, .mesh_shape_override = axes};
  for (const auto& cut : cuts)
    config.placements.push_back(cut ? Placement(Shard{*cut}) : Placement(Replicate{}));
  return {mesh, config};
}

Bytes Trial::golden(const Bytes& tensor, unsigned device) const {
  // Axes number devices row by row. Axes that cut the same dimension make one cut, the first one
  // outermost.
  std::vector<Cut> all;
  unsigned below = 1;
  for (const std::uint32_t axis : axes) below *= axis;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    below /= axes[axis];
    const std::size_t index = device / below % axes[axis];
    if (!cuts[axis]) continue;
    const int rank = static_cast<int>(shape.size());
    const auto dim = static_cast<std::size_t>(*cuts[axis] < 0 ? *cuts[axis] + rank : *cuts[axis]);
    Cut* same = nullptr;
    for (Cut& cut : all)
      if (cut.dim == dim) same = &cut;
    if (same == nullptr) {
      all.push_back({dim, axes[axis], index});
    } else {
      same->count *= axes[axis];
      same->index = same->index * axes[axis] + index;
    }
  }
  Bytes part = golden_shard(tensor, all);
  if (layout.tiled())
    for (std::size_t dim = shape.size() - 2; dim < shape.size(); ++dim)
      part = padded(part, dim, 32);
  return part;
}

Bytes random_tensor(const Trial& trial, std::mt19937& random) {
  std::vector<std::size_t> shape(trial.shape.begin(), trial.shape.end());
  shape.push_back(trial.datum_size);
  Bytes tensor = xt::zeros<std::uint8_t>(shape);
  for (std::uint8_t& byte : tensor) byte = static_cast<std::uint8_t>(random() % 255 + 1);
  return tensor;
}

namespace {

std::string compare(const Trial& trial, DistributedBuffer& buffer, const Bytes& tensor,
                    const char* how) {
  const std::vector<std::uint8_t> bytes = bytes_of(tensor);
  buffer.write(bytes);
  for (unsigned device = 0; device < trial.mesh.mesh_size(); ++device) {
    const auto shard =
        buffer.read_shard({device / trial.mesh.columns, device % trial.mesh.columns});
    if (shard != bytes_of(trial.golden(tensor, device)))
      return trial.text() + ": device " + std::to_string(device) + " has another shard, " + how;
    if (!trial.layout.tiled() && buffer.buffer()->read(device) != shard)
      return trial.text() + ": device " + std::to_string(device) + "'s memory differs, " + how;
  }
  if (buffer.read() != bytes) return trial.text() + ": does not compose back, " + how;
  return "";
}

/// Reads with ttnn's composers if each axis of the devices has its own dimension.
std::string compose(const Trial& trial, const DistributedBuffer& buffer, const Bytes& tensor) {
  MeshComposerConfig config{.dims = {}, .mesh_shape_override = trial.axes};
  std::vector<bool> used(trial.shape.size(), false);
  for (const auto& cut : trial.cuts) {
    if (!cut) return "";
    const std::size_t dim = dimension(trial.shape, *cut);
    if (used[dim]) return "";
    used[dim] = true;
    config.dims.push_back(*cut);
  }
  const ComposedTensor composed = MeshComposer(trial.mesh, config).compose(buffer);
  if (composed.shape != trial.shape || composed.bytes != bytes_of(tensor))
    return trial.text() + ": the composer gives another tensor";
  return "";
}

}  // namespace

std::string try_out(runtime::MeshDevice& mesh, const Trial& trial, std::mt19937& random) {
  const Bytes tensor = random_tensor(trial, random);
  const MeshMapper mapper = trial.mapper();
  if (trial.by_config) {
    const ShardedBufferConfig config =
        lower(mesh, mapper, trial.shape, trial.datum_size, trial.layout);
    const auto buffer = DistributedBuffer::create(config);
    std::string wrong = compare(trial, *buffer, tensor, "by its config");
    if (!wrong.empty()) return wrong;
  }
  const auto buffer =
      DistributedBuffer::create(mesh, mapper, trial.shape, trial.datum_size, trial.layout);
  std::string wrong = compare(trial, *buffer, tensor, "by its mapper");
  if (!wrong.empty()) return wrong;
  return compose(trial, *buffer, tensor);
}

}  // namespace tvp::test
