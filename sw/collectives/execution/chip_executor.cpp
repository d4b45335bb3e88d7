#include "sw/collectives/execution/chip_executor.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "sw/collectives/execution/chip_topology.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/fabric/fabric_mux.h"
#include "sw/runtime/host_api.h"
#include "sw/runtime/reads_times.h"

namespace tvp::collectives {

namespace binary = contract::collectives;
using nlohmann::json;
using runtime::CoreRangeSet;

namespace {

/// Bytes of a worker's L1 that the executor leaves to others.
constexpr std::uint32_t kSpareBytes = 16 * 1024;
constexpr std::uint32_t kCreditBatch = 4;
/// Slices that no core combines need not be whole tiles. Smaller ones cost more than they carry.
constexpr std::uint32_t kFinestSlice = 512;

std::uint32_t u32(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
std::uint32_t up(std::uint32_t value, std::uint32_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

runtime::DataFormat format_of(const Demand& demand) {
  // Numbers of 32 bits pass the unpackers and packers as integers, which change no bit.
  return demand.type == "bf16" ? runtime::DataFormat::Float16_b : runtime::DataFormat::Int32;
}
/// The smallest unit that the compute cores write, a face.
constexpr runtime::Tile kFace{16, 16};
std::uint32_t face_bytes(const Demand& demand) { return kFace.bytes(format_of(demand)); }
/// The largest tile of whole faces that a slice consists of.
runtime::Tile tile_of(const Demand& demand, std::uint32_t slice_bytes) {
  for (const runtime::Tile tile : {runtime::Tile{32, 32}, runtime::Tile{16, 32}})
    if (slice_bytes % tile.bytes(format_of(demand)) == 0) return tile;
  return kFace;
}
/// Numbers of Redop in firmware/collectives/dst_pairs.h; an average is a sum.
std::uint32_t op_number(const std::string& redop) {
  constexpr std::string_view kOps[] = {"sum", "max", "min", "prod", "band", "bor", "bxor"};
  const auto found = std::ranges::find(kOps, redop);
  return found == std::end(kOps) ? 0 : u32(static_cast<std::uint64_t>(found - kOps));
}

}  // namespace

ChipExecutor::ChipExecutor(runtime::MeshDevice& mesh, Options options) : mesh_(mesh) {
  const ChipTopology topology = ChipTopology::of(mesh);
  shape_ = topology.shape;
  wraps_ = topology.wraps;
  workers_ = options.workers == 0 ? topology.links : options.workers;
  runtime::FabricMesh::Options fabric{.wraps = wraps_, .planes = workers_};
  if (!wraps_.rows && !wraps_.columns) {
    // A packet on a link has a slot at both ends. These shares of the 32 slots allow the most
    // packets on a link.
    fabric.sender_slots = 6;
    fabric.receiver_slots = 8;
  }
  fabric_ = std::make_unique<runtime::FabricMesh>(mesh, shape_, fabric);
  neighbors_ = std::make_unique<NeighborFabric>(mesh, *fabric_);
}

void ChipExecutor::finish() { use(Routers::kNone); }

void ChipExecutor::use(Routers routers) {
  if (routers == routers_) return;
  if (routers_ == Routers::kMesh) fabric_->stop();
  if (routers_ == Routers::kNeighbors) neighbors_->stop();
  routers_ = routers;
  if (routers_ == Routers::kMesh) fabric_->start();
  if (routers_ == Routers::kNeighbors) neighbors_->start();
}

ChipExecutor::Routers ChipExecutor::routers_for(const Schedule& schedule) const {
  for (std::uint32_t rank = 0; rank < schedule.size(); ++rank)
    for (const Lane& lane : schedule.ranks[rank].lanes)
      for (const Step& step : lane.steps)
        if (step.to < schedule.size() && fabric_->routes().path(rank, step.to).size() != 1)
          return Routers::kMesh;
  return Routers::kNeighbors;
}

std::uint32_t ChipExecutor::packet_bytes(Routers routers) {
  return routers == Routers::kNeighbors ? NeighborFabric::kPayloadBytes : binary::kMeshPacketBytes;
}

const contract::fabric::RouterLayout& ChipExecutor::router_layout() const {
  return routers_ == Routers::kNeighbors ? neighbors_->layout() : fabric_->layout();
}

runtime::CoreCoord ChipExecutor::core(unsigned number) const {
  const unsigned columns = mesh_.logical_grid_size().x;
  return {number % columns, number / columns};
}

unsigned ChipExecutor::ports() const {
  unsigned most = 0;
  for (std::uint32_t device = 0; device < ranks(); ++device) {
    unsigned count = 0;
    for (std::uint32_t d = 0; d < binary::kPorts; ++d)
      if (fabric_->has_router(device, static_cast<runtime::Direction>(d))) ++count;
    most = std::max(most, count);
  }
  return most;
}

/// The cores of the grid and the memory of muxes limit the sets that have a core of their own.
RankWorkers ChipExecutor::workers_for(const Schedule& schedule) const {
  RankWorkers workers{.stripes = workers_, .lane_sets = 1};
  if (beside_) return workers;
  const runtime::CoreCoord grid = mesh_.logical_grid_size();
  const std::uint32_t payload = packet_bytes(routers_for(schedule));
  const auto fits = [&] {
    return workers.lane_sets == 1 ||
           (cores_of(workers) <= grid.x * grid.y && mux_slots(workers.lane_sets, payload) != 0);
  };
  workers.lane_sets = std::min(schedule.lane_sets, binary::kPorts);
  while (!fits()) --workers.lane_sets;
  return workers;
}

unsigned ChipExecutor::cores_of(const RankWorkers& workers) const {
  const unsigned muxes = workers.lane_sets == 1 ? 0 : ports() * workers.stripes;
  return workers.count() + muxes;
}

std::uint32_t ChipExecutor::room() const {
  if (reserved_ != 0) return reserved_;
  const runtime::BankManager& l1 = mesh_.bank_manager(runtime::BufferType::L1);
  return u32(l1.end() - l1.base());
}

std::uint32_t ChipExecutor::mux_slots(std::uint32_t clients, std::uint32_t payload) const {
  const std::uint32_t taken = contract::fabric::mux_layout(0, payload, clients, 0).control_bytes() +
                              (reserved_ == 0 ? kSpareBytes : 0);
  const std::uint32_t channel_slot = clients * contract::fabric::slot_bytes(payload);
  return taken > room() ? 0
                        : std::min((room() - taken) / channel_slot, contract::fabric::kMuxSlots);
}

contract::fabric::MuxLayout ChipExecutor::mux_layout(const Task& task) const {
  const std::uint32_t clients = task.programs.lane_sets();
  const std::uint32_t payload = router_layout().bytes_per_slot - contract::fabric::slot_bytes(0);
  return contract::fabric::mux_layout(u32(memory_ ? memory_->address() : 0), payload, clients,
                                      mux_slots(clients, payload));
}

std::uint32_t ChipExecutor::mux_bytes(const Task& task) const {
  if (task.programs.lane_sets() == 1) return 0;
  const contract::fabric::MuxLayout mux = mux_layout(task);
  return mux.end() - mux.base;
}

std::vector<std::uint32_t> ChipExecutor::ring(std::uint32_t ranks) const {
  if (ranks != mesh_.num_devices()) return {};
  return ChipTopology{.shape = shape_, .wraps = wraps_, .links = workers_}.ring();
}
std::string ChipExecutor::topology() const {
  return ChipTopology{.shape = shape_, .wraps = wraps_, .links = workers_}.text();
}

std::string ChipExecutor::links_like() const {
  return ChipTopology{.shape = shape_, .wraps = wraps_, .links = workers_}.links_like();
}

CollectiveExecutor::LinkLoads ChipExecutor::link_loads(const Outcome& outcome) const {
  LinkLoads loads{.rows = shape_.rows, .columns = shape_.columns, .links = {}};
  for (const Traffic& each : outcome.traffic)
    for (const runtime::FabricRoutes::Hop& hop : fabric_->routes().path(each.from, each.to))
      if (const auto next = fabric_->routes().neighbor(hop.device, hop.direction))
        loads.links.push_back({hop.device, *next, each.bytes});
  return loads;
}

CollectiveExecutor::Machine ChipExecutor::machine(const Schedule& schedule, const Demand& demand) {
  const RankWorkers workers = workers_for(schedule);
  std::uint32_t connections = 0;
  bool combines = false;
  for (const RankProgram& rank : schedule.ranks) {
    std::vector<std::set<std::pair<std::uint32_t, std::uint16_t>>> outs(workers.lane_sets);
    for (std::size_t lane = 0; lane < rank.lanes.size(); ++lane)
      for (const Step& step : rank.lanes[lane].steps)
        if (step.to != kNobody)
          outs[lane % schedule.lane_sets % workers.lane_sets].emplace(step.to, step.channel);
    for (const Lane& lane : rank.lanes)
      for (const Step& step : lane.steps)
        combines = combines || step.kind == StepKind::kReceiveReduce ||
                   step.kind == StepKind::kReduce || step.kind == StepKind::kScale;
    for (const auto& each : outs) connections = std::max(connections, u32(each.size()));
  }
  const std::uint32_t spare = reserved_ == 0 ? kSpareBytes : 0;
  const std::uint32_t tail = binary::chip_layout(0, connections, connections).end + 64 + spare;
  if (tail >= room())
    runtime::bad_use(schedule.name,
                     "needs " + std::to_string(tail) +
                         " bytes of a worker's L1 for its connections: the worker has " +
                         std::to_string(room()));
  Machine machine;
  machine.limits = {.memory_bytes = room() - tail,
                    .largest_slice = binary::kPackets * binary::kMeshPacketBytes,
                    .worthy_slice = binary::kMeshPacketBytes,
                    .smallest_slice = binary::kMeshPacketBytes,
                    .finest_slice = combines ? face_bytes(demand) : kFinestSlice,
                    .slices_a_message = 8,
                    .most_slots = 256,
                    .credit_batch = kCreditBatch,
                    .alignment = u32(mesh_.bank_manager(runtime::BufferType::DRAM).alignment())};
  machine.workers = workers;
  return machine;
}

binary::ChipLayout ChipExecutor::layout(const RankPrograms::Program& program) const {
  return binary::chip_layout(u32(memory_->address()) + up(program.end, 64), program.header.outs,
                             program.header.ins);
}

void ChipExecutor::make_buffers(const Task& task, const Operands& operands) {
  const RankPrograms& programs = task.programs;
  const RankWorkers workers{programs.stripes(), programs.lane_sets()};
  std::uint32_t most = mux_bytes(task);
  for (std::uint32_t rank = 0; rank < ranks() && rank < programs.ranks(); ++rank)
    for (std::uint32_t set = 0; set < workers.lane_sets; ++set) {
      const RankPrograms::Program& one = programs.program(rank, set);
      most =
          std::max(most, binary::chip_layout(up(one.end, 64), one.header.outs, one.header.ins).end);
    }
  const auto dram = [&](std::uint64_t bytes) -> Buffer {
    const std::uint64_t pages =
        std::max<std::uint64_t>(1, (bytes + binary::kPageBytes - 1) / binary::kPageBytes);
    return runtime::MeshBuffer::create(
        mesh_, runtime::InterleavedBufferConfig{.size = pages * binary::kPageBytes,
                                                .page_size = binary::kPageBytes});
  };
  if (reserved_ == 0) memory_.reset();
  input_.reset();
  output_.reset();
  scratch_.reset();
  input_ = dram(operands.input_bytes());
  output_ = dram(operands.output_bytes());
  scratch_ = dram(operands.scratch_bytes());
  if (reserved_ == 0) memory_ = worker_memory(up(most, 64), cores_of(workers));
}

ChipExecutor::Buffer ChipExecutor::worker_memory(std::uint32_t bytes, unsigned cores) {
  std::vector<runtime::CoreCoord> all;
  for (unsigned number = 0; number < cores; ++number) all.push_back(core(number));
  return runtime::MeshBuffer::create(
      mesh_, runtime::ShardedBufferConfig{.cores = CoreRangeSet(all), .shard_bytes = bytes});
}

void ChipExecutor::reserve(std::uint32_t bytes) {
  memory_.reset();
  reserved_ = up(bytes, 64);
  const runtime::CoreCoord grid = mesh_.logical_grid_size();
  memory_ = worker_memory(
      reserved_,
      std::min(cores_of({.stripes = workers_, .lane_sets = binary::kPorts}), grid.x * grid.y));
}

/// The programs of both sides define the places of slots and counts. All workers of a stripe have
/// the same place on their chips.
void ChipExecutor::connect(RankPrograms& programs, std::uint32_t rank, unsigned worker) const {
  RankPrograms::Program& mine = programs.program(rank, worker);
  const auto count = [](const RankPrograms::Program& at, std::uint32_t index) {
    return at.header.counts + index * binary::kCountBytes;
  };
  const auto port = [&](std::uint32_t peer) {
    return static_cast<std::uint8_t>(fabric_->routes().first_direction(rank, peer));
  };
  for (std::uint32_t i = 0; i < mine.header.outs; ++i) {
    const RankPrograms::Connection& out = mine.out_peers[i];
    const RankPrograms::Program& there = programs.program(out.peer, worker);
    mine.outs[i] = {.peer = static_cast<std::uint16_t>(out.peer),
                    .port = port(out.peer),
                    .slots = there.slots_of(out.index_there),
                    .there = count(there, out.index_there),
                    .here = count(mine, mine.header.ins + i)};
  }
  for (std::uint32_t i = 0; i < mine.header.ins; ++i) {
    const RankPrograms::Connection& in = mine.in_peers[i];
    const RankPrograms::Program& there = programs.program(in.peer, worker);
    mine.ins[i] = {.peer = static_cast<std::uint16_t>(in.peer),
                   .port = port(in.peer),
                   .slots = mine.slots_of(i),
                   .there = count(there, there.header.ins + in.index_there),
                   .here = count(mine, i)};
  }
}

void ChipExecutor::place(Task& task, const Memories& memories) {
  RankPrograms& programs = task.programs;
  const std::uint32_t base = u32(memory_->address());
  task.images.clear();
  for (std::uint32_t rank = 0; rank < task.schedule.size(); ++rank)
    for (unsigned worker = 0; worker < programs.workers(); ++worker) {
      connect(programs, rank, worker);
      RankPrograms::Program& program = programs.program(rank, worker);
      for (std::uint32_t m = 0; m < binary::kMemories; ++m)
        program.header.memories[m] = u32(memories.at[m]);
      const binary::ChipLayout place = layout(program);
      Task::Image image;
      image.program = program.bytes();
      image.program.resize(program.state_end, 0);
      image.zeros_at = place.moves_posted - base;
      image.zeros = place.end - place.moves_posted;
      image.state = program.state_begin;
      image.state_bytes = program.state_end - program.state_begin;
      image.times = place.times - base;
      task.images.push_back(std::move(image));
    }
}

void ChipExecutor::write(const Task& task) {
  const unsigned workers = task.programs.workers();
  const RankWorkers how{task.programs.stripes(), task.programs.lane_sets()};
  for (std::uint32_t rank = 0; rank < task.schedule.size(); ++rank) {
    for (unsigned mux = workers; mux < cores_of(how); ++mux)
      memory_->write_shard(number_of(rank), core(mux),
                           std::vector<std::uint8_t>(mux_layout(task).control_bytes(), 0));
    for (unsigned worker = 0; worker < workers; ++worker) {
      const Task::Image& image = task.image(rank, worker);
      memory_->write_shard(number_of(rank), core(worker), image.program);
      memory_->write_shard(number_of(rank), core(worker), std::vector<std::uint8_t>(image.zeros, 0),
                           image.zeros_at);
    }
  }
}

std::vector<runtime::Program> ChipExecutor::programs(const Task& task, const Memories& memories) {
  std::vector<runtime::Program> made(mesh_.num_devices());
  for (std::uint32_t rank = 0; rank < task.schedule.size(); ++rank)
    made[rank] = program(task, memories, rank);
  return made;
}

void ChipExecutor::load(Task& task, const Operands& operands) {
  use_routers_for(task);
  make_buffers(task, operands);
  constexpr std::uint32_t kShift = binary::kPageShift;
  const Memories memories{.at = {input_->address(), output_->address(), scratch_->address()},
                          .page_shift = {kShift, kShift, kShift}};
  place(task, memories);
  const auto padded = [](std::vector<std::uint8_t> bytes, const Buffer& buffer) {
    bytes.resize(buffer->size(), 0);
    return bytes;
  };
  for (std::uint32_t rank = 0; rank < task.schedule.size(); ++rank) {
    input_->write(number_of(rank), padded(operands.input(rank), input_));
    // A result that was not written must not look right.
    output_->write(number_of(rank), std::vector<std::uint8_t>(output_->size(), 0xA5));
  }
  write(task);
  programs_ = programs(task, memories);
  if (!beside_) return;
  for (std::uint32_t device = 0; device < programs_.size(); ++device)
    beside_(device, programs_[device]);
}

runtime::Program ChipExecutor::program(const Task& task, const Memories& memories,
                                       std::uint32_t rank) {
  const RankPrograms& programs = task.programs;
  const Demand& demand = task.demand;
  runtime::Program made;
  std::vector<runtime::CoreCoord> cores;
  for (unsigned worker = 0; worker < programs.workers(); ++worker) cores.push_back(core(worker));
  const CoreRangeSet all(cores);
  for (unsigned i = 0; i < binary::kSemaphoreCount; ++i) runtime::CreateSemaphore(made, all, 0);
  const runtime::DataFormat format = format_of(demand);
  const runtime::Tile tile = tile_of(demand, programs.slice_bytes());
  for (const std::uint32_t id : {binary::kMine, binary::kReceived, binary::kCombined}) {
    const auto index = static_cast<std::uint8_t>(id);
    // Pages of combined data only count commands that are posted and not yet seen; the addresses
    // are in the command.
    constexpr std::uint32_t kCounted = 16;  // bytes
    const bool counts = id == binary::kCombined;
    const std::uint32_t page = counts ? kCounted : tile.bytes(format);
    const std::uint32_t pages = counts ? 2 * binary::kCombinations : 1;
    runtime::CircularBufferConfig config(pages * page, {{index, format}});
    config.set_page_size(index, page).set_tile_dims(index, tile);
    config.set_globally_allocated_address(*memory_);
    runtime::CreateCircularBuffer(made, all, config);
  }
  runtime::DataMovementConfig writer =
      runtime::WriterDataMovementConfig(std::vector<std::uint32_t>{});
  if (routers_ == Routers::kMesh) writer.defines = runtime::FabricMesh::defines();
  if (task.schedule.average && demand.type == "int32")
    writer.defines["COLLECTIVE_AVERAGES_INT32"] = "1";
  // One core does it all, and limits the rate of a ring.
  writer.opt_level = runtime::KernelBuildOptLevel::O3;
  const auto interpreter =
      runtime::CreateKernel(made, "firmware/collectives/chip_scheduled.cpp", all, writer);
  const auto moves =
      runtime::CreateKernel(made, "firmware/collectives/chip_moves.cpp", all,
                            runtime::ReaderDataMovementConfig(std::vector<std::uint32_t>(
                                memories.page_shift.begin(), memories.page_shift.end())));
  runtime::ComputeConfig compute;
  compute.fp32_dest_acc_en = true;
  compute.compile_args = {op_number(demand.redop), demand.type == "int32" ? 1U : 0U};
  const auto combine =
      runtime::CreateKernel(made, "firmware/collectives/chip_combine.cpp", all, compute);
  for (unsigned worker = 0; worker < programs.workers(); ++worker) {
    const CoreRangeSet one(core(worker));
    const std::uint32_t base = layout(programs.program(rank, worker)).moves_posted;
    runtime::SetRuntimeArgs(made, interpreter, one, arguments(task, rank, worker));
    runtime::SetRuntimeArgs(made, moves, one, {u32(memory_->address()), base});
    runtime::SetRuntimeArgs(made, combine, one, {base});
  }
  if (programs.lane_sets() > 1) add_muxes(made, task, rank);
  return made;
}

/// Each router of the rank has a mux, with a channel for each set of lanes.
void ChipExecutor::add_muxes(runtime::Program& program, const Task& task, std::uint32_t rank) {
  const unsigned stripes = task.programs.stripes();
  unsigned number = task.programs.workers();
  std::vector<runtime::CoreCoord> cores;
  std::vector<runtime::CoreCoord> routers;
  for (std::uint32_t d = 0; d < binary::kPorts; ++d) {
    const auto direction = static_cast<runtime::Direction>(d);
    if (!fabric_->has_router(rank, direction)) continue;
    for (unsigned stripe = 0; stripe < stripes; ++stripe) {
      cores.push_back(core(number++));
      routers.push_back(
          mesh_.device(rank).ethernet_core_from_channel(fabric_->channel(rank, direction, stripe)));
    }
  }
  const auto kernel =
      runtime::CreateFabricMux(program, CoreRangeSet(cores), mux_layout(task), router_layout(),
                               runtime::FabricMuxEnd::kWithClients);
  for (std::size_t i = 0; i < cores.size(); ++i) {
    std::vector<std::uint32_t> args(contract::fabric::kMuxRuntimeArgs);
    args[contract::fabric::kMuxArgRouterX] = routers[i].x;
    args[contract::fabric::kMuxArgRouterY] = routers[i].y;
    runtime::SetRuntimeArgs(program, kernel, CoreRangeSet(cores[i]), args);
  }
}

std::vector<std::uint32_t> ChipExecutor::arguments(const Task& task, std::uint32_t rank,
                                                   unsigned worker) const {
  const RankPrograms& programs = task.programs;
  const unsigned sets = programs.lane_sets();
  const unsigned stripe = worker / sets;
  const runtime::CoreCoord at = mesh_.device(rank).worker_core_from_logical_core(core(worker));
  std::vector<std::uint32_t> args(binary::kChipArgs);
  args[binary::kChipProgram] = u32(memory_->address());
  args[binary::kChipBase] = layout(programs.program(rank, worker)).moves_posted;
  args[binary::kChipX] = at.x;
  args[binary::kChipY] = at.y;
  const bool near = routers_ == Routers::kNeighbors;
  args[binary::kChipRouterStatus] = sets > 1 ? mux_layout(task).status() : router_layout().status();
  args[binary::kChipPacketBytes] = packet_bytes(routers_);
  const runtime::Tile tile = tile_of(task.demand, task.programs.slice_bytes());
  args[binary::kChipTileShift] =
      static_cast<std::uint32_t>(std::countr_zero(tile.bytes(format_of(task.demand))));
  std::uint32_t ports = 0;
  for (std::uint32_t d = 0; d < binary::kPorts; ++d) {
    const auto direction = static_cast<runtime::Direction>(d);
    if (!fabric_->has_router(rank, direction)) continue;
    args.push_back(d);
    const std::uint32_t semaphores = ports * binary::kSemaphoresPerPort;
    std::vector<std::uint32_t> words;
    if (sets > 1) {
      const runtime::CoreCoord mux = core(programs.workers() + ports * programs.stripes() + stripe);
      words = runtime::mux_connection_args(mux_layout(task),
                                           mesh_.device(rank).worker_core_from_logical_core(mux),
                                           worker % sets, semaphores);
    } else {
      words = near ? neighbors_->connection(rank, direction, semaphores, stripe)
                   : fabric_->connection(rank, direction, semaphores, stripe);
    }
    args.insert(args.end(), words.begin(), words.end());
    ++ports;
  }
  args[binary::kChipPorts] = ports;
  return args;
}

void ChipExecutor::execute(const Task&) {
  mesh_.enqueue_all(programs_);
  mesh_.finish_workers();
}

CollectiveExecutor::Left ChipExecutor::left(const Task& task, std::uint32_t rank,
                                            std::uint32_t worker) {
  const Task::Image& image = task.image(rank, worker);
  const runtime::ReadsTimes reads_times(mesh_.library());
  const std::vector<std::uint8_t> shard = memory_->read_shard(number_of(rank), core(worker));
  Left result;
  result.state.assign(shard.begin() + image.state, shard.begin() + image.state + image.state_bytes);
  std::memcpy(&result.begin, shard.data() + image.times, sizeof result.begin);
  std::memcpy(&result.end, shard.data() + image.times + 8, sizeof result.end);
  return result;
}

std::string ChipExecutor::link(std::uint32_t from, std::uint32_t to, std::uint32_t stripe) const {
  const runtime::Direction direction = fabric_->routes().first_direction(from, to);
  const unsigned channel = fabric_->channel(from, direction, stripe);
  return "ethernet channel " + std::to_string(channel) + " of device " + std::to_string(from) +
         broken_since(mesh_.device(from).chip(), channel);
}

std::string ChipExecutor::broken_since(unsigned chip, unsigned channel) const {
  const json report = json::parse(mesh_.library().report(), nullptr, false);
  if (!report.is_object() || !report.contains("broken_links")) return {};
  for (const json& link : report.at("broken_links"))
    for (const char* const end : {"a", "b"})
      if (link.at(end).at("chip") == chip && link.at(end).at("channel") == channel)
        return ", which is broken since " +
               std::to_string(link.at("from_ns").get<std::uint64_t>()) + " ns";
  return {};
}

std::string ChipExecutor::origin(std::uint32_t rank, std::uint64_t byte) {
  return output_->origin(number_of(rank), byte);
}

std::vector<std::uint8_t> ChipExecutor::output(std::uint32_t rank) {
  return output_->read(number_of(rank));
}

}  // namespace tvp::collectives
