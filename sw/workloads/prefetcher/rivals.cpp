#include "sw/workloads/prefetcher/rivals.h"

#include <algorithm>
#include <random>
#include <set>

#include "firmware/kernels/prefetcher/arguments.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/reads_times.h"

namespace tvp::workloads::prefetcher {

using namespace tvp::runtime;
namespace kernel = kernels::prefetcher;

namespace {

constexpr std::uint32_t kDelay = 30000;  ///< cycles; the senders are running by then
constexpr std::uint32_t kPacket = kernel::kRivalPacketBytes;

}  // namespace

Rivals::Rivals(MeshDevice& mesh, const std::vector<Sender>& senders, const RingPrograms& programs,
               const Options& options, std::uint64_t seed)
    : mesh_(mesh), senders_(senders), options_(options), control_(programs.control()) {
  std::vector<CoreCoord> taken = programs.sender_cores().cores();
  const std::vector<CoreCoord> others = programs.activation_cores().cores();
  taken.insert(taken.end(), others.begin(), others.end());
  if (options.rival_packets != 0) place_on_links(CoreRangeSet(taken));
  for (const Rival& rival : on_links_) taken.insert(taken.end(), {rival.core, rival.to});
  if (options.rival_reads != 0) place_on_banks(CoreRangeSet(taken));
  if (empty()) return;
  std::vector<CoreCoord> all = cores();
  for (const Rival& rival : on_links_) all.push_back(rival.to);
  memory_ = MeshBuffer::create(
      mesh_, ShardedBufferConfig{.cores = CoreRangeSet(all), .shard_bytes = kernel::kRivalBytes});
  if (!on_banks_.empty()) make_source(seed);
}

void Rivals::place_on_links(const CoreRangeSet& taken) {
  const std::uint32_t last = mesh_.device(0).layout().grid_size().x - 1;
  for (std::size_t s = 0; s < senders_.size(); ++s) {
    const Sender& sender = senders_[s];
    const CoreCoord from{last, sender.core.y};
    const CoreCoord to{sender.receivers.back().x + 1, sender.core.y};
    if (sender.core.x != 0 || to.x >= last || taken.contains(from) || taken.contains(to)) continue;
    on_links_.push_back({from, s, to});
  }
  if (on_links_.empty())
    bad_use("prefetcher.rival_kib", "no row has two cores that neither send nor receive");
}

void Rivals::place_on_banks(const CoreRangeSet& taken) {
  const CoreCoord grid = mesh_.device(0).layout().grid_size();
  for (std::uint32_t y = 0; y < grid.y; ++y)
    for (std::uint32_t x = 0; x < grid.x && on_banks_.size() < senders_.size(); ++x)
      if (!taken.contains(CoreCoord{x, y})) on_banks_.push_back({{x, y}, on_banks_.size(), {}});
  if (on_banks_.size() < senders_.size())
    bad_use("prefetcher.rival_reads_kib",
            "needs a free core for each of " + std::to_string(senders_.size()) +
                " banks; there are " + std::to_string(on_banks_.size()));
}

void Rivals::make_source(std::uint64_t seed) {
  content_.resize(std::size_t{options_.rival_reads} * kPacket);
  std::minstd_rand random(static_cast<std::uint32_t>(seed));
  for (std::uint8_t& byte : content_) byte = static_cast<std::uint8_t>(random() >> 8);
  const std::size_t banks = mesh_.device(0).layout().dram_banks();
  source_ = MeshBuffer::create(mesh_, InterleavedBufferConfig{.size = banks * content_.size(),
                                                              .page_size = content_.size(),
                                                              .buffer_type = BufferType::DRAM});
  std::vector<std::uint8_t> all;
  for (std::size_t bank = 0; bank < banks; ++bank)
    all.insert(all.end(), content_.begin(), content_.end());
  source_->write(0, all);
}

std::vector<CoreCoord> Rivals::cores() const {
  std::vector<CoreCoord> cores;
  for (const auto* rivals : {&on_links_, &on_banks_})
    for (const Rival& rival : *rivals) cores.push_back(rival.core);
  return cores;
}

std::vector<std::uint32_t> Rivals::common_args(const Rival& rival, std::uint32_t packets,
                                               bool pauses, std::uint32_t delay) const {
  const CoreCoord sender =
      mesh_.device(0).worker_core_from_logical_core(senders_[rival.sender].core);
  return {address_of(memory_), packets, delay, pauses, sender.x, sender.y, control_};
}

void Rivals::add_writes(Program& program) const {
  if (on_links_.empty()) return;
  std::vector<CoreCoord> cores;
  for (const Rival& rival : on_links_) cores.push_back(rival.core);
  DataMovementConfig writes;
  writes.processor = DataMovementProcessor::RISCV_0;
  writes.noc = options_.write_noc;
  const KernelHandle handle =
      CreateKernel(program, "firmware/kernels/prefetcher/rival.cpp", CoreRangeSet(cores), writes);
  for (const Rival& rival : on_links_) {
    const CoreCoord to = mesh_.device(0).worker_core_from_logical_core(rival.to);
    std::vector<std::uint32_t> args =
        common_args(rival, options_.rival_packets, options_.rival_pauses, kDelay);
    args.insert(args.end(), {to.x, to.y});
    SetRuntimeArgs(program, handle, rival.core, args);
  }
}

void Rivals::add_reads(Program& program, bool pauses, std::uint32_t delay) const {
  if (on_banks_.empty()) return;
  std::vector<CoreCoord> cores;
  for (const Rival& rival : on_banks_) cores.push_back(rival.core);
  DataMovementConfig reads;
  reads.processor = DataMovementProcessor::RISCV_1;
  reads.noc = NOC::NOC_0;
  const KernelHandle handle = CreateKernel(program, "firmware/kernels/prefetcher/rival_reads.cpp",
                                           CoreRangeSet(cores), reads);
  for (const Rival& rival : on_banks_) {
    std::vector<std::uint32_t> args = common_args(rival, options_.rival_reads, pauses, delay);
    args.insert(args.end(), {senders_[rival.sender].bank, address_of(source_)});
    SetRuntimeArgs(program, handle, rival.core, args);
  }
}

void Rivals::measure_alone() {
  if (on_banks_.empty()) return;
  Program alone = CreateProgram();
  add_reads(alone, false, 0);
  mesh_.enqueue(0, alone);
  mesh_.finish();
  rate_alone_ = read_rate();
}

Program Rivals::program() const {
  Program program = CreateProgram();
  add_writes(program);
  add_reads(program, options_.rival_pauses, kDelay);
  return program;
}

double Rivals::mean(const std::vector<Rival>& rivals, std::uint32_t stat) const {
  const runtime::ReadsTimes times(mesh_.library());
  double sum = 0;
  for (const Rival& rival : rivals) {
    std::uint32_t cycles = 0;
    mesh_.device(0).read_l1(rival.core, address_of(memory_) + kernel::kRivalStats + 4 * stat,
                            &cycles, sizeof(cycles));
    sum += cycles;
  }
  return sum / static_cast<double>(rivals.size());
}

double Rivals::read_rate() const {
  return static_cast<double>(content_.size() * on_banks_.size()) /
         mean(on_banks_, kernel::kRivalCycles);
}

/// The last packets are still in L1.
bool Rivals::has_right_bytes(const Rival& rival) const {
  std::vector<std::uint8_t> packet(kPacket);
  const std::uint32_t packets = options_.rival_reads;
  for (std::uint32_t i = packets - std::min(packets, kernel::kRivalPlaces); i < packets; ++i) {
    mesh_.device(0).read_l1(rival.core, address_of(memory_) + i % kernel::kRivalPlaces * kPacket,
                            packet.data(), kPacket);
    if (!std::equal(packet.begin(), packet.end(),
                    content_.begin() + static_cast<std::ptrdiff_t>(std::size_t{i} * kPacket)))
      return false;
  }
  return true;
}

void Rivals::report(Result& result) const {
  if (!on_links_.empty())
    result.metrics.push_back({"rival_cycles", mean(on_links_, kernel::kRivalCycles), "cycles"});
  if (!on_banks_.empty()) {
    result.metrics.push_back({"rival_reads_alone", rate_alone_, "bytes/cycle"});
    result.metrics.push_back({"rival_reads", read_rate(), "bytes/cycle"});
    for (const Rival& rival : on_banks_)
      if (result.passed && !has_right_bytes(rival)) {
        result.passed = false;
        result.reason = "the rival on " + rival.core.str() + " has read wrong bytes";
      }
  }
  if (!options_.rival_pauses) return;
  const auto& paused = on_banks_.empty() ? on_links_ : on_banks_;
  result.metrics.push_back(
      {"rival_waits_for_pause", mean(paused, kernel::kRivalPauseCycles), "cycles"});
}

}  // namespace tvp::workloads::prefetcher
