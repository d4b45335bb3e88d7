#pragma once
// Collectives as calls of a host program, over memories of devices; ccl.h has them by ttnn's names.

#include <cstdint>
#include <memory>
#include <string>

#include "sw/collectives/library/call.h"
#include "sw/collectives/library/device_memory.h"

namespace tvp::runtime {
class DeviceLibrary;
class MeshDevice;
class PimSystem;
}  // namespace tvp::runtime

namespace tvp::collectives {

class Chooser;
class DeviceSide;

/// All devices of a mesh of chips, or all units of a PIM system, as the ranks of collectives: rank
/// r is device or unit r. Firmware executes them; input and output are memories of one size on all
/// ranks, N of them where the table of sw/collectives/schedule/schedule.h says N shares. What a
/// primitive does not name, as the output of others than the root, may end as it likes.
///
/// Calls throw Fault(kDescription) that names the operation and what was expected, before anything
/// runs: sizes that do not go together, memories of another machine, a type or operation that there
/// is none of.
class Communicator {
 public:
  struct Options {
    unsigned workers = 0;  ///< cores of a chip, and links of an edge, that are used; 0: all links
    /// Of L1 that each of these cores gives for good. More makes long messages faster.
    std::uint32_t l1_bytes = 512 * 1024;
    /// File of measured costs and tables of the tuner; empty: that of the system in the cache.
    std::string tuning_file = {};
  };
  explicit Communicator(runtime::MeshDevice& mesh) : Communicator(mesh, Options()) {}
  Communicator(runtime::MeshDevice& mesh, Options options);
  Communicator(runtime::PimSystem& system, runtime::DeviceLibrary& library)
      : Communicator(system, library, Options()) {}
  Communicator(runtime::PimSystem& system, runtime::DeviceLibrary& library, Options options);
  /// Ends what runs on the ethernet cores. After a call that hung it cannot, and leaves it.
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  std::uint32_t size() const;
  std::string topology() const;  ///< "mesh of 2 x 4"

  Call all_reduce(const DeviceMemory& input, const DeviceMemory& output, DataType type,
                  ReduceOp op = ReduceOp::kSum, const CallOptions& options = {});
  Call reduce_scatter(const DeviceMemory& input, const DeviceMemory& output, DataType type,
                      ReduceOp op = ReduceOp::kSum, const CallOptions& options = {});
  Call reduce(const DeviceMemory& input, const DeviceMemory& output, DataType type, ReduceOp op,
              std::uint32_t root, const CallOptions& options = {});
  Call all_gather(const DeviceMemory& input, const DeviceMemory& output, DataType type,
                  const CallOptions& options = {});
  Call all_to_all(const DeviceMemory& input, const DeviceMemory& output, DataType type,
                  const CallOptions& options = {});
  Call broadcast(const DeviceMemory& input, const DeviceMemory& output, DataType type,
                 std::uint32_t root, const CallOptions& options = {});
  Call gather(const DeviceMemory& input, const DeviceMemory& output, DataType type,
              std::uint32_t root, const CallOptions& options = {});
  Call scatter(const DeviceMemory& input, const DeviceMemory& output, DataType type,
               std::uint32_t root, const CallOptions& options = {});
  /// What `from` has as input, `to` has as output.
  Call send_recv(const DeviceMemory& input, const DeviceMemory& output, DataType type,
                 std::uint32_t from, std::uint32_t to, const CallOptions& options = {});

  /// Has the costs measured that the choice between algorithms is made by, unless the file has
  /// them. Without it the first call that needs them does so: that much simulated time lies before
  /// it.
  void calibrate(DataType type = DataType::kFloat32);
  /// File that holds what was measured.
  std::string tuning_file() const;

 private:
  struct What;
  void make_chooser(const Options& options);
  Call call(const What& what, const DeviceMemory& input, const DeviceMemory& output,
            const CallOptions& options);

  std::unique_ptr<DeviceSide> side_;
  std::unique_ptr<Chooser> chooser_;
  bool hung_ = false;
};

}  // namespace tvp::collectives
