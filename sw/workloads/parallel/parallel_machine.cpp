#include "sw/workloads/parallel/parallel_machine.h"

#include <algorithm>
#include <limits>

#include "firmware/kernels/parallel/arguments.h"
#include "sw/collectives/algorithms/algorithm.h"
#include "sw/collectives/schedule/checker.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/host_api.h"
#include "sw/runtime/reads_times.h"

namespace tvp::workloads::parallel {

namespace names = kernels::parallel;
using collectives::Primitive;
using runtime::CoreCoord;
using runtime::sharding::DeviceLocalLayoutConfig;
using runtime::sharding::DistributedBuffer;

namespace {

constexpr std::uint32_t kSide = 32;
constexpr std::uint32_t kTileBytes = kSide * kSide * 2;
constexpr CoreCoord kCore{0, 0};
/// The core of products that run beside a collective, whose workers are the first cores of a row.
constexpr CoreCoord kCoreBeside{0, 1};

const DeviceLocalLayoutConfig& in_tiles() {
  static const DeviceLocalLayoutConfig layout{.order = runtime::TensorLayoutType::TILED_NFACES};
  return layout;
}

std::uint32_t tiles(std::uint64_t entries) { return static_cast<std::uint32_t>(entries / kSide); }

std::uint32_t address(const ParallelMachine::Matrix& matrix) {
  return static_cast<std::uint32_t>(matrix->buffer()->address());
}

/// Every rank sends its input to the next one.
collectives::Schedule shift(std::uint32_t ranks) {
  using collectives::Memory;
  using collectives::StepKind;
  collectives::Schedule schedule;
  schedule.name = "shift N=" + std::to_string(ranks);
  schedule.primitive = Primitive::kSendRecv;
  schedule.root = ranks - 2;
  schedule.peer = ranks - 1;
  schedule.ranks.resize(ranks);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    auto& lanes = schedule.ranks[rank].lanes;
    if (rank + 1 < ranks)
      lanes.push_back({{{.kind = StepKind::kSend, .source = {Memory::kInput, 0}, .to = rank + 1}}});
    if (rank > 0)
      lanes.push_back(
          {{{.kind = StepKind::kReceive, .destination = {Memory::kOutput, 0}, .from = rank - 1}}});
  }
  return schedule;
}

}  // namespace

ParallelMachine::ParallelMachine(runtime::MeshDevice& mesh, std::string algorithm)
    : mesh_(mesh), executor_(mesh, {}), algorithm_(std::move(algorithm)) {}

ParallelMachine::Matrix ParallelMachine::cut(std::uint32_t rows, std::uint32_t columns,
                                             int dim) const {
  return DistributedBuffer::create(mesh_, runtime::sharding::ShardTensorToMesh(mesh_, dim),
                                   {rows, columns}, 2, in_tiles());
}

ParallelMachine::Matrix ParallelMachine::repeated(std::uint32_t rows, std::uint32_t columns) const {
  return DistributedBuffer::create(mesh_, runtime::sharding::ReplicateTensorToMesh(mesh_),
                                   {rows, columns}, 2, in_tiles());
}

ParallelMachine::Matrix ParallelMachine::cut(const SmallMatrix& content, int dim) const {
  Matrix matrix = cut(content.rows, content.columns, dim);
  matrix->write(content.as_bfloat16());
  return matrix;
}

ParallelMachine::Matrix ParallelMachine::repeated(const SmallMatrix& content) const {
  Matrix matrix = repeated(content.rows, content.columns);
  matrix->write(content.as_bfloat16());
  return matrix;
}

void ParallelMachine::add_product(runtime::Program& program, const Product& of, CoreCoord core) {
  for (const names::Buffer buffer : {names::kLeft, names::kRight, names::kProduct}) {
    const auto index = static_cast<std::uint8_t>(buffer);
    runtime::CircularBufferConfig config(2 * kTileBytes, {{index, runtime::DataFormat::Float16_b}});
    runtime::CreateCircularBuffer(program, core, config.set_page_size(index, kTileBytes));
  }
  const auto args = runtime::TensorAccessorArgs(*of.left->buffer()).get_compile_time_args();
  const std::string folder = "firmware/kernels/parallel/";
  const auto reader = runtime::CreateKernel(program, folder + "reader.cpp", core,
                                            runtime::ReaderDataMovementConfig(args));
  const auto writer = runtime::CreateKernel(program, folder + "writer.cpp", core,
                                            runtime::WriterDataMovementConfig(args));
  runtime::ComputeConfig config{.math_fidelity = runtime::MathFidelity::HiFi4};
  config.fp32_dest_acc_en = true;
  config.compile_args = {of.relu ? 1U : 0U};
  const auto compute = runtime::CreateKernel(program, folder + "compute.cpp", core, config);

  const auto& of_left = of.left->partition().local_shape();
  const auto& of_right = of.right->partition().local_shape();
  const std::uint32_t rows = tiles(of_left[0]);
  const std::uint32_t inner = tiles(of_left[1]);
  const std::uint32_t columns = tiles(of_right[1]);
  runtime::SetRuntimeArgs(program, reader, core,
                          {address(of.left), address(of.right), rows, inner, columns});
  runtime::SetRuntimeArgs(program, compute, core, {rows * columns, inner});
  runtime::SetRuntimeArgs(program, writer, core, {address(of.product), rows * columns});
}

