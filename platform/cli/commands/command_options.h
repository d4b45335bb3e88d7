#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tvp::cli {

/// Options of one command. Each is declared by its name, the variable that gets the value, and one
/// line of help. This class hides CLI11, which takes seconds to compile in each file.
class CommandOptions {
 public:
  enum class Need { kOptional, kRequired };
  struct Range {
    unsigned from;
    unsigned to;
  };

  explicit CommandOptions(CLI::App& app) : app_(app) {}

  /// A positional word.
  void word(const std::string& name, std::string& value, const std::string& help);
  void word(const std::string& name, std::optional<std::string>& value, const std::string& help);
  /// All words from here on; at least one.
  void words(const std::string& name, std::vector<std::string>& values, const std::string& help);

  void option(const std::string& name, std::string& value, const std::string& help,
              Need need = Need::kOptional);
  void option(const std::string& name, std::optional<std::string>& value, const std::string& help);
  void option(const std::string& name, std::uint64_t& value, const std::string& help);
  void option(const std::string& name, unsigned& value, Range range, const std::string& help);
  void option(const std::string& name, std::optional<std::uint16_t>& value, Range range,
              const std::string& help);
  /// An option that may repeat.
  void option(const std::string& name, std::vector<std::string>& values, const std::string& help,
              Need need = Need::kOptional);
  void flag(const std::string& name, bool& value, const std::string& help);

 private:
  CLI::App& app_;
};

}  // namespace tvp::cli
