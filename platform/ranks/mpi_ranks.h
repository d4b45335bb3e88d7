#pragma once

#include <mpi.h>

#include <list>
#include <string>
#include <vector>

#include "platform/ranks/rank_watch.h"
#include "platform/ranks/ranks.h"

namespace tvp::platform {

/// The ranks of an MPI job. No other class includes mpi.h.
class MpiRanks : public Ranks {
 public:
  MpiRanks();
  MpiRanks(const MpiRanks&) = delete;
  MpiRanks& operator=(const MpiRanks&) = delete;

  unsigned rank() const override { return rank_; }
  unsigned size() const override { return size_; }
  void set_task(unsigned rank, const std::string& task) override { watch_->set_task(rank, task); }
  void send(unsigned to, const Message& message) override;
  Message receive(unsigned from) override;
  bool is_broken() const override { return watch_->is_broken(); }
  std::uint64_t sent_messages() const override { return sent_messages_; }
  std::uint64_t sent_bytes() const override { return sent_bytes_; }
  double waited_s() const override { return waited_s_; }
  double waited_cpu_s() const override { return waited_cpu_s_; }
  void close() override;

 private:
  /// A message on its way, which keeps its bytes until MPI has taken them.
  struct Sent {
    std::vector<std::uint8_t> bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  void forget_sent();

  unsigned rank_ = 0;
  unsigned size_ = 0;
  std::unique_ptr<RankWatch> watch_;
  std::list<Sent> sent_;
  std::uint64_t sent_messages_ = 0;
  std::uint64_t sent_bytes_ = 0;
  double waited_s_ = 0;
  double waited_cpu_s_ = 0;
  bool is_crowded_ = false;  ///< more ranks than cores on this host, so waiting must not spin
};

}  // namespace tvp::platform
