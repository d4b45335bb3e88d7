#include "sw/runtime/programs/program.h"

#include <algorithm>
#include <filesystem>

#include "foundation/contract/memory_map.h"
#include "sw/runtime/errors.h"

namespace tvp::runtime {

namespace {

bool is_letter(char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// True for a macro name, perhaps with parameters.
bool is_macro(const std::string& name) {
  if (name.empty() || !is_letter(name[0])) return false;
  const std::size_t end = std::min(name.find('('), name.size());
  for (const char c : name.substr(0, end))
    if (!is_letter(c) && (c < '0' || c > '9')) return false;
  return end == name.size() || name.back() == ')';
}

/// True if a text needs no escape between quotes.
bool is_plain(const std::string& name) {
  return std::none_of(name.begin(), name.end(), [](char c) {
    return c == '"' || c == '\\' || static_cast<unsigned char>(c) < ' ';
  });
}

/// Throws for enumerators outside of their range.
void check(const std::string& source, const DataMovementConfig& config) {
  if (config.processor > DataMovementProcessor::RISCV_1)
    bad_use(source, "a data movement processor that is neither RISCV_0 nor RISCV_1");
  if (config.noc_mode > NOC_MODE::DM_DYNAMIC_NOC) bad_use(source, "a mode of NoCs that is none");
}
/// Arguments of all kernels of a core share this room. A plan checks their sum.
void check_number_of_arguments(const Kernel& kernel, std::size_t words) {
  if (words > tvp::contract::kMostKernelArgumentsSize / 4)
    bad_use(kernel.source,
            std::to_string(words) + " runtime arguments; the arguments of a core's kernels have " +
                std::to_string(tvp::contract::kMostKernelArgumentsSize) + " bytes in all");
}
void check(const std::string& source, const ComputeConfig& config) {
  const MathFidelity fidelity = config.math_fidelity;
  if (fidelity > MathFidelity::HiFi4 || static_cast<unsigned>(fidelity) == 1)
    bad_use(source, "expected a fidelity of LoFi, HiFi2, HiFi3 or HiFi4");
}
void check(const std::string&, const EthernetConfig&) {}

template <typename Config>
void check_config(const std::string& source, const Config& config) {
  check(source, config);
  if constexpr (requires { config.noc; }) {
    if (config.noc > NOC::NOC_1) bad_use(source, "expected NOC_0 or NOC_1");
  }
  if (config.opt_level > KernelBuildOptLevel::Oz)
    bad_use(source, "expected a level of optimization from O0 to Oz");
  for (const std::string& folder : config.compiler_include_paths)
    if (!std::filesystem::is_directory(folder))
      bad_use(source, "the include path '" + folder + "' is no folder");
  for (const auto& [name, value] : config.defines)
    if (!is_macro(name)) bad_use(source, "the define '" + name + "' is no name of a macro");
  for (const auto& [name, value] : config.named_compile_args)
    if (!is_plain(name))
      bad_use(source, "the named argument '" + name + "'; expected no quote, backslash or break");
}

}  // namespace

std::string name_of(RemoteEnd::Kind kind, unsigned number) {
  return (kind == RemoteEnd::Kind::kPrefetcherPipe ? "pipe " : "cross-node buffer ") +
         std::to_string(number);
}

}  // namespace tvp::runtime

namespace tt::tt_metal {

using namespace tvp::runtime;

KernelHandle Program::add_kernel(
    std::string source, CoreRangeSet cores,
    std::variant<DataMovementConfig, ComputeConfig, EthernetConfig> config) {
  if (cores.cores().empty()) bad_use(source, "is to run on no core");
  std::visit([&](const auto& chosen) { check_config(source, chosen); }, config);
  kernels_.push_back({std::move(source), std::move(cores), std::move(config), {}, {}});
  return static_cast<KernelHandle>(kernels_.size() - 1);
}

CBHandle Program::add_circular_buffer(CoreRangeSet cores, CircularBufferConfig config) {
  if (config.indices().empty() && config.remote_indices().empty())
    bad_use("circular buffer", "has no index; expected one of 0 to 31");
  if (cores.cores().empty()) bad_use("circular buffer", "is on no core");
  for (const auto& [index, of] : config.indices())
    CircularBufferConfig::check_format(index, of.format);
  for (const auto& [index, of] : config.remote_indices())
    CircularBufferConfig::check_format(index, of.format);
  if (config.total_bytes() == 0) bad_use("circular buffer", "a total size of 0");
  const auto check_new = [&](std::uint8_t index) {
    for (const CircularBuffer& other : cbs_)
      if (other.config.has(index) && other.cores.intersects(cores))
        bad_use("circular buffer " + std::to_string(index),
                "is there already on some of its cores");
  };
  for (const auto& [index, unused] : config.indices()) {
    check_new(index);
    if (config.remote_indices().count(index) != 0)
      bad_use("circular buffer " + std::to_string(index), "is both a local and a remote one");
  }
  for (const auto& [index, unused] : config.remote_indices()) check_new(index);
  for (const auto& [index, unused] : config.indices())
    CircularBufferConfig::check_pages(index, config.page_bytes(index), config.total_bytes());
  cbs_.push_back({std::move(cores), std::move(config)});
  return static_cast<CBHandle>(cbs_.size() - 1);
}

std::uint32_t Program::add_semaphore(CoreRangeSet cores, std::uint32_t initial, bool on_ethernet) {
  if (cores.cores().empty()) bad_use("semaphore", "is on no core");
  for (std::uint32_t number = 0; number < tvp::contract::kSemaphores; ++number) {
    bool free = true;
    for (const auto& [taken, semaphore] : semaphores_)
      if (taken == number && semaphore.on_ethernet == on_ethernet &&
          semaphore.cores.intersects(cores))
        free = false;
    if (!free) continue;
    semaphores_.push_back({number, {std::move(cores), initial, on_ethernet}});
    return number;
  }
  bad_use("semaphore", "a core has no more than 16");
}

Kernel& Program::kernel(KernelHandle handle) {
  if (handle >= kernels_.size())
    bad_use("kernel " + std::to_string(handle), "is not one of this program");
  return kernels_[handle];
}

void Program::set_runtime_args(KernelHandle handle, const CoreRangeSet& cores,
                               const std::vector<std::uint32_t>& args) {
  Kernel& k = kernel(handle);
  check_number_of_arguments(k, args.size());
  for (const CoreCoord core : cores.cores()) {
    if (!k.cores.contains(core)) bad_use(k.source, "does not run on core " + core.str());
    k.runtime_args[core] = args;
  }
}

void Program::set_common_runtime_args(KernelHandle handle, std::vector<std::uint32_t> args) {
  Kernel& k = kernel(handle);
  check_number_of_arguments(k, args.size());
  k.common_args = std::move(args);
}

std::vector<std::uint32_t>& Program::runtime_args(KernelHandle handle, CoreCoord core) {
  Kernel& k = kernel(handle);
  if (!k.cores.contains(core)) bad_use(k.source, "does not run on core " + core.str());
  return k.runtime_args[core];
}

std::vector<std::uint32_t>& Program::common_runtime_args(KernelHandle handle) {
  return kernel(handle).common_args;
}

CircularBufferConfig& Program::circular_buffer_config(CBHandle cb) {
  if (cb >= cbs_.size())
    bad_use("circular buffer with handle " + std::to_string(cb), "is not one of this program");
  return cbs_[cb].config;
}

std::uint8_t Program::add_remote_end(RemoteEnd end) {
  constexpr unsigned kMost = 255;
  for (unsigned number = 0; number < kMost; ++number) {
    const bool taken =
        std::any_of(remote_ends_.begin(), remote_ends_.end(), [&](const RemoteEnd& other) {
          return other.kind == end.kind && other.number == number &&
                 other.cores.intersects(end.cores);
        });
    if (taken) continue;
    end.number = static_cast<std::uint8_t>(number);
    remote_ends_.push_back(std::move(end));
    return remote_ends_.back().number;
  }
  bad_use("remote buffer", "a core has no more than 255 of a kind");
}

CBHandle Program::add_relay(RemoteEnd::Kind kind, std::uint8_t number, const CoreRangeSet& cores,
                            CircularBufferConfig config) {
  const std::string name = name_of(kind, number);
  if (config.indices().size() != 1 || !config.remote_indices().empty())
    bad_use("circular buffer", "over " + name + " needs one index, and no remote one");
  const auto index = config.indices().begin()->first;
  const auto is_of = [&](const RemoteEnd& end, CoreCoord core) {
    return end.kind == kind && end.number == number && end.cores.contains(core);
  };
  for (const CoreCoord core : cores.cores()) {
    const auto end = std::find_if(remote_ends_.begin(), remote_ends_.end(),
                                  [&](const RemoteEnd& one) { return is_of(one, core); });
    if (end == remote_ends_.end())
      bad_use("circular buffer " + std::to_string(index),
              "is to lie over " + name + ", which core " + core.str() + " does not have");
    if (end->relay && *end->relay != index)
      bad_use(name, "has a circular buffer over its ring already");
    if (end->entry_size % config.page_bytes(index) != 0)
      bad_use("circular buffer " + std::to_string(index),
              "has pages of " + std::to_string(config.page_bytes(index)) +
                  " bytes, which do not divide the " + "entries of " + name + ", " +
                  std::to_string(end->entry_size));
    if (config.address() && *config.address() != end->ring_address)
      bad_use("circular buffer " + std::to_string(index),
              "is to lie over rings of " + name + " at two addresses");
    config.set_address(end->ring_address);
    config.set_total_size(end->ring_size / end->entry_size * end->entry_size);
    end->relay = index;
    end->relay_cores = cores;
  }
  config.set_relay(kind == RemoteEnd::Kind::kPrefetcherPipe ? std::optional(number) : std::nullopt);
  return add_circular_buffer(cores, std::move(config));
}

}  // namespace tt::tt_metal
