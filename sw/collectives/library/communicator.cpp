#include "sw/collectives/library/communicator.h"

#include <exception>
#include <map>
#include <utility>

#include "sw/collectives/library/chip_side.h"
#include "sw/collectives/library/chooser.h"
#include "sw/collectives/library/pim_side.h"
#include "sw/runtime/errors.h"

namespace tvp::collectives {

namespace {

std::string name_of(DataType type) {
  switch (type) {
    case DataType::kFloat32:
      return "fp32";
    case DataType::kBfloat16:
      return "bf16";
    case DataType::kInt32:
      return "int32";
  }
  runtime::bad_use("collective", "type " + std::to_string(static_cast<unsigned>(type)) +
                                     ": expected kFloat32, kBfloat16 or kInt32");
}

std::string name_of(ReduceOp op) {
  switch (op) {
    case ReduceOp::kSum:
      return "sum";
    case ReduceOp::kAverage:
      return "avg";
    case ReduceOp::kMax:
      return "max";
    case ReduceOp::kMin:
      return "min";
    case ReduceOp::kProduct:
      return "prod";
    case ReduceOp::kAnd:
      return "band";
    case ReduceOp::kOr:
      return "bor";
    case ReduceOp::kXor:
      return "bxor";
  }
  runtime::bad_use("collective",
                   "operation " + std::to_string(static_cast<unsigned>(op)) +
                       ": expected kSum, kAverage, kMax, kMin, kProduct, kAnd, kOr or kXor");
}

/// Shares of all ranks that an input has.
bool input_of_all(Primitive primitive) {
  return primitive == Primitive::kReduceScatter || primitive == Primitive::kAllToAll ||
         primitive == Primitive::kScatter;
}
bool output_of_all(Primitive primitive) {
  return primitive == Primitive::kAllGather || primitive == Primitive::kAllToAll ||
         primitive == Primitive::kGather;
}

Parts parts_of(const DeviceMemory& memory, std::uint64_t bytes, std::uint32_t parts,
               const std::string& what) {
  if (bytes % parts != 0)
    runtime::bad_use(what, "has " + std::to_string(bytes) + " bytes: expected shares of " +
                               std::to_string(parts) + " ranks, all of one size");
  return {.memory = memory, .parts = parts, .part_bytes = bytes / parts};
}

}  // namespace

struct Communicator::What {
  Primitive primitive;
  DataType type;
  ReduceOp op = ReduceOp::kSum;
  std::uint32_t root = 0;
  std::uint32_t peer = 1;
};

Communicator::Communicator(runtime::MeshDevice& mesh, const Options& options)
    : side_(std::make_unique<ChipSide>(mesh, options.workers, options.l1_bytes)),
      options_(options) {
  make_chooser(options);
}

Communicator::Communicator(runtime::PimSystem& system, runtime::DeviceLibrary& library,
                           const Options& options)
    : side_(std::make_unique<PimSide>(system, library)), options_(options) {
  make_chooser(options);
}

Communicator::Communicator(std::unique_ptr<DeviceSide> side, const Options& options,
                           std::shared_ptr<const bool> lease)
    : side_(std::move(side)), options_(options), lease_(std::move(lease)) {
  make_chooser(options);
}

std::vector<std::unique_ptr<Communicator>> Communicator::split(
    const std::vector<std::uint32_t>& colors) {
  require_no_groups("split");
  if (colors.size() != size())
    runtime::bad_use("split", std::to_string(colors.size()) + " colors: expected one for each of " +
                                  std::to_string(size()) + " ranks");
  std::map<std::uint32_t, std::vector<std::uint32_t>> by_color;
  for (std::uint32_t rank = 0; rank < colors.size(); ++rank) by_color[colors[rank]].push_back(rank);
  std::vector<std::vector<std::uint32_t>> groups;
  for (const auto& [color, ranks] : by_color) {
    if (ranks.size() < 2)
      runtime::bad_use("split", "rank " + std::to_string(ranks.front()) + " alone has color " +
                                    std::to_string(color) + ": expected groups of 2 or more ranks");
    groups.push_back(ranks);
  }
  std::vector<std::unique_ptr<DeviceSide>> sides = side_->split(groups);
  split_ = true;
  const auto lease = std::make_shared<const bool>(true);
  groups_ = lease;
  std::vector<std::unique_ptr<Communicator>> made;
  for (std::size_t group = 0; group < sides.size(); ++group) {
    Options options = options_;
    // Measurements of a group are those of its ranks only.
    if (!options.tuning_file.empty()) {
      options.tuning_file += ".ranks";
      for (const std::uint32_t rank : groups[group])
        options.tuning_file += "-" + std::to_string(rank);
    }
    made.push_back(
        std::unique_ptr<Communicator>(new Communicator(std::move(sides[group]), options, lease)));
  }
  return made;
}

std::shared_ptr<runtime::MeshDevice> Communicator::mesh() const { return side_->mesh(); }

void Communicator::require_no_groups(const std::string& what) {
  if (!groups_.expired())
    runtime::bad_use(what,
                     "the communicator has groups (split): expected a call of a group, or one "
                     "after all groups have been destroyed");
  if (split_) side_->resume();
  split_ = false;
}

void Communicator::make_chooser(const Options& options) {
  const std::string key = side_->system_key();
  const std::string path =
      options.tuning_file.empty() ? Chooser::default_path(key) : options.tuning_file;
  chooser_ =
      std::make_unique<Chooser>(side_->executor(), TuningFile(path, key, side_->system_name()));
}

Communicator::~Communicator() {
  if (hung_) return;
  try {
    side_->close();
  } catch (const std::exception&) {
    // The call that waited has thrown the fault that ended the simulation.
  }
}

std::uint32_t Communicator::size() const { return side_->executor().ranks(); }
std::string Communicator::topology() const { return side_->executor().topology(); }
std::string Communicator::tuning_file() const { return chooser_->file().path(); }

void Communicator::calibrate(DataType type) {
  require_no_groups("calibrate");
  for (const Primitive primitive : {Primitive::kAllReduce, Primitive::kAllGather}) {
    Chooser::Question question;
    question.request.primitive = primitive;
    question.request.ranks = size();
    question.type = name_of(type);
    question.bytes = 4096;
    side_->quietly([&] { chooser_->candidates(question); });
  }
}

Call Communicator::call(const What& what, const DeviceMemory& input, const DeviceMemory& output,
                        const CallOptions& options) {
  const std::string name = collectives::name_of(what.primitive);
  require_no_groups(name);
  const std::uint32_t ranks = size();
  const Parts in = parts_of(input, side_->size_of(name + ".input", input),
                            input_of_all(what.primitive) ? ranks : 1, name + ".input");
  const Parts out = parts_of(output, side_->size_of(name + ".output", output),
                             output_of_all(what.primitive) ? ranks : 1, name + ".output");
  const bool divided = input_of_all(what.primitive) || output_of_all(what.primitive);
  if (in.part_bytes != out.part_bytes)
    runtime::bad_use(name, "input of " + std::to_string(in.bytes()) + " bytes and output of " +
                               std::to_string(out.bytes()) + ": expected an output of " +
                               std::to_string(in.part_bytes * out.parts) +
                               (divided ? " with " + std::to_string(ranks) + " ranks" : ""));
  Chooser::Question question;
  question.request.primitive = what.primitive;
  question.request.ranks = ranks;
  question.request.root = what.root;
  question.request.peer = what.peer;
  question.request.variant = options.variant;
  question.type = name_of(what.type);
  question.redop = name_of(what.op);
  question.request.average = what.op == ReduceOp::kAverage && reduces(what.primitive);
  question.bytes = in.part_bytes * (divided ? ranks : 1);
  if (reduces(what.primitive))
    require_redop({.where = name, .type = question.type, .redop = question.redop});
  const std::uint64_t element = what.type == DataType::kBfloat16 ? 2 : 4;
  if (in.part_bytes == 0 || in.part_bytes % element != 0)
    runtime::bad_use(name, std::to_string(in.part_bytes) +
                               " bytes of a rank: expected elements of " + std::to_string(element) +
                               " bytes, at least one");

  auto record = std::make_shared<CallRecord>();
  if (options.algorithm.empty()) {
    record->choice = chooser_->known(question);
    if (record->choice.algorithm.empty())
      side_->quietly([&] { record->choice = chooser_->choose(question); });
  } else {
    record->choice.algorithm = algorithm_named(options.algorithm).name();
    record->choice.reason = options.algorithm + ", as the caller asked for";
  }
  if (options.segments != 0) record->choice.segments = options.segments;
  const Schedule schedule = chooser_->schedule(
      question, {.algorithm = record->choice.algorithm, .segments = record->choice.segments});
  record->schedule = schedule.name;
  const Demand demand{.where = name,
                      .bytes = question.bytes,
                      .type = question.type,
                      .redop = reduces(what.primitive) ? question.redop : "sum"};
  const std::function<void()> wait =
      side_->submit(side_->executor().prepare(schedule, demand), in, out, options, record);
  Call made(record, [this, wait] {
    try {
      wait();
    } catch (...) {
      hung_ = true;
      throw;
    }
  });
  if (options.blocking) made.wait();
  return made;
}

Call Communicator::all_reduce(const DeviceMemory& input, const DeviceMemory& output, DataType type,
                              ReduceOp op, const CallOptions& options) {
  return call({.primitive = Primitive::kAllReduce, .type = type, .op = op}, input, output, options);
}
Call Communicator::reduce_scatter(const DeviceMemory& input, const DeviceMemory& output,
                                  DataType type, ReduceOp op, const CallOptions& options) {
  return call({.primitive = Primitive::kReduceScatter, .type = type, .op = op}, input, output,
              options);
}
Call Communicator::reduce(const DeviceMemory& input, const DeviceMemory& output, DataType type,
                          ReduceOp op, std::uint32_t root, const CallOptions& options) {
  return call({.primitive = Primitive::kReduce, .type = type, .op = op, .root = root}, input,
              output, options);
}
Call Communicator::all_gather(const DeviceMemory& input, const DeviceMemory& output, DataType type,
                              const CallOptions& options) {
  return call({.primitive = Primitive::kAllGather, .type = type}, input, output, options);
}
Call Communicator::all_to_all(const DeviceMemory& input, const DeviceMemory& output, DataType type,
                              const CallOptions& options) {
  return call({.primitive = Primitive::kAllToAll, .type = type}, input, output, options);
}
Call Communicator::broadcast(const DeviceMemory& input, const DeviceMemory& output, DataType type,
                             std::uint32_t root, const CallOptions& options) {
  return call({.primitive = Primitive::kBroadcast, .type = type, .root = root}, input, output,
              options);
}
Call Communicator::gather(const DeviceMemory& input, const DeviceMemory& output, DataType type,
                          std::uint32_t root, const CallOptions& options) {
  return call({.primitive = Primitive::kGather, .type = type, .root = root}, input, output,
              options);
}
Call Communicator::scatter(const DeviceMemory& input, const DeviceMemory& output, DataType type,
                           std::uint32_t root, const CallOptions& options) {
  return call({.primitive = Primitive::kScatter, .type = type, .root = root}, input, output,
              options);
}
Call Communicator::send_recv(const DeviceMemory& input, const DeviceMemory& output, DataType type,
                             std::uint32_t from, std::uint32_t to, const CallOptions& options) {
  return call({.primitive = Primitive::kSendRecv, .type = type, .root = from, .peer = to}, input,
              output, options);
}

}  // namespace tvp::collectives
