#include "sw/runtime/buffers/prefetcher_pipe.h"

#include <set>

#include "foundation/contract/remote_dfb.h"
#include "sw/runtime/buffers/remote_dfb_pages.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/mesh/mesh_device.h"

namespace tvp::runtime::experimental {

namespace {

CoreRangeSet both(const CoreRangeSet& one, const CoreRangeSet& other) {
  const std::vector<CoreCoord> first = one.cores(), second = other.cores();
  std::set<CoreCoord> all(first.begin(), first.end());
  all.insert(second.begin(), second.end());
  return CoreRangeSet(std::vector<CoreCoord>(all.begin(), all.end()));
}

void check(const PrefetcherPipeSpaceConfig& config) {
  const std::string where = "pipe space";
  if (config.buffer_type != BufferType::L1) bad_use(where, "is in DRAM; expected L1");
  if (config.num_dram_senders != 0)
    bad_use(where, "has senders in DRAM tiles, which have no core on Wormhole");
  if (config.ring_size == 0 || config.ring_size % contract::kRemoteCbUnit != 0)
    bad_use(where, "has rings of " + std::to_string(config.ring_size) +
                       " bytes; expected a positive multiple of 16");
  if (config.sender_cores.num_cores() == 0) bad_use(where, "has no core that may send");
  if (config.receiver_domain.num_cores() == 0) bad_use(where, "has no core that may receive");
  if (config.max_receivers_per_pipe == 0 ||
      config.max_receivers_per_pipe > config.receiver_domain.num_cores())
    bad_use(where, "has at most " + std::to_string(config.max_receivers_per_pipe) +
                       " receivers in a pipe; expected 1 to its " +
                       std::to_string(config.receiver_domain.num_cores()));
}

}  // namespace

/// Memory that a space and its pipes share. The last of them frees it.
class PipeSpaceMemory {
 public:
  PipeSpaceMemory(MeshDevice& mesh, const PrefetcherPipeSpaceConfig& config)
      : mesh_(mesh),
        cores_(both(config.sender_cores, config.receiver_domain)),
        pages_(config.max_receivers_per_pipe),
        ring_size_(config.ring_size),
        ring_(MeshBuffer::create(
            mesh, ShardedBufferConfig{.cores = cores_, .shard_bytes = config.ring_size})),
        config_(MeshBuffer::create(
            mesh, ShardedBufferConfig{.cores = cores_, .shard_bytes = pages_.bytes()})) {}

  std::uint32_t ring_address() const { return static_cast<std::uint32_t>(ring_->address()); }
  std::uint32_t config_address() const { return static_cast<std::uint32_t>(config_->address()); }
  std::uint32_t ring_size() const { return ring_size_; }
  const RemoteDfbPages& pages() const { return pages_; }
  const CoreRangeSet& cores() const { return cores_; }
  bool claimed(CoreCoord core) const { return claimed_.count(core) != 0; }

  void claim(CoreCoord sender, const std::vector<CoreCoord>& receivers) {
    claimed_.insert(sender);
    claimed_.insert(receivers.begin(), receivers.end());
    const RemoteDfbPages::Ring ring{ring_address(), ring_size_};
    for (unsigned d = 0; d < mesh_.num_devices(); ++d) {
      const Device& device = mesh_.device(d);
      write(d, sender, pages_.of_sender(device, config_address(), ring, receivers));
      for (std::size_t i = 0; i < receivers.size(); ++i)
        write(d, receivers[i], pages_.of_receiver(device, config_address(), ring, sender, i));
    }
  }
  void release(const CoreRangeSet& cores) {
    for (const CoreCoord core : cores.cores()) claimed_.erase(core);
  }

 private:
  void write(unsigned device, CoreCoord core, const std::vector<std::uint32_t>& words) {
    config_->write_shard(device, core,
                         {reinterpret_cast<const std::uint8_t*>(words.data()),
                          words.size() * sizeof(std::uint32_t)});
  }

