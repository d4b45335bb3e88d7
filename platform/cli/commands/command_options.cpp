#include "platform/cli/commands/command_options.h"

#include <CLI/CLI.hpp>

namespace tvp::cli {

void CommandOptions::word(const std::string& name, std::string& value, const std::string& help) {
  app_.add_option(name, value, help)->required();
}

void CommandOptions::word(const std::string& name, std::optional<std::string>& value,
                          const std::string& help) {
  app_.add_option(name, value, help);
}

void CommandOptions::words(const std::string& name, std::vector<std::string>& values,
                           const std::string& help) {
  app_.add_option(name, values, help)->required();
}

void CommandOptions::option(const std::string& name, std::string& value, const std::string& help,
                            Need need) {
  app_.add_option(name, value, help)->required(need == Need::kRequired);
}

void CommandOptions::option(const std::string& name, std::optional<std::string>& value,
                            const std::string& help) {
  app_.add_option(name, value, help);
}

void CommandOptions::option(const std::string& name, std::uint64_t& value,
                            const std::string& help) {
  app_.add_option(name, value, help);
}

void CommandOptions::option(const std::string& name, unsigned& value, Range range,
                            const std::string& help) {
  app_.add_option(name, value, help)->check(CLI::Range(range.from, range.to));
}

void CommandOptions::option(const std::string& name, std::optional<std::uint16_t>& value,
                            Range range, const std::string& help) {
  app_.add_option(name, value, help)->check(CLI::Range(range.from, range.to));
}

void CommandOptions::option(const std::string& name, std::vector<std::string>& values,
                            const std::string& help, Need need) {
  app_.add_option(name, values, help)->allow_extra_args(false)->required(need == Need::kRequired);
}

void CommandOptions::flag(const std::string& name, bool& value, const std::string& help) {
  app_.add_flag(name, value, help);
}

}  // namespace tvp::cli
