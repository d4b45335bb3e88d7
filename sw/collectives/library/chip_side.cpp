#include "sw/collectives/library/chip_side.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "sw/collectives/library/chooser.h"
#include "sw/runtime/distributed.h"
#include "sw/runtime/errors.h"

namespace tvp::collectives {

namespace binary = contract::collectives;

namespace {

const std::shared_ptr<runtime::MeshBuffer>& buffer_of(const DeviceMemory& memory) {
  return std::get<std::shared_ptr<runtime::MeshBuffer>>(memory);
}

/// Pages that the interpreter's moves can find.
bool simple_pages(const runtime::MeshBuffer& buffer) {
  return buffer.buffer_type() == runtime::BufferType::DRAM && !buffer.sharded() &&
         buffer.page_size() == buffer.aligned_page_size() &&
         std::has_single_bit(buffer.page_size());
}

}  // namespace

struct ChipSide::Job {
  ChipSide* side = nullptr;
  std::vector<runtime::Program> programs;  ///< programs of a job of a group
  std::shared_ptr<CollectiveExecutor::Task> task;
  std::shared_ptr<CallRecord> record;
  Lent input;
  Lent output;
  Buffer scratch;
};

ChipSide::ChipSide(runtime::MeshDevice& mesh, unsigned workers, std::uint32_t l1_bytes)
    : mesh_(mesh), executor_(mesh, {.workers = workers}), workers_(workers), l1_bytes_(l1_bytes) {
  executor_.reserve(l1_bytes);
}

ChipSide::ChipSide(std::shared_ptr<runtime::MeshDevice> part, std::shared_ptr<Pending> pending,
                   unsigned workers, std::uint32_t l1_bytes)
    : ChipSide(*part, workers, l1_bytes) {
  part_ = std::move(part);
  pending_ = std::move(pending);
}

ChipSide::~ChipSide() {
  if (pending_)
    std::erase_if(pending_->jobs, [this](const auto& job) { return job->side == this; });
}

std::string ChipSide::system_key() const {
  return Chooser::system_key(mesh_.library(), executor_.workers());
}

std::uint64_t ChipSide::size_of(const std::string& what, const DeviceMemory& memory) const {
  if (!std::holds_alternative<std::shared_ptr<runtime::MeshBuffer>>(memory))
    runtime::bad_use(what, "is a part of banks: expected a buffer of the mesh of chips");
  const Buffer& buffer = buffer_of(memory);
  if (!buffer) runtime::bad_use(what, "is null: expected a buffer of the mesh");
  if (buffer->device() != &mesh_)
    runtime::bad_use(what, "is a buffer of another mesh of devices: expected one of this mesh");
  return buffer->size();
}

ChipSide::Buffer ChipSide::make(std::uint64_t bytes) {
  const std::uint64_t pages =
      std::max<std::uint64_t>(1, (bytes + binary::kPageBytes - 1) / binary::kPageBytes);
  return runtime::MeshBuffer::create(
      mesh_, runtime::InterleavedBufferConfig{.size = pages * binary::kPageBytes,
                                              .page_size = binary::kPageBytes});
}

ChipSide::Lent ChipSide::lend(const Parts& parts, std::uint64_t chunk_bytes, std::uint32_t chunks,
                              bool copy) {
  const Buffer& own = buffer_of(parts.memory);
  Lent lent{.parts = parts, .buffer = own};
  lent.stride = chunk_bytes * chunks / parts.parts;
  if (!copy && simple_pages(*own) && chunk_bytes * chunks == parts.bytes()) return lent;
  lent.buffer = make(chunk_bytes * chunks);
  lent.staged = true;
  return lent;
}

void ChipSide::load(const Job& job) {
  for (std::uint32_t rank = 0; rank < job.task->schedule.size(); ++rank) {
    if (!job.input.staged) continue;
    const Lent& in = job.input;
    in.buffer->write(executor_.number_of(rank),
                     spread(buffer_of(in.parts.memory)->read(executor_.number_of(rank)), in.parts,
                            in.stride, in.buffer->size()));
  }
  executor_.write(*job.task);
}

void ChipSide::finish(Job& job) {
  const Lent& out = job.output;
  for (std::uint32_t rank = 0; rank < job.task->schedule.size() && out.staged; ++rank)
    buffer_of(out.parts.memory)
        ->write(executor_.number_of(rank),
                gathered(out.buffer->read(executor_.number_of(rank)), out.parts, out.stride));
  complete(*job.record, executor_.outcome(*job.task));
  job.input.buffer.reset();
  job.output.buffer.reset();
  job.scratch.reset();
}

void ChipSide::finish_queues() {
  for (std::uint32_t id = 0; id < runtime::MeshDevice::kCommandQueues; ++id)
    mesh_.mesh_command_queue(id).finish();
}

void ChipSide::quietly(const std::function<void()>& run) {
  start_pending();
  finish_queues();
  run();
}

/// Calls share the memory of the workers. One must end before the next is loaded, in any queues.
void ChipSide::order(runtime::MeshCommandQueue& queue) {
  if (last_ && last_queue_ != &queue) queue.enqueue_wait_for_event(*last_);
  last_queue_ = &queue;
}

std::function<void()> ChipSide::submit(std::shared_ptr<CollectiveExecutor::Task> task,
                                       const Parts& input, const Parts& output,
                                       const CallOptions& options,
                                       std::shared_ptr<CallRecord> record) {
  runtime::MeshCommandQueue& queue =
      options.queue != nullptr ? *options.queue : mesh_.mesh_command_queue(0);
  if (queue.device() != &mesh_)
    runtime::bad_use("collective",
                     "the queue belongs to another mesh of devices: expected one of this mesh");
  const Schedule& schedule = task->schedule;
  auto job = std::make_shared<Job>();
  job->task = task;
  job->record = record;
  const bool in_place = buffer_of(input.memory) == buffer_of(output.memory);
  job->input = lend(input, task->chunk_bytes, schedule.input_chunks(), in_place);
  job->output = lend(output, task->chunk_bytes, schedule.output_chunks(), false);
  job->scratch = make(task->scratch_bytes);
  record->staged = job->input.staged || job->output.staged;
  if (pending_ &&
      std::ranges::any_of(pending_->jobs, [this](const auto& one) { return one->side == this; }))
    start_pending();
  if (executor_.changes_routers(*task)) {
    finish_queues();
    executor_.use_routers_for(*task);
  }
  CollectiveExecutor::Memories memories;
  const Buffer buffers[] = {job->input.buffer, job->output.buffer, job->scratch};
  for (std::size_t m = 0; m < memories.at.size(); ++m) {
    memories.at[m] = buffers[m]->address();
    memories.page_shift[m] = static_cast<std::uint32_t>(std::countr_zero(buffers[m]->page_size()));
  }
  executor_.place(*task, memories);
  runtime::MeshWorkload workload;
  std::vector<runtime::Program> programs = executor_.programs(*task, memories);
  if (pending_) return submit_to_group(job, options, std::move(programs));
  for (std::uint32_t rank = 0; rank < schedule.size(); ++rank) {
    const std::uint32_t columns = mesh_.shape().columns;
    workload.add_program(
        runtime::MeshCoordinateRange(runtime::MeshCoordinate{rank / columns, rank % columns}),
        std::move(programs[rank]));
  }
  order(queue);
  queue.enqueue_host_function([this, job] { load(*job); }, false);
  queue.enqueue_mesh_workload(workload, false);
  queue.enqueue_host_function([this, job] { finish(*job); }, false);
  last_ = queue.enqueue_record_event();
  return [this, job, &queue] {
    try {
      mesh_.wait_until([&] { return job->record->over; }, "a collective");
    } catch (const runtime::HangError& hang) {
      throw runtime::HangError(std::string(hang.what()) + "\n" + job->task->schedule.name +
                               " stands still:" + executor_.where_ranks_stand(*job->task));
    }
  };
}

std::function<void()> ChipSide::submit_to_group(std::shared_ptr<Job> job,
                                                const CallOptions& options,
                                                std::vector<runtime::Program> programs) {
  if (options.queue != nullptr)
    runtime::bad_use("collective", "a group of chips uses no command queue: expected none");
  job->side = this;
  job->programs = std::move(programs);
  pending_->jobs.push_back(std::move(job));
  return [this] { start_pending(); };
}

/// Queues would run one job after the other, because the host's functions in them wait until all
/// devices are idle.
void ChipSide::start_pending() {
  if (!pending_) return;
  const std::vector<std::shared_ptr<Job>> jobs = std::exchange(pending_->jobs, {});
  for (const auto& job : jobs) job->side->load(*job);
  for (const auto& job : jobs) job->side->mesh_.enqueue_all(job->programs);
  try {
    for (const auto& job : jobs) job->side->mesh_.finish_workers();
  } catch (const runtime::HangError& hang) {
    std::string text = hang.what();
    for (const auto& job : jobs)
      text += "\n" + job->task->schedule.name +
              " stands still:" + job->side->executor_.where_ranks_stand(*job->task);
    throw runtime::HangError(text);
  }
  for (const auto& job : jobs) job->side->finish(*job);
}

void ChipSide::close() {
  start_pending();
  finish_queues();
  executor_.finish();
}

std::vector<std::unique_ptr<DeviceSide>> ChipSide::split(
    const std::vector<std::vector<std::uint32_t>>& groups) {
  std::vector<std::shared_ptr<runtime::MeshDevice>> parts;
  for (const std::vector<std::uint32_t>& group : groups) parts.push_back(rectangle_of(group));
  // Groups need the routers of their links, and the memory of the workers.
  close();
  executor_.free_reserved();
  const auto pending = std::make_shared<Pending>();
  std::vector<std::unique_ptr<DeviceSide>> made;
  for (auto& part : parts)
    made.push_back(
        std::unique_ptr<ChipSide>(new ChipSide(std::move(part), pending, workers_, l1_bytes_)));
  return made;
}

std::shared_ptr<runtime::MeshDevice> ChipSide::rectangle_of(
    const std::vector<std::uint32_t>& group) {
  const std::uint32_t columns = mesh_.shape().columns;
  const runtime::MeshCoordinate first{group.front() / columns, group.front() % columns};
  const runtime::MeshCoordinate last{group.back() / columns, group.back() % columns};
  std::vector<std::uint32_t> inside;
  for (std::uint32_t row = first.row; row <= last.row; ++row)
    for (std::uint32_t column = first.column; column <= last.column; ++column)
      inside.push_back(row * columns + column);
  if (inside != group) {
    std::string ranks;
    for (const std::uint32_t rank : group)
      ranks += (ranks.empty() ? "" : ", ") + std::to_string(rank);
    runtime::bad_use("split", "ranks " + ranks + " of a " + executor_.topology() +
                                  " have one color: expected a rectangle of the mesh");
  }
  return mesh_.create_submesh({last.row - first.row + 1, last.column - first.column + 1}, first);
}

}  // namespace tvp::collectives
