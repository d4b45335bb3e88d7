#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/pim/network/network.h"
#include "models/switch/switch_tree.h"

namespace tvp::pim {

/// The partial result of a reduction from the packets of some participants.
struct PartialResult {
  std::vector<Packet> operands;  ///< in the order of their participants
  std::vector<std::uint8_t> bytes;
};

/// A switch that combines operands. The operands of its ports wait for those of other ports.
/// Participants of a reduction count their reductions alike, which identifies the partners.
/// Operands are combined in the order of the ports, independent of the order of arrival.
class StarCombiner {
 public:
  using Set = switching::SwitchTree::Set;
  struct Operand {
    unsigned port = 0;
    std::uint32_t parcel = 0;  ///< the caller's parcel
    std::uint64_t ready = 0;   ///< in ps: its first byte can leave
    std::uint64_t whole = 0;   ///< in ps: its last byte can leave
    std::shared_ptr<const PartialResult> what;
  };
  struct Combined {
    std::shared_ptr<const PartialResult> result;
    std::vector<std::uint32_t> parcels;
    std::uint64_t ready = 0;  ///< arrival of the last operand
    std::uint64_t whole = 0;
  };

  /// `below`: participants behind each port.
  explicit StarCombiner(std::vector<Set> below) : below_(std::move(below)) {}

  /// Returns the combination if this operand completes it. `from` has the participants of the
  /// reduction. Throws Fault(kFirmware) if it disagrees
  /// with the earlier operands.
  std::optional<Combined> add(const SwitchOrder& order, const Set& from, const Operand& operand);

  std::size_t waiting() const { return waiting_; }
  /// A line for each incomplete reduction, with the missing participants.
  std::vector<std::string> missing() const;

 private:
  struct Open {
    SwitchOrder order;
    Set from;                       ///< participants
    std::vector<Operand> operands;  ///< in the order of ports
    Set there;                      ///< participants whose operands have arrived
  };
  Set expected(const Set& from) const;
  static Combined combine(const Open& open);

  std::vector<Set> below_;
  std::vector<Open> open_;
  std::size_t waiting_ = 0;
};

}  // namespace tvp::pim
