#include "sw/metalium/machine.h"

#include <string>

#include "foundation/source_root.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/open_library.h"

namespace tvp::metalium {

std::shared_ptr<Machine> Machine::get() {
  static std::weak_ptr<Machine> open;
  std::shared_ptr<Machine> machine = open.lock();
  if (machine == nullptr) {
    machine = std::make_shared<Machine>();
    open = machine;
  }
  return machine;
}

Machine::Machine() : library_(runtime::open_library()) {
  library_->configure("system=n150");
  mesh_ = std::make_unique<runtime::MeshDevice>(*library_, runtime::MeshDevice::Options{});
}

unsigned Machine::device_number(int id) const {
  const unsigned devices = mesh_->num_devices();
  if (id < 0 || static_cast<unsigned>(id) >= devices)
    runtime::bad_use("device " + std::to_string(id),
                     "the system has " + std::to_string(devices) + " (" +
                         foundation::program_name() + " exec --system NAME chooses another, " +
                         foundation::program_name() + " list names them)");
  return static_cast<unsigned>(id);
}

runtime::MeshCoordinate Machine::coordinate(unsigned device) const {
  const std::uint32_t columns = mesh_->shape().columns;
  return {device / columns, device % columns};
}

}  // namespace tvp::metalium