ParallelMachine::Part ParallelMachine::product_times(const Product& product, CoreCoord core) {
  Part times{product.part, std::numeric_limits<double>::max(), 0, false};
  const runtime::ReadsTimes reads_times(mesh_.library());
  for (unsigned d = 0; d < mesh_.num_devices(); ++d) {
    if (!product.active.empty() && !product.active[d]) continue;
    const auto run = mesh_.run_times(d, mesh_.device(d).worker(core));
    times.begin_ns = std::min(times.begin_ns, static_cast<double>(run.go));
    times.end_ns = std::max(times.end_ns, static_cast<double>(run.done));
  }
  return times;
}

void ParallelMachine::multiply(const std::string& part, const Matrix& left, const Matrix& right,
                               const Matrix& product, bool relu, const std::vector<bool>& active) {
  const Product of{part, left, right, product, relu, active};
  runtime::Program program;
  add_product(program, of, kCore);
  std::vector<runtime::Program> programs(mesh_.num_devices());
  for (unsigned d = 0; d < mesh_.num_devices(); ++d)
    if (active.empty() || active[d]) programs[d] = program;
  mesh_.enqueue_all(programs);
  mesh_.finish_workers();
  parts_.push_back(product_times(of, kCore));
}

void ParallelMachine::collective(const std::string& part, Primitive primitive, const Matrix& from,
                                 const Matrix& to, bool average) {
  const std::string usual = primitive == Primitive::kAllToAll ? "pairwise" : "ring";
  collectives::ScheduleRequest request;
  request.primitive = primitive;
  request.ranks = devices();
  request.order = executor_.ring(devices());
  request.average = average;
  const collectives::Algorithm& algorithm =
      collectives::algorithm_named(algorithm_.empty() ? usual : algorithm_);
  if (!algorithm.refusal(request).empty()) request.order.clear();  // some algorithms have no order
  const collectives::Schedule schedule = algorithm.schedule(request);
  collectives::require_right(schedule);
  run(part, schedule, from, to);
}

void ParallelMachine::pass_on(const std::string& part, const Matrix& from, const Matrix& to) {
  run(part, shift(devices()), from, to);
}

void ParallelMachine::run(const std::string& part, const collectives::Schedule& schedule,
                          const Matrix& from, const Matrix& to) {
  collectives::Demand demand{.where = "parallel",
                             .bytes = std::max(from->local_size(), to->local_size()),
                             .type = "bf16",
                             .redop = schedule.average ? "avg" : "sum"};
  for (unsigned d = 0; d < mesh_.num_devices(); ++d)
    demand.content.push_back(from->buffer()->read(d));
  if (beside_)
    executor_.set_beside([this](std::uint32_t device, runtime::Program& program) {
      if (beside_->active.empty() || beside_->active[device])
        add_product(program, *beside_, kCoreBeside);
    });
  const auto outcome = executor_.run(schedule, demand);
  executor_.set_beside(nullptr);
  if (!outcome.reason.empty())
    throw foundation::Fault(foundation::FaultKind::kInternal, "parallel." + part, outcome.reason);
  for (unsigned d = 0; d < mesh_.num_devices(); ++d) {
    std::vector<std::uint8_t> content = executor_.result(d);
    content.resize(to->local_size());
    to->buffer()->write(d, content);
  }
  if (beside_) parts_.push_back(product_times(*beside_, kCoreBeside));
  beside_.reset();
  parts_.push_back({part, outcome.begin_ns, outcome.end_ns, true});
}

/// A collective and the product beside it start together, so at most one product covers a part of a
/// collective.
double ParallelMachine::exposed_ns() const {
  double exposed = 0;
  for (const Part& move : parts_) {
    if (!move.communicates) continue;
    double covered = 0;
    for (const Part& product : parts_)
      if (!product.communicates)
        covered += std::max(
            0.0, std::min(move.end_ns, product.end_ns) - std::max(move.begin_ns, product.begin_ns));
    exposed += move.end_ns - move.begin_ns - covered;
  }
  return exposed;
}

void ParallelMachine::report(Result& result) const {
  double products = 0;
  double moves = 0;
  for (const Part& part : parts_) {
    result.phases.push_back({part.name, part.begin_ns, part.end_ns});
    (part.communicates ? moves : products) += part.end_ns - part.begin_ns;
  }
  result.metrics.push_back({"devices", static_cast<double>(devices()), ""});
  result.metrics.push_back({"products", products / 1000, "us"});
  result.metrics.push_back({"collectives", moves / 1000, "us"});
  result.metrics.push_back({"all_parts", (products + moves) / 1000, "us"});
  result.metrics.push_back({"communicating", 100 * moves / (products + moves), "%"});
  const double exposed = exposed_ns();
  result.metrics.push_back({"exposed", exposed / 1000, "us"});
  result.metrics.push_back({"products_and_exposed", (products + exposed) / 1000, "us"});
}

}  // namespace tvp::workloads::parallel
