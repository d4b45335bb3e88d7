#pragma once
// Types of the host's names for pipes and buffers over them (pipe::, dfb::).

#include <stdint.h>

/// A pipe that the host names for a kernel.
class PrefetcherPipeBindingToken {
 public:
  explicit constexpr PrefetcherPipeBindingToken(uint32_t number)
      : number_(static_cast<uint8_t>(number)) {}
  constexpr uint8_t prefetcher_pipe_id() const { return number_; }

 private:
  uint8_t number_;
};

/// A circular buffer over a receiver's ring, and the pipe of the ring. Compute kernels find it at
/// the pipe's position when they begin.
class RelayDFBBindingToken {
 public:
  static constexpr uint8_t NO_PREFETCHER_PIPE = 0xFF;

  explicit constexpr RelayDFBBindingToken(uint16_t id, uint8_t prefetcher_pipe = NO_PREFETCHER_PIPE)
      : id_(id), prefetcher_pipe_(prefetcher_pipe) {}
  constexpr operator uint32_t() const { return id_; }
  constexpr uint8_t prefetcher_pipe_id() const { return prefetcher_pipe_; }

 private:
  uint16_t id_;
  uint8_t prefetcher_pipe_;
};
