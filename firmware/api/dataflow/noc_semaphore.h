#pragma once

#include "dataflow/noc.h"
#include "dataflow/noc_semaphore_object.h"

template <ProgrammableCoreType core_type = ProgrammableCoreType::TENSIX>
class Semaphore : public tvp::SemaphoreObject<core_type> {
 public:
  using tvp::SemaphoreObject<core_type>::SemaphoreObject;

  /// Copies the value to the semaphores of the same number in the rectangle.
  template <NocOptions options = NocOptions::DEFAULT>
  void set_multicast(const Noc& noc, uint32_t noc_x_start, uint32_t noc_y_start, uint32_t noc_x_end,
                     uint32_t noc_y_end, uint32_t num_dests, bool linked = false) const {
    this->set_others(noc, this->rectangle(noc, noc_x_start, noc_y_start, noc_x_end, noc_y_end),
                     num_dests, has_flag(options, NocOptions::MCAST_INCL_SRC), linked);
  }
  /// Copies the value to the semaphores of another number in the rectangle.
  template <NocOptions options = NocOptions::DEFAULT, typename Other>
  void relay_multicast(const Noc& noc, const Other& to, uint32_t noc_x_start, uint32_t noc_y_start,
                       uint32_t noc_x_end, uint32_t noc_y_end, uint32_t num_dests,
                       bool linked = false) const {
    const uint64_t there = ::get_noc_multicast_addr(noc_x_start, noc_y_start, noc_x_end, noc_y_end,
                                                    to.get_address(), noc.get_noc_id());
    this->set_others(noc, there, num_dests, has_flag(options, NocOptions::MCAST_INCL_SRC), linked);
  }
  template <Noc::McastMode mode>
  void set_multicast(const Noc& noc, uint32_t noc_x_start, uint32_t noc_y_start, uint32_t noc_x_end,
                     uint32_t noc_y_end, uint32_t num_dests, bool linked = false) const {
    this->set_others(noc, this->rectangle(noc, noc_x_start, noc_y_start, noc_x_end, noc_y_end),
                     num_dests, mode == Noc::McastMode::INCLUDE_SRC, linked);
  }
};
Semaphore(uint32_t)->Semaphore<>;
