#include "sw/workloads/prefetcher/model.h"

#include <map>

#include "foundation/toml_source.h"
#include "sw/runtime/errors.h"

namespace tvp::workloads::prefetcher {

using runtime::DataFormat;

namespace {

constexpr auto kBfp4 = DataFormat::Bfp4_b;
constexpr auto kBfp8 = DataFormat::Bfp8_b;
constexpr auto kBf16 = DataFormat::Float16_b;
constexpr std::uint32_t kMostSide = 1U << 17;

/// Sizes from the published models' configurations: hidden size, heads of 128, width of the
/// feed-forward part. Devices of a tensor-parallel group share columns of qkv, ff1 and ff3, and
/// rows of out and ff2. Formats are the usual ones of such decoders: 4 bits for ff1 and ff3.
std::vector<WeightShape> decoder(std::uint32_t hidden, std::uint32_t heads, std::uint32_t kv_heads,
                                 std::uint32_t feed_forward, std::uint32_t devices) {
  constexpr std::uint32_t kHead = 128;
  return {{"qkv", hidden, (heads + 2 * kv_heads) * kHead / devices, kBfp8},
          {"out", heads * kHead / devices, hidden, kBfp8},
          {"ff1", hidden, feed_forward / devices, kBfp4},
          {"ff3", hidden, feed_forward / devices, kBfp4},
          {"ff2", feed_forward / devices, hidden, kBfp8}};
}

const std::map<std::string, std::vector<WeightShape>>& models() {
  static const std::map<std::string, std::vector<WeightShape>> known = {
      // All formats, tensors that do not fill their blocks, and a second tensor of one shape.
      {"small",
       {{"qkv", 1536, 3072, kBfp8},
        {"out", 1472, 1536, kBf16},
        {"ff1", 1536, 3072, kBfp4},
        {"ff3", 1536, 3072, kBfp4},
        {"ff2", 3072, 1504, kBfp8}}},
      {"llama_70b_tp8", decoder(8192, 64, 8, 28672, 8)},
      {"llama_8b", decoder(4096, 32, 8, 14336, 1)},
      // One of eight experts on each of eight devices, which share the attention.
      {"mixtral_like",
       {{"qkv", 4096, 768, kBfp8},
        {"out", 512, 4096, kBfp8},
        {"ff1", 4096, 14336, kBfp4},
        {"ff3", 4096, 14336, kBfp4},
        {"ff2", 14336, 4096, kBfp8}}},
  };
  return known;
}

DataFormat format_of(const foundation::TomlSource& source, const toml::table& table) {
  const std::string name = source.text(table, "format", "bfloat4_b, bfloat8_b or bfloat16");
  for (const DataFormat format : {kBfp4, kBfp8, kBf16})
    if (name_of(format) == name) return format;
  source.fail(*table.get("format"),
              "format '" + name + "'; expected bfloat4_b, bfloat8_b or bfloat16");
}

std::vector<WeightShape> from_file(const std::string& file) {
  const foundation::TomlSource source(file);
  std::vector<WeightShape> layer;
  source.allow_only(source.root(), {"tensor"}, "a model");
  const toml::node* tensors = source.root().get("tensor");
  if (tensors == nullptr) runtime::bad_use(file, "has no [[tensor]]");
  for (const toml::node& node : source.tables(*tensors, "tensor")) {
    const toml::table& table = *node.as_table();
    WeightShape shape;
    shape.name = source.text(table, "name", "the name of a tensor");
    source.allow_only(table, {"name", "k", "n", "format"}, "a tensor");
    shape.k = static_cast<std::uint32_t>(source.integer(table, "k", 32, kMostSide));
    shape.n = static_cast<std::uint32_t>(source.integer(table, "n", 32, kMostSide));
    shape.format = format_of(source, table);
    for (const auto& [key, value] : {std::pair("k", shape.k), std::pair("n", shape.n)})
      if (value % 32 != 0)
        source.fail(*table.get(key), std::string(key) + " = " + std::to_string(value) +
                                         "; expected a multiple of 32, the side of a tile");
    layer.push_back(shape);
  }
  return layer;
}

}  // namespace

std::string name_of(DataFormat format) {
  return format == kBfp4 ? "bfloat4_b" : format == kBfp8 ? "bfloat8_b" : "bfloat16";
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const auto& [name, unused] : models()) names.push_back(name);
  return names;
}

std::vector<WeightShape> layer_of(const std::string& model) {
  if (const auto found = models().find(model); found != models().end()) return found->second;
  if (model.ends_with(".toml")) return from_file(model);
  std::string names;
  for (const std::string& name : model_names()) names += name + ", ";
  runtime::bad_use("prefetcher.model", "'" + model + "' is no model; expected " + names +
                                           "or a file that ends in .toml");
}

}  // namespace tvp::workloads::prefetcher
