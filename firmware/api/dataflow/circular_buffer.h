#pragma once
// A circular buffer as an object; each method is the function of the same meaning. Remote buffers
// and implicit synchronization are not here.

#include <stdint.h>

#if defined(COMPILE_FOR_TRISC)
#include "api/compute/cb_api.h"
#else
#include "dataflow/circular_buffers.h"
#endif

class CircularBuffer {
 public:
  constexpr explicit CircularBuffer(uint32_t id) : id_(id) {}

  uint32_t get_cb_id() const { return id_; }
  void reserve_back(uint32_t tiles) const { cb_reserve_back(id_, tiles); }
  void push_back(uint32_t tiles) const { cb_push_back(id_, tiles); }
  void wait_front(uint32_t tiles) const { cb_wait_front(id_, tiles); }
  void pop_front(uint32_t tiles) const { cb_pop_front(id_, tiles); }
#if !defined(COMPILE_FOR_TRISC)
  uint32_t get_write_ptr() const { return ::get_write_ptr(id_); }
  uint32_t get_read_ptr() const { return ::get_read_ptr(id_); }
  uint32_t get_tile_size() const { return ::get_tile_size(id_); }
#endif

 private:
  uint32_t id_;
};
