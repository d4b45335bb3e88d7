#include "platform/ranks/rank_watch.h"

#include <fcntl.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "foundation/host_error.h"

namespace tvp::platform {

namespace {

/// A host that has not answered for so long is lost: 2 s without data, then probes of 1 s.
constexpr int kIdleSeconds = 2;
constexpr int kProbeSeconds = 1;
constexpr int kProbes = 3;
constexpr int kConnectMs = 2000;

int new_socket() {
  const int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (made < 0) foundation::throw_errno("mpi", "a socket", errno);
  return made;
}

}  // namespace

RankWatch::RankWatch(unsigned rank, unsigned size) : rank_(rank), peers_(size) {}

RankWatch::~RankWatch() { stop(); }

void RankWatch::stop() {
  for (Peer& peer : peers_) {
    if (peer.socket < 0) continue;
    const char goodbye = 0;
    send(peer.socket, &goodbye, 1, MSG_NOSIGNAL);
    ::close(std::exchange(peer.socket, -1));
  }
  if (listener_ >= 0) ::close(listener_);
  listener_ = -1;
}

RankWatch::Addresses RankWatch::listen() {
  listener_ = new_socket();
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_ANY);
  socklen_t size = sizeof at;
  if (bind(listener_, reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0 ||
      ::listen(listener_, static_cast<int>(peers_.size())) != 0 ||
      getsockname(listener_, reinterpret_cast<sockaddr*>(&at), &size) != 0)
    foundation::throw_errno("mpi", "a port for the other ranks", errno);
  Addresses addresses{.port = at.sin_port};
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) foundation::throw_errno("mpi", "the host's addresses", errno);
  std::size_t count = 0;
  // The loopback comes last: on another host it would not be this one.
  for (const bool loopback : {false, true}) {
    for (const ifaddrs* each = all; each != nullptr; each = each->ifa_next) {
      if (each->ifa_addr == nullptr || each->ifa_addr->sa_family != AF_INET) continue;
      const auto host = reinterpret_cast<const sockaddr_in*>(each->ifa_addr)->sin_addr.s_addr;
      const bool is_loopback = ntohl(host) >> 24 == IN_LOOPBACKNET;
      if (is_loopback == loopback && count < addresses.hosts.size())
        addresses.hosts.at(count++) = host;
    }
  }
  freeifaddrs(all);
  return addresses;
}

int RankWatch::connect_to_one_of(const Addresses& addresses) {
  int error = EHOSTUNREACH;
  for (const in_addr_t host : addresses.hosts) {
    if (host == 0) break;
    const int made = new_socket();
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_addr.s_addr = host;
    to.sin_port = addresses.port;
    fcntl(made, F_SETFL, O_NONBLOCK);
    int result = ::connect(made, reinterpret_cast<const sockaddr*>(&to), sizeof to);
    error = result == 0 ? 0 : errno;
    if (error == EINPROGRESS) {
      pollfd waits{made, POLLOUT, 0};
      poll(&waits, 1, kConnectMs);
      socklen_t size = sizeof error;
      getsockopt(made, SOL_SOCKET, SO_ERROR, &error, &size);
      if ((waits.revents & POLLOUT) == 0) error = ETIMEDOUT;
    }
    if (error == 0) return made;
    ::close(made);
  }
  foundation::throw_errno("mpi", "a connection to rank 0", error);
}

void RankWatch::connect(const Addresses& addresses) {
  if (rank_ != 0) {
    const int made = connect_to_one_of(addresses);
    const auto number = static_cast<std::uint32_t>(rank_);
    if (write(made, &number, sizeof number) != sizeof number)
      foundation::throw_errno("mpi", "a connection to rank 0", errno);
    adopt(0, made);
    return;
  }
  for (std::size_t i = 1; i < peers_.size(); ++i) {
    const int made = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    std::uint32_t number = 0;
    if (made < 0 || recv(made, &number, sizeof number, MSG_WAITALL) != sizeof number ||
        number == 0 || number >= peers_.size())
      foundation::throw_errno("mpi", "a connection of another rank", errno);
    adopt(number, made);
  }
}

void RankWatch::adopt(unsigned rank, int socket) {
  const auto set = [&](int level, int option, int value) {
    setsockopt(socket, level, option, &value, sizeof value);
  };
  set(SOL_SOCKET, SO_KEEPALIVE, 1);
  set(IPPROTO_TCP, TCP_KEEPIDLE, kIdleSeconds);
  set(IPPROTO_TCP, TCP_KEEPINTVL, kProbeSeconds);
  set(IPPROTO_TCP, TCP_KEEPCNT, kProbes);
  fcntl(socket, F_SETFL, O_NONBLOCK);
  peers_[rank].socket = socket;
}

void RankWatch::nap(std::chrono::nanoseconds time) {
  std::vector<pollfd> waits;
  std::vector<unsigned> ranks;
  for (unsigned rank = 0; rank < peers_.size(); ++rank) {
    if (peers_[rank].socket < 0) continue;
    waits.push_back({peers_[rank].socket, POLLIN, 0});
    ranks.push_back(rank);
  }
  const timespec most{0, static_cast<long>(time.count())};
  if (ppoll(waits.data(), waits.size(), &most, nullptr) <= 0) return;
  for (std::size_t i = 0; i < waits.size(); ++i) {
    if (waits[i].revents == 0) continue;
    char byte = 0;
    const ssize_t got = recv(waits[i].fd, &byte, 1, 0);
    if (got == 1) ::close(std::exchange(peers_[ranks[i]].socket, -1));  // it ends in order
    if (got == 0) report_loss(ranks[i], 0);
    if (got < 0 && errno != EAGAIN && errno != EINTR) report_loss(ranks[i], errno);
  }
}

void RankWatch::report_loss(unsigned rank, int error) {
  is_broken_ = true;
  const Peer& peer = peers_[rank];
  const std::string cause =
      error == 0 || error == ECONNRESET
          ? "has ended without a message: it was killed or has crashed"
          : "cannot be reached any more: " + std::string(std::strerror(error));
  const std::string text = "rank " + std::to_string(rank) + " is lost" +
                           (peer.task.empty() ? "" : ", and with it " + peer.task) + ": " +
                           peer.place + " " + cause;
  // At once, since mpirun may soon kill this process, too.
  if (rank_ == 0) std::fprintf(stderr, "libtensix_vp: mpi: %s\n", text.c_str());
  throw foundation::HostError("mpi", text);
}

}  // namespace tvp::platform
