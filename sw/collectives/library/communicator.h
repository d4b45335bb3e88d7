#pragma once
// Collectives as calls of a host program, on memories of devices. ccl.h has them under ttnn's
// names.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sw/collectives/library/call.h"
#include "sw/collectives/library/device_memory.h"
#include "sw/runtime/metal_classes.h"

namespace tvp::runtime {
class DeviceLibrary;
class PimSystem;
}  // namespace tvp::runtime

namespace tvp::collectives {

class Chooser;
class DeviceSide;

/// All devices of a mesh of chips, or all units of a PIM system, as the ranks of collectives: rank
/// r is device or unit r. Firmware executes them. Input and output have one size on all ranks: N
/// shares where the table of sw/collectives/schedule/schedule.h has N shares. Output that a
/// primitive does not define, for example on ranks other than the root, is undefined.
///
/// Calls throw Fault(kDescription) before anything runs, with the operation and the expected value.
/// Reasons are sizes that do not match, memories of another machine, and an unknown type or
/// operation.
class Communicator {
 public:
  struct Options {
    unsigned workers = 0;  ///< cores of a chip, and links of an edge, that are used; 0: all links
    /// Bytes of L1 that each of these cores gives to the library until the end. More bytes make
    /// long messages faster.
    std::uint32_t l1_bytes = 512 * 1024;
    /// File of measured costs and of the tuner's tables; empty for the system's file in the cache.
    std::string tuning_file = {};
  };
  explicit Communicator(runtime::MeshDevice& mesh) : Communicator(mesh, Options()) {}
  Communicator(runtime::MeshDevice& mesh, const Options& options);
  Communicator(runtime::PimSystem& system, runtime::DeviceLibrary& library)
      : Communicator(system, library, Options()) {}
  Communicator(runtime::PimSystem& system, runtime::DeviceLibrary& library, const Options& options);
  /// Stops the routers on the ethernet cores. After a call that hangs it leaves them running.
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  /// Divides the ranks into groups, as MPI_Comm_split and ncclCommSplit do. `colors` has the color
  /// of each rank. Ranks of one color are the ranks of a communicator, in their order. The result
  /// has one for each color, the smallest color first.
  ///
  /// Groups may run different collectives at the same time. Calls that do not block
  /// (CallOptions::blocking) start together when one of them is waited for. On chips a group is a
  /// rectangle of a mesh that a shared pointer holds, and its memories are buffers of mesh(). On
  /// PIM systems a group has any units.
  ///
  /// This communicator refuses calls as long as one of the groups exists.
  std::vector<std::unique_ptr<Communicator>> split(const std::vector<std::uint32_t>& colors);
  /// The part of the mesh that a group of chips has; null for other communicators.
  std::shared_ptr<runtime::MeshDevice> mesh() const;

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
  /// Copies the input of `from` to the output of `to`.
  Call send_recv(const DeviceMemory& input, const DeviceMemory& output, DataType type,
                 std::uint32_t from, std::uint32_t to, const CallOptions& options = {});

  /// Measures the costs by which the library chooses between algorithms, unless the file has them.
  /// Without this call the first collective that needs them measures them, which takes simulated
  /// time before it.
  void calibrate(DataType type = DataType::kFloat32);
  /// The file with the measurements.
  std::string tuning_file() const;

 private:
  struct What;
  Communicator(std::unique_ptr<DeviceSide> side, const Options& options,
               std::shared_ptr<const bool> lease);
  void require_no_groups(const std::string& what);
  void make_chooser(const Options& options);
  Call call(const What& what, const DeviceMemory& input, const DeviceMemory& output,
            const CallOptions& options);

  std::unique_ptr<DeviceSide> side_;
  std::unique_ptr<Chooser> chooser_;
  const Options options_;
  std::weak_ptr<const bool> groups_;   ///< alive as long as a group
  bool split_ = false;                 ///< the side waits for resume()
  std::shared_ptr<const bool> lease_;  ///< a group holds it
  bool hung_ = false;
};

}  // namespace tvp::collectives
