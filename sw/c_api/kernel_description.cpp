#include "sw/c_api/kernel_description.h"

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "sw/runtime/errors.h"

namespace tvp::c_api {
namespace {

using nlohmann::json;
using runtime::KernelBuildOptLevel, runtime::MathFidelity;

const std::map<std::string, KernelBuildOptLevel> kOptLevels{
    {"O0", KernelBuildOptLevel::O0}, {"O1", KernelBuildOptLevel::O1},
    {"O2", KernelBuildOptLevel::O2}, {"O3", KernelBuildOptLevel::O3},
    {"Os", KernelBuildOptLevel::Os}, {"Ofast", KernelBuildOptLevel::Ofast},
    {"Oz", KernelBuildOptLevel::Oz}};
const std::map<std::string, MathFidelity> kFidelities{{"LoFi", MathFidelity::LoFi},
                                                      {"HiFi2", MathFidelity::HiFi2},
                                                      {"HiFi3", MathFidelity::HiFi3},
                                                      {"HiFi4", MathFidelity::HiFi4}};

/// A JSON object whose keys are all taken in the end.
class Keys {
 public:
  explicit Keys(const std::string& text) {
    object_ = json::parse(text, nullptr, false);
    if (!object_.is_object()) runtime::bad_use("kernel", "expected a JSON object");
  }

  template <typename Value>
  void take(const std::string& key, Value& value, const char* expected) {
    known_.insert(key);
    const auto found = object_.find(key);
    if (found == object_.end()) return;
    try {
      value = found->get<Value>();
    } catch (const json::exception&) {
      refuse(key, *found, expected);
    }
  }
  /// Words from 0 to 2^32 - 1. JSON's own conversion would cut larger numbers.
  void take_words(const std::string& key, std::vector<std::uint32_t>& words) {
    json list = json::array();
    take(key, list, "a list of words");
    if (!list.is_array()) refuse(key, list, "a list of words");
    for (const json& one : list) words.push_back(word(key, one));
  }
  void take_named_words(const std::string& key, std::map<std::string, std::uint32_t>& words) {
    json object = json::object();
    take(key, object, "names with words");
    if (!object.is_object()) refuse(key, object, "names with words");
    for (const auto& [name, one] : object.items()) words[name] = word(key + "." + name, one);
  }
  /// One of two numbers of hardware, such as the processors.
  template <typename Value>
  void take_number(const std::string& key, Value& value) {
    auto number = static_cast<std::uint32_t>(value);
    json given = number;
    take(key, given, "0 or 1");
    number = word(key, given);
    if (number > 1) refuse(key, given, "0 or 1");
    value = static_cast<Value>(number);
  }
  template <typename Value>
  void take_name(const std::string& key, const std::map<std::string, Value>& names, Value& value) {
    std::string name;
    std::string expected = "one of ";
    for (const auto& [known, unused] : names)
      expected += (known == names.begin()->first ? "" : ", ") + known;
    take(key, name, expected.c_str());
    if (!object_.contains(key)) return;
    const auto found = names.find(name);
    if (found == names.end()) refuse(key, object_[key], expected.c_str());
    value = found->second;
  }
  void refuse_others() const {
    std::string expected;
    for (const std::string& key : known_) expected += (expected.empty() ? "" : ", ") + key;
    for (const auto& [key, value] : object_.items())
      if (!known_.contains(key))
        runtime::bad_use("kernel", "unknown key " + key + ": expected one of " + expected);
  }

 private:
  [[noreturn]] static void refuse(const std::string& key, const json& value, const char* expected) {
    runtime::bad_use("kernel", key + " is " + value.dump() + ": expected " + expected);
  }
  static std::uint32_t word(const std::string& key, const json& value) {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > ~std::uint32_t{0})
      refuse(key, value, "an integer from 0 to 4294967295");
    return value.get<std::uint32_t>();
  }

  json object_;
  std::set<std::string> known_;
};

template <typename Config>
Config common_config(Keys& keys) {
  Config config{};
  keys.take_words("compile_args", config.compile_args);
  keys.take_named_words("named_compile_args", config.named_compile_args);
  keys.take("defines", config.defines, "names with texts");
  keys.take("include_paths", config.compiler_include_paths, "a list of folders");
  keys.take_name("opt_level", kOptLevels, config.opt_level);
  return config;
}

runtime::DataMovementConfig data_movement(Keys& keys) {
  auto config = common_config<runtime::DataMovementConfig>(keys);
  keys.take_number("processor", config.processor);
  // Each processor has its own NoC by default.
  config.noc = static_cast<runtime::NOC>(config.processor);
  keys.take_number("noc", config.noc);
  return config;
}

runtime::ComputeConfig compute(Keys& keys) {
  auto config = common_config<runtime::ComputeConfig>(keys);
  keys.take_name("math_fidelity", kFidelities, config.math_fidelity);
  keys.take("fp32_dest_acc_en", config.fp32_dest_acc_en, "true or false");
  keys.take("dst_full_sync_en", config.dst_full_sync_en, "true or false");
  keys.take("bfp8_pack_precise", config.bfp8_pack_precise, "true or false");
  keys.take("math_approx_mode", config.math_approx_mode, "true or false");
  return config;
}

runtime::EthernetConfig ethernet(Keys& keys) {
  auto config = common_config<runtime::EthernetConfig>(keys);
  keys.take_number("noc", config.noc);
  return config;
}

}  // namespace

runtime::KernelHandle add_kernel(runtime::Program& program, const std::string& json,
                                 const runtime::CoreRangeSet& cores) {
  enum class Kind { kDataMovement, kCompute, kEthernet };
  Keys keys(json);
  std::string source;
  keys.take("source", source, "a file");
  if (source.empty()) runtime::bad_use("kernel", "source is missing: expected a file");
  Kind kind = Kind::kDataMovement;
  keys.take_name<Kind>("kind",
                       {{"data_movement", Kind::kDataMovement},
                        {"compute", Kind::kCompute},
                        {"ethernet", Kind::kEthernet}},
                       kind);
  const auto add = [&](auto config) {
    keys.refuse_others();
    return program.add_kernel(std::move(source), cores, std::move(config));
  };
  if (kind == Kind::kCompute) return add(compute(keys));
  if (kind == Kind::kEthernet) return add(ethernet(keys));
  return add(data_movement(keys));
}

}  // namespace tvp::c_api
