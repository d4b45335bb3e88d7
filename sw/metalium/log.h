#pragma once
// Log lines under tt-metal's names (tt-logger), on standard output from `info` on.

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
template <typename... Args>
void log(const char* level, tt::LogType, fmt::format_string<Args...> format, Args&&... args) {
  fmt::print("{}: {}\n", level, fmt::format(format, std::forward<Args>(args)...));
}
template <typename... Args>
void log(const char* level, fmt::format_string<Args...> format, Args&&... args) {
  log(level, tt::LogAlways, format, std::forward<Args>(args)...);
}
}  // namespace tvp::metalium

#define log_info(...) ::tvp::metalium::log("info", __VA_ARGS__)
#define log_warning(...) ::tvp::metalium::log("warning", __VA_ARGS__)
#define log_error(...) ::tvp::metalium::log("error", __VA_ARGS__)
#define log_fatal(...) ::tvp::metalium::log("critical", __VA_ARGS__)
#define log_debug(...) static_cast<void>(0)
#define log_trace(...) static_cast<void>(0)
