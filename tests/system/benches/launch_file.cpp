#include "tests/system/benches/launch_file.h"

#include <array>
#include <cctype>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "tests/system/benches/launch_expression.h"

namespace tvp::test {
namespace {

using namespace runtime;
using Words = LaunchValue::Words;
using Tensor = LaunchValue::Tensor;

constexpr std::array<std::pair<const char*, DataFormat>, 13> kFormats{
    {{"Float32", DataFormat::Float32},
     {"Float16", DataFormat::Float16},
     {"Float16_b", DataFormat::Float16_b},
     {"Bfp8", DataFormat::Bfp8},
     {"Bfp8_b", DataFormat::Bfp8_b},
     {"Bfp4_b", DataFormat::Bfp4_b},
     {"Bfp2_b", DataFormat::Bfp2_b},
     {"Tf32", DataFormat::Tf32},
     {"Int32", DataFormat::Int32},
     {"UInt32", DataFormat::UInt32},
     {"UInt16", DataFormat::UInt16},
     {"UInt8", DataFormat::UInt8},
     {"RawUInt32", DataFormat::RawUInt32}}};
constexpr std::array kFidelities{"LoFi", "HiFi2", "HiFi3", "HiFi4"};

[[noreturn]] void refuse(const std::string& message) { throw std::invalid_argument(message); }

/// A launch of a file with the values of a test.
class Launch {
 public:
  Launch(const toml::table& paths, const LaunchValues& values) : paths_(paths), values_(values) {}

  void describe(Operation& operation, const toml::table& table) {
    if (const auto cores = table["cores"].value<std::string>()) operation.on(cores_of(*cores));
    if (const toml::array* buffers = table["buffers"].as_array())
      for (const toml::node& each : *buffers) buffer(operation, each.value<std::string>().value());
    for (const char* const kind : {"reader", "writer", "compute"}) {
      const toml::node_view node = table[kind];
      if (node.is_table()) kernel(operation, kind, *node.as_table());
      if (const toml::array* several = node.as_array())
        for (const toml::node& each : *several) kernel(operation, kind, *each.as_table());
    }
  }

 private:
  template <typename T>
  const T& get(const std::string& name, const char* expected) const {
    const LaunchValue* const value = values_.find(name);
    const T* const got = value == nullptr ? nullptr : value->get<T>();
    if (got == nullptr) refuse(name + ": expected " + expected + " of that name");
    return *got;
  }

  /// Cores with that name, or those that have a share with that name.
  CoreRangeSet cores_of(const std::string& name) const {
    const LaunchValue* const value = values_.find(name);
    if (const auto* shares = value == nullptr ? nullptr : value->get<LaunchValue::Shares>())
      return shares->cores;
    return get<CoreRangeSet>(name, "cores");
  }

  /// The words of a name on `core`.
  Words words_of(const std::string& name, CoreCoord core) const {
    if (name == "core.x") return {static_cast<std::uint32_t>(core.x)};
    if (name == "core.y") return {static_cast<std::uint32_t>(core.y)};
    if (const LaunchValue* const value = values_.find(name)) {
      if (const auto* number = value->get<std::int64_t>()) {
        return {static_cast<std::uint32_t>(*number)};
      } else if (const auto* words = value->get<Words>()) {
        return *words;
      } else if (const auto* tensor = value->get<Tensor>()) {
        return {address(*tensor)};
      } else if (const auto* of_core = value->get<LaunchValue::OfCore>()) {
        return (*of_core)(core);
      }
    }
    const std::size_t dot = name.rfind('.');
    const LaunchValue* const whole = values_.find(name.substr(0, dot));
    const auto* const shares = whole == nullptr ? nullptr : whole->get<LaunchValue::Shares>();
    if (shares != nullptr && name.ends_with(".first")) return {shares->of(core).first};
    if (shares != nullptr && name.ends_with(".count")) return {shares->of(core).count};
    refuse(name + ": no number, list, tensor or function of that name");
  }
  Words list(const std::string& text, CoreCoord core = OperationBench::kCore) const {
    const LaunchExpression::Lookup lookup = [&](std::string_view name) {
      return words_of(std::string(name), core);
    };
    return LaunchExpression(text, lookup).list();
  }
  std::uint32_t number(const std::string& text) const {
    const LaunchExpression::Lookup lookup = [&](std::string_view name) {
      return words_of(std::string(name), OperationBench::kCore);
    };
    return static_cast<std::uint32_t>(LaunchExpression(text, lookup).number());
  }
  std::uint32_t number(const toml::node_view<const toml::node>& node) const {
    if (node.is_boolean()) return node.value_or(false) ? 1 : 0;
    if (const auto text = node.value<std::string>()) return number(*text);
    return static_cast<std::uint32_t>(node.value<std::int64_t>().value());
  }

