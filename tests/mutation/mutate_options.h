#pragma once

#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "foundation/fault.h"

namespace tvp::mutation {

/// Throws std::invalid_argument with the option's name.
inline std::uint64_t whole_number(const std::string& option, const std::string& text) {
  std::size_t used = 0;
  try {
    const std::uint64_t value = std::stoull(text, &used);
    if (used == text.size() && text[0] != '-') return value;
  } catch (const std::exception&) {
  }
  throw std::invalid_argument(option + ": expected a whole number, not '" + text + "'");
}

/// Runs a program of this folder and prints its errors: exit code 2 for wrong use, 70 for others.
template <typename Run>
int exit_code_of(const char* program, Run run) {
  const auto complain = [program](const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", program, error.what());
  };
  try {
    return run();
  } catch (const std::invalid_argument& error) {
    complain(error);
    return 2;
  } catch (const foundation::Fault& error) {
    complain(error);
    return 2;
  } catch (const std::exception& error) {
    complain(error);
    return 70;
  }
}

}  // namespace tvp::mutation
