#include "platform/debug/connection.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <vector>

#include "foundation/host_error.h"

namespace tvp::debug {

namespace {

[[noreturn]] void refuse(std::uint16_t port, const char* what) {
  foundation::throw_errno("gdb.port", "port " + std::to_string(port) + " " + what, errno);
}

bool ready(int descriptor, short events, int wait_ms) {
  pollfd entry{.fd = descriptor, .events = events, .revents = 0};
  return ::poll(&entry, 1, wait_ms) > 0;
}

}  // namespace

Connection::Connection(std::uint16_t port) : port_(port) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener_ < 0) refuse(port, "has no socket");
  const int on = 1;
  // Lets the next run use the port at once. Two listeners are still refused.
  ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  // Accepts connections of this machine only, since a client has full control of the run.
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return;
  const int reason = errno;
  ::close(listener_);
  errno = reason;
  refuse(port, "cannot be used");
}

Connection::~Connection() {
  close();
  release();
}

void Connection::release() {
  forget();
  if (listener_ >= 0) ::close(listener_);
  listener_ = -1;
}

void Connection::listen() {
  if (::listen(listener_, 1) != 0) refuse(port_, "cannot be used");
}

bool Connection::look_for_caller(int wait_ms) {
  if (!ready(listener_, POLLIN, wait_ms)) return false;
  close();
  caller_ = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  if (caller_ < 0) return false;
  const int on = 1;
  ::setsockopt(caller_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return true;
}

void Connection::close() {
  // Copies of this process may hold the connection, too.
  if (caller_ >= 0) ::shutdown(caller_, SHUT_RDWR);
  forget();
}

void Connection::forget() {
  if (caller_ >= 0) ::close(caller_);
  caller_ = -1;
}

bool Connection::wants_attention() const {
  if (ready(caller_, POLLRDHUP, 0)) return true;
  // An interrupt may come behind packets that the server has not read.
  int bytes = 0;
  if (::ioctl(caller_, FIONREAD, &bytes) != 0 || bytes <= 0) return false;
  std::vector<char> waiting(static_cast<std::size_t>(bytes));
  const ssize_t n = ::recv(caller_, waiting.data(), waiting.size(), MSG_PEEK | MSG_DONTWAIT);
  const auto end = waiting.begin() + std::max<ssize_t>(n, 0);
  return std::find(waiting.begin(), end, '\x03') != end;
}

bool Connection::send(std::string_view& rest, int wait_ms) {
  while (open() && !rest.empty()) {
    const ssize_t n = ::send(caller_, rest.data(), rest.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n > 0) {
      rest.remove_prefix(static_cast<std::size_t>(n));
    } else if (n < 0 && errno == EINTR) {
      return false;
    } else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      if (!ready(caller_, POLLOUT, wait_ms)) return false;
    } else {
      close();
    }
  }
  return true;
}

/// A second debugger would wait for an answer that does not come while the first one is connected.
/// A first one that has hung up makes room, even if its last bytes are unread.
void Connection::turn_others_away() const {
  if (!ready(listener_, POLLIN, 0) || ready(caller_, POLLRDHUP, 0)) return;
  const int other = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  if (other >= 0) ::close(other);
}

Connection::Received Connection::receive(std::string& bytes, int wait_ms) {
  if (!open()) return Received::kClosed;
  turn_others_away();
  if (!ready(caller_, POLLIN, wait_ms)) return Received::kNothing;
  std::array<char, 4096> buffer;
  const ssize_t n = ::recv(caller_, buffer.data(), buffer.size(), 0);
  if (n < 0 && errno == EINTR) return Received::kNothing;
  if (n <= 0) {
    close();
    return Received::kClosed;
  }
  bytes.append(buffer.data(), static_cast<std::size_t>(n));
  return Received::kBytes;
}

}  // namespace tvp::debug
