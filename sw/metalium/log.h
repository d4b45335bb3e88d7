#pragma once
// Log lines under tt-metal's names (tt-logger), on standard output from `info` on.

#include <cstdio>

#include "sw/metalium/assert.h"

namespace tt {

enum LogType : unsigned char {
  LogAlways,
  LogDevice,
  LogLLRuntime,
  LogMetal,
  LogOp,
  LogTest,
  LogVerif,
};

}  // namespace tt

namespace tvp::metalium {

/// Prints lines of a level at once, so that a program that aborts does not lose them. An object,
/// because macros cannot be named as tt::log_info, which programs of 2024 and 2025 do.
struct Log {
  template <typename... Args>
  void operator()(tt::LogType, fmt::format_string<Args...> format, Args&&... args) const {
    fmt::print("{}: {}\n", level, fmt::format(format, std::forward<Args>(args)...));
    std::fflush(stdout);
  }
  template <typename... Args>
  void operator()(fmt::format_string<Args...> format, Args&&... args) const {
    (*this)(tt::LogAlways, format, std::forward<Args>(args)...);
  }

  const char* level;
};
/// A level below `info`.
struct NoLog {
  template <typename... Args>
  void operator()(Args&&...) const {}
};

}  // namespace tvp::metalium

inline constexpr tvp::metalium::Log log_info{"info"};
inline constexpr tvp::metalium::Log log_warning{"warning"};
inline constexpr tvp::metalium::Log log_error{"error"};
inline constexpr tvp::metalium::Log log_fatal{"critical"};
inline constexpr tvp::metalium::Log log_critical{"critical"};
inline constexpr tvp::metalium::NoLog log_debug{};
inline constexpr tvp::metalium::NoLog log_trace{};

namespace tt {
using ::log_critical;
using ::log_debug;
using ::log_error;
using ::log_fatal;
using ::log_info;
using ::log_trace;
using ::log_warning;
}  // namespace tt
