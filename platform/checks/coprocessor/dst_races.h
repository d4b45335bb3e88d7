#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/checks/check.h"

namespace tvp::checks {

/// Reports rows of Dst that change while packers read them (one row a cycle, from the issue of the
/// instruction on), or that are used while an unpacker writes them. The model moves all rows at
/// once, so no result shows the race. Hardware makes packers wait for rows that the matrix unit
/// writes, so those are no race.
class DstRaces : public Check {
 public:
  using Check::Check;
  const char* name() const override { return "dst_races"; }
  const char* summary() const override {
    return "rows of Dst that are used while packers read or an unpacker writes them";
  }
  Probe::Kinds kinds() const override;
  void on(const ProbeEvent& event) override;

 private:
  static constexpr unsigned kBlocks = support::DstInterest::kBlocks;
  struct User {
    std::uint32_t instruction = 0;
    unsigned thread = 0;
    Cycle issued = 0;
    Cycle until = 0;
  };

  void read(const ProbeEvent& event);
  void written(const ProbeEvent& event);
  void read_block(unsigned row, const User& reader, const ProbeEvent& event,
                  support::DstInterest& interest);
  void write_block(unsigned row, const ProbeEvent& event);
  void look_at_reader(unsigned row, const ProbeEvent& event) const;
  void look_at_writer(unsigned row, const ProbeEvent& event) const;
  void report_race(unsigned row, const char* does, const std::string& meanwhile, const User& other,
                   const std::string& advice, const ProbeEvent& event) const;

  // Entries by block. They exist from the first event on, since most tiles of a run never use Dst.
  std::vector<User> readers_;
  std::vector<User> writers_;
  Cycle latest_write_ = 0;  ///< the latest `until` of writers_
};

}  // namespace tvp::checks
