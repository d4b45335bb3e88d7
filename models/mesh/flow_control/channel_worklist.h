#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace tvp::mesh {

/// Channels to examine again, each once.
class ChannelWorklist {
 public:
  explicit ChannelWorklist(std::size_t channels) : waits_(channels, false) {}
  void push(unsigned channel) {
    if (waits_[channel]) return;
    waits_[channel] = true;
    queue_.push_back(channel);
  }
  /// Calls `visit(channel)`, which may push more channels, until the list is empty. Returns all
  /// visited channels.
  template <typename Visit>
  std::vector<unsigned> run(const Visit& visit) {
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      const unsigned channel = queue_[i];
      waits_[channel] = false;
      visit(channel);
    }
    return std::exchange(queue_, {});
  }

 private:
  std::vector<bool> waits_;
  std::vector<unsigned> queue_;
};

}  // namespace tvp::mesh