  MeshDevice& mesh_;
  CoreRangeSet cores_;
  RemoteDfbPages pages_;
  std::uint32_t ring_size_;
  std::shared_ptr<MeshBuffer> ring_, config_;
  std::set<CoreCoord> claimed_;
};

PrefetcherPipe::PrefetcherPipe(std::shared_ptr<PipeSpaceMemory> memory, CoreCoord sender,
                               CoreRangeSet receivers)
    : memory_(std::move(memory)),
      sender_(sender),
      senders_(sender),
      receivers_(std::move(receivers)),
      all_(both(senders_, receivers_)) {
  memory_->claim(sender_, receivers_.cores());
}

PrefetcherPipe& PrefetcherPipe::operator=(PrefetcherPipe&& other) noexcept {
  if (this == &other) return *this;
  release();
  life_ = std::move(other.life_);
  memory_ = std::move(other.memory_);
  sender_ = other.sender_;
  senders_ = std::move(other.senders_);
  receivers_ = std::move(other.receivers_);
  all_ = std::move(other.all_);
  return *this;
}

void PrefetcherPipe::release() {
  if (memory_ != nullptr) memory_->release(all_);
  memory_.reset();
  life_.end();
}

const PipeSpaceMemory& PrefetcherPipe::memory() const {
  if (memory_ == nullptr) bad_use("pipe", "is used after it was moved to another object");
  return *memory_;
}

std::uint32_t PrefetcherPipe::buffer_address() const { return memory().ring_address(); }
std::uint32_t PrefetcherPipe::config_address() const { return memory().config_address(); }
std::uint32_t PrefetcherPipe::ring_size() const { return memory().ring_size(); }
std::uint32_t PrefetcherPipe::config_page_size() const { return memory().pages().bytes(); }
std::uint32_t PrefetcherPipe::credit_reset_offset() const {
  return memory().pages().counters_offset();
}
std::uint32_t PrefetcherPipe::credit_reset_size() const {
  return memory().pages().counters_bytes();
}

PrefetcherPipeSpace::PrefetcherPipeSpace(MeshDevice& mesh, const PrefetcherPipeSpaceConfig& config)
    : config_(config) {
  check(config_);
  memory_ = std::make_shared<PipeSpaceMemory>(mesh, config_);
}

std::uint32_t PrefetcherPipeSpace::buffer_address() const { return memory_->ring_address(); }
std::uint32_t PrefetcherPipeSpace::config_address() const { return memory_->config_address(); }
std::uint32_t PrefetcherPipeSpace::config_page_size() const { return memory_->pages().bytes(); }
const CoreRangeSet& PrefetcherPipeSpace::reservation_cores() const { return memory_->cores(); }

CoreRangeSet PrefetcherPipeSpace::unclaimed_cores() const {
  std::vector<CoreCoord> free;
  for (const CoreCoord core : memory_->cores().cores())
    if (!memory_->claimed(core)) free.push_back(core);
  return CoreRangeSet(free);
}

PrefetcherPipe PrefetcherPipeSpace::create_pipe(CoreCoord sender, const CoreRangeSet& receivers) {
  const std::pair<CoreCoord, CoreRangeSet> one{sender, receivers};
  return std::move(create_pipes({&one, 1}).front());
}

std::vector<PrefetcherPipe> PrefetcherPipeSpace::create_pipes(
    std::span<const std::pair<CoreCoord, CoreRangeSet>> pipes) {
  std::set<CoreCoord> taken;
  const auto take = [&](CoreCoord core) {
    if (memory_->claimed(core) || !taken.insert(core).second)
      bad_use("pipe", "core " + core.str() + " is of another pipe, or in this one twice");
  };
  for (const auto& [sender, receivers] : pipes) {
    if (!config_.sender_cores.contains(sender))
      bad_use("pipe", "core " + sender.str() + " is no sender of the space");
    const std::vector<CoreCoord> its = receivers.cores();
    if (its.empty() || its.size() > config_.max_receivers_per_pipe)
      bad_use("pipe", "has " + std::to_string(its.size()) + " receivers; expected 1 to " +
                          std::to_string(config_.max_receivers_per_pipe));
    take(sender);
    for (const CoreCoord core : its) {
      if (!config_.receiver_domain.contains(core))
        bad_use("pipe", "core " + core.str() + " is no receiver of the space");
      take(core);
    }
  }
  std::vector<PrefetcherPipe> made;
  for (const auto& [sender, receivers] : pipes) made.emplace_back(memory_, sender, receivers);
  return made;
}

PrefetcherPipeSpace CreatePrefetcherPipeSpace(MeshDevice& mesh,
                                              const PrefetcherPipeSpaceConfig& config) {
  return {mesh, config};
}

PrefetcherPipe CreatePrefetcherPipe(MeshDevice& mesh, CoreCoord sender,
                                    const CoreRangeSet& receivers, std::uint32_t ring_size,
                                    BufferType buffer_type) {
  PrefetcherPipeSpace space(mesh,
                            {sender, 0, receivers, ring_size, receivers.num_cores(), buffer_type});
  return space.create_pipe(sender, receivers);
}

std::uint8_t AttachPrefetcherPipe(Program& program, const PrefetcherPipe& pipe,
                                  const CoreRangeSet& cores, std::uint32_t entry_size) {
  if (entry_size == 0 || entry_size % contract::kRemoteCbUnit != 0 || entry_size > pipe.ring_size())
    bad_use("pipe", "entries of " + std::to_string(entry_size) +
                        " bytes; expected a positive multiple of 16, at most the ring's " +
                        std::to_string(pipe.ring_size()));
  std::size_t receivers = 0;
  for (const CoreCoord core : cores.cores()) {
    if (!pipe.all_cores().contains(core))
      bad_use("pipe", "core " + core.str() + " is neither its sender nor a receiver");
    if (!(core == pipe.sender_core())) ++receivers;
  }
  if (receivers != 0 && receivers != pipe.receiver_cores().num_cores())
    bad_use("pipe", "a program has all its receivers, or none");
  if (cores.num_cores() == 0) bad_use("pipe", "is for no core of the program");
  RemoteEnd end;
  end.kind = RemoteEnd::Kind::kPrefetcherPipe;
  end.cores = cores;
  end.entry_size = entry_size;
  end.ring_address = pipe.buffer_address();
  end.ring_size = pipe.ring_size();
  end.config_address = pipe.config_address();
  end.memory = pipe.life();
  return program.add_remote_end(std::move(end));
}

CBHandle CreateCircularBuffer(Program& program, const CoreRangeSet& cores,
                              const CircularBufferConfig& config, const PrefetcherPipe& pipe,
                              std::uint8_t number) {
  if (cores.cores().empty()) bad_use("circular buffer", "is on no core");
  for (const CoreCoord core : cores.cores())
    if (!pipe.receiver_cores().contains(core))
      bad_use("circular buffer", "core " + core.str() + " is no receiver of the pipe");
  return CreatePrefetcherPipeRelayDataflowBuffer(program, cores, config, number);
}

CBHandle CreatePrefetcherPipeRelayDataflowBuffer(Program& program, const CoreRangeSet& cores,
                                                 const CircularBufferConfig& config,
                                                 std::uint8_t number) {
  return program.add_relay(RemoteEnd::Kind::kPrefetcherPipe, number, cores, config);
}

}  // namespace tvp::runtime::experimental
