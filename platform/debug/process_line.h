#pragma once

#include <sys/types.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

namespace tvp::debug {

/// A message socket between the supervisor and the process that has this line.
struct ProcessLine {
  int supervisor = -1;
  int process = -1;
};

/// Sends a message. False if the other side is gone.
bool send_message(int socket, const nlohmann::json& message);
/// The next message; empty if none comes within `wait_ms`, or until a signal comes.
std::optional<nlohmann::json> receive_message(int socket, int wait_ms);

/// Starts a copy of this process: 0 in the copy, its id in this process, or -1. Unlike fork(), it
/// keeps the thread's identity, since the caller holds recursive locks that the copy must release.
/// With `as_sibling` the copy's parent is the parent of this process.
pid_t copy_process(bool as_sibling);

}  // namespace tvp::debug
