#pragma once

#include <memory>
#include <string_view>

#include "models/dram/timing.h"

namespace tvp::dram {

/// When an open row is closed again.
class PagePolicy {
 public:
  virtual ~PagePolicy() = default;
  /// Whether a column command closes its row by auto-precharge, given whether another request that
  /// the scheduler sees wants the row.
  virtual bool closes(bool row_wanted) const = 0;
  /// How long a row that nobody wants stays open after its last column command.
  virtual MemCycle idle_cycles() const { return kNeverMem; }
};

/// Rows stay open until another one of the bank is wanted.
class OpenPage : public PagePolicy {
 public:
  bool closes(bool) const override { return false; }
};

/// Rows close with the last request that wants them.
class ClosedPage : public PagePolicy {
 public:
  bool closes(bool row_wanted) const override { return !row_wanted; }
};

/// Rows close when nobody has wanted them for a while.
class TimeoutPage : public PagePolicy {
 public:
  explicit TimeoutPage(MemCycle idle) : idle_(idle) {}
  bool closes(bool) const override { return false; }
  MemCycle idle_cycles() const override { return idle_; }

 private:
  const MemCycle idle_;
};

/// "open", "closed" or "timeout".
std::unique_ptr<PagePolicy> make_page_policy(std::string_view name, MemCycle timeout);

}  // namespace tvp::dram