  /// Replaces each {name} in `text`.
  std::string with_names(const std::string& text) const {
    std::string made;
    for (std::size_t at = 0;;) {
      const std::size_t open = text.find('{', at), close = text.find('}', open);
      if (close == std::string::npos) return made + text.substr(at);
      const std::string name = text.substr(open + 1, close - open - 1);
      const auto path = paths_[name].value<std::string>();
      made += text.substr(at, open - at) + (path ? *path : get<std::string>(name, "a text"));
      at = close + 1;
    }
  }

  DataFormat format(const std::string& name) const {
    for (const auto& [known, format] : kFormats)
      if (name == known) return format;
    return get<DataFormat>(name, "a data format");
  }

  /// "0 1: 2 x 2048 Float16_b", "0+1: …" for buffers that share memory, "0: over in x …".
  void buffer(Operation& operation, const std::string& text) const {
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos) refuse(text + ": expected \"index: pages\"");
    std::istringstream places(text.substr(0, colon));
    for (std::string place; places >> place;) {
      std::vector<std::uint8_t> indices;
      std::istringstream shared(place);
      for (std::string index; std::getline(shared, index, '+');)
        indices.push_back(static_cast<std::uint8_t>(number(index)));
      buffer(operation, indices, text.substr(colon + 1));
    }
  }
  void buffer(Operation& operation, const std::vector<std::uint8_t>& indices,
              const std::string& text) const {
    std::string pages = text, page;
    if (const std::size_t at = pages.find(" if "); at != std::string::npos) {
      if (number(pages.substr(at + 4)) == 0) return;
      pages.resize(at);
    }
    DataFormat of = DataFormat::Float16_b;
    if (const std::size_t at = pages.find(" as "); at != std::string::npos) {
      of = format(pages.substr(at + 4));
      pages.resize(at);
    }
    if (const std::size_t at = pages.find(" x "); at != std::string::npos) {
      page = pages.substr(at + 3);
      pages.resize(at);
    }
    const LaunchValue* const shape = values_.find(page);
    const Tile* const tile = shape == nullptr ? nullptr : shape->get<Tile>();
    if (pages.starts_with(" over ")) {
      const Tensor& over = get<Tensor>(pages.substr(6), "a tensor");
      if (tile != nullptr)
        operation.buffer(indices.front(), over, *tile, of);
      else if (page.empty())
        operation.buffer(indices.front(), over, of);
      else
        operation.shared_buffer(indices, over, of, number(page));
    } else if (tile != nullptr) {
      operation.buffer(indices.front(), number(pages), *tile, of);
    } else {
      operation.shared_buffer(indices, number(pages),
                              page.empty() ? Tile{}.bytes(of) : number(page), of);
    }
  }

  void kernel(Operation& operation, const std::string& kind, const toml::table& table) const {
    Operation::Arguments arguments;
    std::string source;
    for (const auto& [key_of, node] : table) {
      const std::string key(key_of.str());
      const toml::node_view view(node);
      const std::string text = view.value_or(std::string());
      if (key == "cores") {
        operation.on(cores_of(text));
      } else if (key == "kernel") {
        source = with_names(text);
      } else if (key == "compile") {
        arguments.compile = list(text);
      } else if (key == "after") {
        arguments.after = list(text);
      } else if (key == "common") {
        arguments.common = list(text);
      } else if (key == "run") {
        arguments.run_at = [this, text](CoreCoord core) { return list(text, core); };
      } else if (key == "tensors") {
        arguments.tensors = tensors(text);
      } else if (key == "defines") {
        arguments.defines = defines(view);
      } else if (key == "named") {
        for (const auto& [name, value] : *view.as_table())
          arguments.named[std::string(name.str())] =
              number(toml::node_view<const toml::node>(value));
      } else if (key == "fidelity") {
        for (std::size_t i = 0; i < kFidelities.size(); ++i)
          if (text == kFidelities.at(i)) arguments.fidelity = kFidelityOf.at(i);
      } else if (key == "noc") {
        arguments.noc = number(view) == 0 ? NOC::NOC_0 : NOC::NOC_1;
      } else if (key == "optimization") {
        if (text != "O3") refuse("optimization: expected \"O3\"");
        arguments.optimization = KernelBuildOptLevel::O3;
      } else if (bool* const flag = flag_of(arguments, key)) {
        *flag = number(view) != 0;
      } else {
        refuse(key + ": no key of a kernel");
      }
    }
    if (kind == "reader") operation.reader(source, arguments);
    if (kind == "writer") operation.writer(source, arguments);
    if (kind == "compute") operation.compute(source, arguments);
  }

