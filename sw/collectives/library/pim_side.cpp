#include "sw/collectives/library/pim_side.h"

#include <algorithm>
#include <utility>

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

struct PimSide::Job {
  PimSide* side;
  std::shared_ptr<CollectiveExecutor::Task> task;
  std::shared_ptr<CallRecord> record;
  Lent input;
  Lent output;
};

PimSide::~PimSide() {
  if (pending_)
    std::erase_if(pending_->jobs, [this](const auto& job) { return job->side == this; });
}

std::string PimSide::system_key() const {
  std::string key = Chooser::system_key(library_, 1);
  for (const unsigned unit : group_) key += "-" + std::to_string(unit);
  return key;
}

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
  start_pending();
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
  if (pending_ &&
      std::ranges::any_of(pending_->jobs, [this](const auto& job) { return job->side == this; }))
    start_pending();
  executor_.place(*task, {.at = {in.address, out.address, end}});
  executor_.write(*task);
  for (const unsigned unit : executor_.units_of(*task)) {
    if (in.staged) {
      system_.own_by_host(unit);
      system_.write_bank(
          unit, in.address,
          spread(system_.read_bank(unit, from.address, from.bytes), input, in.stride, in.bytes));
    }
    system_.own_by_processor(unit);
  }
  auto job = std::make_shared<Job>(Job{this, std::move(task), std::move(record), in, out});
  if (!pending_) {
    run({job});
    return [] {};
  }
  pending_->jobs.push_back(job);
  return [this] { start_pending(); };
}

void PimSide::start_pending() {
  if (pending_ && !pending_->jobs.empty()) run(std::exchange(pending_->jobs, {}));
}

void PimSide::run(std::vector<std::shared_ptr<Job>> jobs) {
  if (jobs.size() == 1) {
    jobs.front()->side->executor_.execute_written(*jobs.front()->task);
  } else {
    std::vector<unsigned> units;
    for (const auto& job : jobs) {
      const std::vector<unsigned> more = job->side->executor_.units_of(*job->task);
      units.insert(units.end(), more.begin(), more.end());
    }
    try {
      jobs.front()->side->system_.run(units);
    } catch (const runtime::HangError& hang) {
      std::string text = hang.what();
      for (const auto& job : jobs)
        text += "\n" + job->task->schedule.name +
                " stands still:" + job->side->executor_.where_ranks_stand(*job->task);
      throw runtime::HangError(text);
    }
  }
  for (const auto& job : jobs) job->side->finish(*job);
}

void PimSide::finish(const Job& job) {
  const Lent& out = job.output;
  for (const unsigned unit : executor_.units_of(*job.task)) {
    if (!out.staged) break;
    system_.own_by_host(unit);
    system_.write_bank(
        unit, range_of(out.parts.memory).address,
        gathered(system_.read_bank(unit, out.address, out.bytes), out.parts, out.stride));
  }
  complete(*job.record, executor_.outcome(*job.task));
}

std::vector<std::unique_ptr<DeviceSide>> PimSide::split(
    const std::vector<std::vector<std::uint32_t>>& groups) {
  const auto pending = std::make_shared<Pending>();
  std::vector<std::unique_ptr<DeviceSide>> made;
  for (const std::vector<std::uint32_t>& group : groups) {
    std::vector<unsigned> units;
    for (const std::uint32_t rank : group) units.push_back(executor_.unit(rank));
    made.push_back(
        std::unique_ptr<PimSide>(new PimSide(system_, library_, pending, std::move(units))));
  }
  return made;
}

}  // namespace tvp::collectives
