#include "sw/runtime/mesh/shared_cluster.h"

#include "sw/runtime/open_library.h"

namespace tvp::runtime {
namespace {

struct Opened {
  Opened() : library(open_library()) {
    library->configure("system=n150");
    cluster = std::make_unique<Cluster>(*library, Cluster::Options{});
  }

  std::unique_ptr<DeviceLibrary> library;
  std::unique_ptr<Cluster> cluster;
};

}  // namespace

std::shared_ptr<Cluster> shared_cluster() {
  static std::weak_ptr<Opened> open;
  std::shared_ptr<Opened> opened = open.lock();
  if (opened == nullptr) {
    opened = std::make_shared<Opened>();
    open = opened;
  }
  return {opened, opened->cluster.get()};
}

}  // namespace tvp::runtime
