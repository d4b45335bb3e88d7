#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "foundation/settings.h"
#include "sw/runtime/mesh/mesh_device.h"
#include "sw/workloads/workload.h"

namespace tvp::workloads::microbenchmarks {

/// The key that selects the number of sending cores of a chip.
class FabricSendersKey : public foundation::Choice {
 public:
  explicit FabricSendersKey(foundation::SettingGroup& group);
};

/// Streams of packets into the fabric's routers, as in tt-metal's benchmark of routers. One core of
/// each chip sends all streams that begin there, a packet of each in turn, or one core sends those
/// of each direction. The cores are those of that benchmark: the last ones of a chip send, and four
/// streams each arrive at a core of its first column.
class FabricStreams {
 public:
  enum class Send { kWrite, kFused, kScatter };
  /// The sending cores of a chip. tt-metal's benchmark has one for each direction since March 2026.
  enum class Senders { kOne, kEachWay };
  struct Stream {
    unsigned from;
    unsigned way;                      ///< streams of a chip in one direction share a connection
    std::vector<std::uint32_t> route;  ///< FabricLineRoute or FabricMeshRoute
    std::vector<unsigned> reached;     ///< chips that get its packets
    /// Arguments of the core's connection; `semaphores` is the first of its three semaphores.
    std::function<std::vector<std::uint32_t>(std::uint32_t semaphores)> connection;
  };

  /// `defines` are for kernels, which send packets of a line by default.
  FabricStreams(runtime::MeshDevice& mesh, std::uint32_t router_status, Send send, Senders senders,
                std::uint32_t packets, std::map<std::string, std::string> defines = {});
  void add(Stream stream) { streams_.push_back(std::move(stream)); }
  bool empty() const { return streams_.empty(); }
  static Send send(const std::string& name);
  static Senders senders(const std::string& name);
  /// tt-metal's first routing plane: the link between neighbors whose ethernet tiles are leftmost,
  /// as between devices 0 and 1.
  static unsigned first_plane(runtime::MeshDevice& mesh);

  /// Cycles of the slowest core for its packets, measured after all slots on the way are full.
  /// `result` fails if the packets do not arrive.
  std::uint32_t longest(std::uint32_t bytes, std::uint64_t seed, Result& result) const;

 private:
  struct Memory;
  /// A sending core and its streams, as indexes of `streams_`.
  struct Sender {
    runtime::CoreCoord core;
    std::vector<unsigned> ways{};  ///< directions of its connections
    std::vector<std::uint32_t> streams{};
  };
  std::vector<Sender> senders_of(unsigned device) const;
  runtime::CoreCoord core(std::size_t sender) const;
  void add_kernel(const Sender& sender, const Memory& memory, std::uint32_t bytes,
                  runtime::Program& program) const;
  void check(const Memory& memory, std::uint32_t bytes,
             const std::vector<std::vector<std::uint8_t>>& content, Result& result) const;

  runtime::MeshDevice& mesh_;
  std::uint32_t router_status_;
  Send send_;
  Senders senders_;
  std::uint32_t packets_;  ///< packets of each stream, timed
  std::map<std::string, std::string> defines_;
  std::vector<Stream> streams_;
};

}  // namespace tvp::workloads::microbenchmarks
