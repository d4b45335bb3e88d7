#pragma once

#include <arpa/inet.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace tvp::platform {

/// Notices that a process of the job has ended or its host cannot be reached. MPI itself does not
/// report it: a receiver waits forever.
///
/// Each rank has a TCP connection to rank 0 without any data. The kernel of a process that ends
/// closes it, and keep-alive packets find a host that does not answer.
class RankWatch {
 public:
  /// Where rank 0 listens.
  struct Addresses {
    std::uint16_t port = 0;
    std::array<in_addr_t, 8> hosts{};  ///< 0: no more
  };

  RankWatch(unsigned rank, unsigned size);
  ~RankWatch();
  RankWatch(const RankWatch&) = delete;
  RankWatch& operator=(const RankWatch&) = delete;

  /// Rank 0, before connect().
  Addresses listen();
  /// Connects to rank 0, or (rank 0) accepts all others.
  void connect(const Addresses& addresses);
  /// "process 12 on host", for texts.
  void set_place(unsigned rank, const std::string& place) { peers_[rank].place = place; }
  void set_task(unsigned rank, const std::string& task) { peers_[rank].task = task; }

  /// Sleeps for `time`. Throws HostError as soon as a rank is lost.
  void nap(std::chrono::nanoseconds time);
  bool is_broken() const { return is_broken_; }
  /// This rank ends in order.
  void stop();

 private:
  struct Peer {
    int socket = -1;
    std::string place;
    std::string task;
  };
  void adopt(unsigned rank, int socket);
  /// Rank 0's address from here.
  static int connect_to_one_of(const Addresses& addresses);
  [[noreturn]] void report_loss(unsigned rank, int error);

  const unsigned rank_;
  int listener_ = -1;
  std::vector<Peer> peers_;
  bool is_broken_ = false;
};

}  // namespace tvp::platform
