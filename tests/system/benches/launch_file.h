#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "foundation/toml_source.h"
#include "tests/system/benches/operation_bench.h"

namespace tvp::test {

/// Consecutive units of work of one core.
struct Share {
  std::uint32_t first = 0, count = 0;
};

/// The value of a name in a launch description.
class LaunchValue {
 public:
  using Words = OperationBench::Words;
  using Tensor = OperationBench::Tensor;
  using OfCore = std::function<Words(runtime::CoreCoord)>;
  /// Work that is split over cores.
  struct Shares {
    runtime::CoreRangeSet cores;
    std::function<Share(runtime::CoreCoord)> of;
  };

  template <typename T>
  LaunchValue(T value) {  // NOLINT: a test writes {"name", value}
    using runtime::CoreCoord;
    if constexpr (std::is_integral_v<T>)
      value_ = static_cast<std::int64_t>(value);
    else if constexpr (std::is_convertible_v<T, std::string>)
      value_ = std::string(value);
    else if constexpr (std::is_invocable_r_v<Share, T, CoreCoord>)
      value_ = Shares{value.cores(), value};
    else if constexpr (std::is_invocable_r_v<Words, T, CoreCoord>)
      value_ = OfCore(std::move(value));
    else if constexpr (std::is_invocable_v<T, CoreCoord>)
      value_ = OfCore(
          [value](CoreCoord core) { return Words{static_cast<std::uint32_t>(value(core))}; });
    else if constexpr (std::is_same_v<T, runtime::CoreRange> || std::is_same_v<T, CoreCoord>)
      value_ = runtime::CoreRangeSet(value);
    else
      value_ = std::move(value);
  }

  template <typename T>
  const T* get() const {
    return std::get_if<T>(&value_);
  }

 private:
  std::variant<std::int64_t, Words, Tensor, std::vector<Tensor>, std::string, Operation::Defines,
               runtime::DataFormat, runtime::Tile, runtime::CoreRangeSet, OfCore, Shares>
      value_;
};

/// The values of a launch by name.
class LaunchValues {
 public:
  LaunchValues() = default;
  /// `names`: the names of TVP_VALUES, separated by commas.
  LaunchValues(std::string_view names, const std::vector<LaunchValue>& values);

  LaunchValues&& with(const std::string& name, LaunchValue value) &&;
  const LaunchValue* find(const std::string& name) const;

 private:
  std::map<std::string, LaunchValue> values_;
};

/// The expressions are the names: TVP_VALUES(in, kWide, c.rows).
#define TVP_VALUES(...) ::tvp::test::LaunchValues(#__VA_ARGS__, {__VA_ARGS__})

/// A file of launch descriptions: kernels, buffers and arguments of operations.
/// tests/system/published/README.md describes the format.
class LaunchFile {
 public:
  /// `path`: relative to tests/system/published.
  explicit LaunchFile(const std::string& path);

  /// Adds buffers and kernels of launch `name` to an operation.
  void describe(Operation& operation, const std::string& name, const LaunchValues& values) const;
  void run(OperationBench& bench, const std::string& name, const LaunchValues& values) const;

 private:
  foundation::TomlSource source_;
};

}  // namespace tvp::test
