#include "sw/collectives/library/pim_side.h"

#include "sw/collectives/library/chooser.h"
#include "sw/runtime/devices/device_library.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/pim_system.h"

namespace tvp::collectives {

namespace {

constexpr std::uint64_t kAlignment = 8;  // of DMA
/// The part of a bank that measurements may use, from its beginning: input, output and scratch,
/// rounded up.
constexpr std::uint64_t kMeasuredBytes = 4 * Chooser::kMostMeasuredBytes;

const BankRange& range_of(const DeviceMemory& memory) { return std::get<BankRange>(memory); }

bool overlap(const BankRange& a, const BankRange& b) {
  return a.address < b.address + b.bytes && b.address < a.address + a.bytes;
}

}  // namespace

std::string PimSide::system_key() const { return Chooser::system_key(library_, 1); }

std::uint64_t PimSide::size_of(const std::string& what, const DeviceMemory& memory) const {
  if (!std::holds_alternative<BankRange>(memory))
    runtime::bad_use(what, "is a buffer of a mesh of chips: expected a part of banks");
  const BankRange& range = range_of(memory);
  if (range.bytes > system_.bank_bytes() || range.address > system_.bank_bytes() - range.bytes)
    runtime::bad_use(what, "is bytes " + std::to_string(range.address) + " to " +
                               std::to_string(range.address + range.bytes) +
                               " of banks that have " + std::to_string(system_.bank_bytes()));
  return range.bytes;
}

void PimSide::quietly(const std::function<void()>& run) {
  const std::uint64_t bytes = std::min(kMeasuredBytes, system_.bank_bytes());
  std::vector<std::vector<std::uint8_t>> before;
  for (unsigned unit = 0; unit < system_.units(); ++unit) {
    system_.own_by_host(unit);
    before.push_back(system_.read_bank(unit, 0, bytes));
  }
  run();
  for (unsigned unit = 0; unit < system_.units(); ++unit) {
    system_.own_by_host(unit);
    system_.write_bank(unit, 0, before[unit]);
  }
}

PimSide::Lent PimSide::lend(const Parts& parts, std::uint64_t chunk_bytes, std::uint32_t chunks,
                            bool copy, std::uint64_t& end) const {
  const BankRange& own = range_of(parts.memory);
  Lent lent{.parts = parts, .address = own.address};
  lent.bytes = chunk_bytes * chunks;
  lent.stride = lent.bytes / parts.parts;
  if (!copy && own.address % kAlignment == 0 && lent.bytes == parts.bytes()) return lent;
  if (lent.bytes > end)
    runtime::bad_use("collective", "the copy of a vector needs " + std::to_string(lent.bytes) +
                                       " bytes of a bank, " + std::to_string(end) + " are left");
  end = (end - lent.bytes) / kAlignment * kAlignment;
  lent.address = end;
  lent.staged = true;
  return lent;
}

std::function<void()> PimSide::submit(std::shared_ptr<CollectiveExecutor::Task> task,
                                      const Parts& input, const Parts& output,
                                      const CallOptions& options,
                                      std::shared_ptr<CallRecord> record) {
  if (options.queue != nullptr)
    runtime::bad_use("collective", "a PIM system has no command queues: expected none");
  const Schedule& schedule = task->schedule;
  const BankRange& from = range_of(input.memory);
  const BankRange& to = range_of(output.memory);
  std::uint64_t end = system_.bank_bytes();
  const Lent in = lend(input, task->chunk_bytes, schedule.input_chunks(), overlap(from, to), end);
  const Lent out = lend(output, task->chunk_bytes, schedule.output_chunks(), false, end);
  if (task->scratch_bytes > end)
    runtime::bad_use("collective", "scratch memory needs " + std::to_string(task->scratch_bytes) +
                                       " bytes of a bank, " + std::to_string(end) + " are left");
  end = (end - task->scratch_bytes) / kAlignment * kAlignment;
  const BankRange own{end, system_.bank_bytes() - end};
  for (const BankRange& each : {from, to})
    if (own.bytes != 0 && overlap(own, each))
      runtime::bad_use("collective",
                       "the library needs the last " + std::to_string(own.bytes) +
                           " bytes of the banks: expected a vector that ends before them");
  record->staged = in.staged || out.staged;
  executor_.place(*task, {.at = {in.address, out.address, end}});
  executor_.write(*task);
  for (std::uint32_t unit = 0; unit < schedule.size(); ++unit) {
    if (in.staged) {
      system_.own_by_host(unit);
      system_.write_bank(
          unit, in.address,
          spread(system_.read_bank(unit, from.address, from.bytes), input, in.stride, in.bytes));
    }
    system_.own_by_processor(unit);
  }
  executor_.execute_written(*task);
  for (std::uint32_t unit = 0; unit < schedule.size() && out.staged; ++unit) {
    system_.own_by_host(unit);
    system_.write_bank(
        unit, to.address,
        gathered(system_.read_bank(unit, out.address, out.bytes), output, out.stride));
  }
  complete(*record, executor_.outcome(*task));
  return [] {};
}

}  // namespace tvp::collectives
