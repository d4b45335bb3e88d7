#pragma once

#include "dataflow/noc_semaphore_object.h"
#include "experimental/noc.h"

namespace experimental {

template <ProgrammableCoreType core_type = ProgrammableCoreType::TENSIX>
class Semaphore : public tvp::SemaphoreObject<core_type> {
 public:
  using tvp::SemaphoreObject<core_type>::SemaphoreObject;

  /// Copies the value to the semaphores of the same number in the rectangle.
  template <Noc::McastMode mcast_mode = Noc::McastMode::EXCLUDE_SRC>
  void set_multicast(const Noc& noc, uint32_t noc_x_start, uint32_t noc_y_start, uint32_t noc_x_end,
                     uint32_t noc_y_end, uint32_t num_dests, bool linked = false) const {
    this->set_others(noc, this->rectangle(noc, noc_x_start, noc_y_start, noc_x_end, noc_y_end),
                     num_dests, mcast_mode == Noc::McastMode::INCLUDE_SRC, linked);
  }
};
Semaphore(uint32_t)->Semaphore<>;

}  // namespace experimental
