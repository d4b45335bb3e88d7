#include "platform/debug/process_line.h"

#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <string>

namespace tvp::debug {

bool send_message(int socket, const nlohmann::json& message) {
  const std::string text = message.dump();
  return ::send(socket, text.data(), text.size(), MSG_NOSIGNAL) ==
         static_cast<ssize_t>(text.size());
}

std::optional<nlohmann::json> receive_message(int socket, int wait_ms) {
  pollfd entry{.fd = socket, .events = POLLIN, .revents = 0};
  if (::poll(&entry, 1, wait_ms) <= 0) return std::nullopt;
  const ssize_t size = ::recv(socket, nullptr, 0, MSG_PEEK | MSG_TRUNC | MSG_DONTWAIT);
  if (size <= 0) return std::nullopt;
  std::string text(static_cast<std::size_t>(size), '\0');
  if (::recv(socket, text.data(), text.size(), MSG_DONTWAIT) != size) return std::nullopt;
  return nlohmann::json::parse(text);
}

pid_t copy_process(bool as_sibling) {
  const unsigned long flags = as_sibling ? CLONE_PARENT | SIGCHLD : SIGCHLD;
  return static_cast<pid_t>(::syscall(SYS_clone, flags, 0, 0, 0, 0));
}

}  // namespace tvp::debug
