#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "models/support/signal.h"

namespace tvp::rtl {

/// Pins and registers of a verilated module as rows of a wave file. A value is that at the end of a
/// cycle in which the module's clock ran. While the clock is stopped (`clocked` is low), no value
/// changes.
class PinWaves {
 public:
  struct Row {
    std::string name;
    unsigned width = 1;
  };
  using Attach = std::function<void(support::Signal& signal, const Row& row)>;
  using AttachLevel = std::function<void(support::LevelSignal& signal, const Row& row)>;

  void add(Row row, std::function<std::uint64_t()> read) {
    rows_.push_back({std::move(row), std::move(read), std::make_unique<support::Signal>(), 0});
  }
  template <typename Value>
  void add_pin(const Row& row, const sc_core::sc_signal<Value>& pin) {
    add(row, [&pin] { return static_cast<std::uint64_t>(pin.read()); });
  }

  void watch(const Attach& attach, const AttachLevel& attach_level) {
    attach_level(clocked_, {"clocked"});
    for (Entry& entry : rows_) attach(*entry.signal, entry.row);
  }

  /// Shows the pins at the end of `cycle`, in which the clock ran.
  void show(support::Cycle cycle) {
    clocked_.occupy(cycle, cycle + 1);
    for (Entry& entry : rows_) {
      if (!entry.signal->on()) continue;
      const std::uint64_t value = entry.read();
      if (value == entry.shown) continue;
      entry.shown = value;
      entry.signal->set(cycle, value);
    }
  }

 private:
  struct Entry {
    Row row;
    std::function<std::uint64_t()> read;
    std::unique_ptr<support::Signal> signal;  ///< a sink keeps its address
    std::uint64_t shown;
  };
  std::vector<Entry> rows_;
  support::LevelSignal clocked_;
};

}  // namespace tvp::rtl
