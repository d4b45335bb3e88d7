#pragma once
// A semaphore of the tile as an object. Each method is the function of the same meaning.

#include <stdint.h>

#include "dataflow/noc_object.h"

namespace tvp {

template <ProgrammableCoreType core_type>
class SemaphoreObject {
 public:
  explicit SemaphoreObject(uint32_t semaphore_id)
      : local_l1_addr_(get_semaphore<core_type>(semaphore_id)) {}

  uint32_t get_address() const { return local_l1_addr_; }
  void set(uint32_t value) const { noc_semaphore_set(word(), value); }
  void wait(uint32_t value) const { noc_semaphore_wait(word(), value); }
  void wait_min(uint32_t value) const { noc_semaphore_wait_min(word(), value); }
  void up(uint32_t value) const { *word() = *word() + value; }
  /// Increments the semaphore of the tile at these coordinates.
  void up(const NocObject& noc, uint32_t noc_x, uint32_t noc_y, uint32_t value,
          uint8_t vc = NOC_UNICAST_WRITE_VC) const {
    const uint8_t id = noc.get_noc_id();
    noc_semaphore_inc(::get_noc_addr(noc_x, noc_y, local_l1_addr_, id), value, id, vc);
  }
  /// Waits for `value` and subtracts it.
  void down(uint32_t value) const {
    noc_semaphore_wait_min(word(), value);
    *word() = *word() - value;
  }
  /// Copies the value to another semaphore of the rectangle, after earlier data on the same path.
  template <typename Other>
  void relay_unicast(const NocObject& noc, const Other& to, uint32_t noc_x, uint32_t noc_y) const {
    const uint8_t id = noc.get_noc_id();
    noc_semaphore_set_remote(local_l1_addr_, ::get_noc_addr(noc_x, noc_y, to.get_address(), id),
                             id);
  }
  void inc_multicast(const NocObject& noc, uint32_t noc_x_start, uint32_t noc_y_start,
                     uint32_t noc_x_end, uint32_t noc_y_end, uint32_t value,
                     uint32_t num_dests) const {
    noc_semaphore_inc_multicast(rectangle(noc, noc_x_start, noc_y_start, noc_x_end, noc_y_end),
                                value, num_dests, noc.get_noc_id());
  }

 protected:
  volatile uint32_t* word() const { return reinterpret_cast<volatile uint32_t*>(local_l1_addr_); }
  uint64_t rectangle(const NocObject& noc, uint32_t x_start, uint32_t y_start, uint32_t x_end,
                     uint32_t y_end) const {
    return ::get_noc_multicast_addr(x_start, y_start, x_end, y_end, local_l1_addr_,
                                    noc.get_noc_id());
  }
  void set_others(const NocObject& noc, uint64_t to, uint32_t num_dests, bool include_source,
                  bool linked) const {
    if (include_source) {
      noc_semaphore_set_multicast_loopback_src(local_l1_addr_, to, num_dests, linked,
                                               noc.get_noc_id());
    } else {
      noc_semaphore_set_multicast(local_l1_addr_, to, num_dests, linked, noc.get_noc_id());
    }
  }

  uint32_t local_l1_addr_;
};

}  // namespace tvp