  static bool* flag_of(Operation::Arguments& arguments, const std::string& key) {
    if (key == "fp32_dst") return &arguments.fp32_dst;
    if (key == "fp32_to_dst") return &arguments.fp32_to_dst;
    if (key == "whole_dst") return &arguments.whole_dst;
    if (key == "approximate") return &arguments.approximate;
    return nullptr;
  }

  std::vector<Tensor> tensors(const std::string& text) const {
    std::vector<Tensor> made;
    std::istringstream names(text);
    for (std::string name; names >> name;) {
      if (name.ends_with(',')) name.pop_back();
      const LaunchValue* const value = values_.find(name);
      if (const auto* several = value == nullptr ? nullptr : value->get<std::vector<Tensor>>())
        made.insert(made.end(), several->begin(), several->end());
      else
        made.push_back(get<Tensor>(name, "a tensor"));
    }
    return made;
  }

  Operation::Defines defines(const toml::node_view<const toml::node>& node) const {
    if (const auto name = node.value<std::string>())
      return get<Operation::Defines>(*name, "macro definitions");
    Operation::Defines made;
    for (const auto& [name, value] : *node.as_table())
      made[with_names(std::string(name.str()))] = with_names(value.value<std::string>().value());
    return made;
  }

  static constexpr std::array kFidelityOf{MathFidelity::LoFi, MathFidelity::HiFi2,
                                          MathFidelity::HiFi3, MathFidelity::HiFi4};

  const toml::table& paths_;
  const LaunchValues& values_;
};

}  // namespace

LaunchValues::LaunchValues(std::string_view names, const std::vector<LaunchValue>& values) {
  std::string name;
  auto value = values.begin();
  int depth = 0;
  for (const char c : names) {
    if (std::isspace(static_cast<unsigned char>(c))) continue;
    if (c == ',' && depth == 0) {
      values_.emplace(std::move(name), *value++);
      name.clear();
      continue;
    }
    if (c == '(' || c == '{') ++depth;
    if (c == ')' || c == '}') --depth;
    name += c;
  }
  values_.emplace(std::move(name), *value);
}

LaunchValues&& LaunchValues::with(const std::string& name, LaunchValue value) && {
  values_.insert_or_assign(name, std::move(value));
  return std::move(*this);
}

const LaunchValue* LaunchValues::find(const std::string& name) const {
  const auto at = values_.find(name);
  return at == values_.end() ? nullptr : &at->second;
}

LaunchFile::LaunchFile(const std::string& path) : source_(TVP_LAUNCHES "/" + path) {}

void LaunchFile::describe(Operation& operation, const std::string& name,
                          const LaunchValues& values) const {
  static const toml::table no_paths;
  const toml::table* const launch = source_.root()[name].as_table();
  if (launch == nullptr) refuse(source_.file() + ": no launch [" + name + "]");
  const toml::table* const paths = source_.root()["paths"].as_table();
  try {
    Launch(paths == nullptr ? no_paths : *paths, values).describe(operation, *launch);
  } catch (const std::exception& error) {
    source_.fail(*launch, name + ": " + error.what());
  }
}

void LaunchFile::run(OperationBench& bench, const std::string& name,
                     const LaunchValues& values) const {
  Operation operation(bench);
  describe(operation, name, values);
  operation.run();
}

}  // namespace tvp::test
