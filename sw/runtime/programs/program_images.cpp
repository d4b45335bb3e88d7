#include "sw/runtime/programs/program_images.h"

#include <algorithm>
#include <string>

#include "sw/runtime/errors.h"
#include "sw/runtime/programs/kernel_places.h"

namespace tvp::runtime {
namespace {

CbDescriptors descriptors_for(const Program& program, const Kernel& kernel) {
  CbDescriptors descriptors;
  if (kernel.on_ethernet()) return descriptors;
  for (const CircularBuffer& cb : program.circular_buffers()) {
    if (!cb.cores.intersects(kernel.cores)) continue;
    for (const auto& [index, config] : cb.config.indices()) {
      auto& slot = descriptors.cbs[index];
      const CbDescriptors::Cb described{config.format, config.tile, config.faces};
      if (slot && !(*slot == described))
        bad_use(kernel.source, "circular buffer " + std::to_string(index) +
                                   " differs in format or tile among the kernel's cores");
      slot = described;
    }
  }
  return descriptors;
}

/// Code at a kernel's start that places local circular buffers over their remote one
/// (firmware/boot/kernel_entry.h). May be empty.
std::string alignment_of(const Program& program, const Kernel& kernel) {
  std::string code;
  for (const CircularBuffer& cb : program.circular_buffers()) {
    const CircularBufferConfig& config = cb.config;
    if (kernel.on_ethernet() || !cb.cores.intersects(kernel.cores)) continue;
    // A receiver's kernel places it itself and waits for the pops of compute cores.
    if (config.relayed_pipe() && std::holds_alternative<ComputeConfig>(kernel.config))
      code += "tvp::remote_dfb::align_pipe_relay(" + std::to_string(*config.relayed_pipe()) + ");";
    if (config.remote_indices().empty() || config.indices().empty()) continue;
    code += "experimental::align_local_cbs_to_remote_cb<" +
            std::to_string(config.indices().size()) + ">(" +
            std::to_string(config.remote_indices().begin()->first) + ",{";
    for (const auto& [index, unused] : config.indices()) code += std::to_string(index) + ",";
    code.back() = '}';
    code += ");";
  }
  return code;
}

KernelRequest request_for(const Program& program, const Kernel& kernel, std::uint32_t processor) {
  KernelRequest request;
  request.processor = processor;
  request.source = kernel.source;
  request.cbs = descriptors_for(program, kernel);
  const auto take = [&](const auto& config) {
    request.compile_args = config.compile_args;
    request.named_compile_args = config.named_compile_args;
    request.names = config.names;
    request.defines = config.defines;
    request.opt_level = config.opt_level;
    request.include_paths = config.compiler_include_paths;
  };
  std::visit(take, kernel.config);
  const char* reserved = "ALIGN_LOCAL_CBS_TO_REMOTE_CBS";
  if (request.defines.count(reserved) != 0)
    bad_use(kernel.source, std::string(reserved) + " is the runtime's to define");
  if (std::string code = alignment_of(program, kernel); !code.empty())
    request.defines[reserved] = std::move(code);
  if (const auto* dm = std::get_if<DataMovementConfig>(&kernel.config)) {
    request.noc_index = static_cast<std::uint32_t>(dm->noc);
    request.noc_mode = dm->noc_mode;
  } else if (const auto* eth = std::get_if<EthernetConfig>(&kernel.config)) {
    request.noc_index = static_cast<std::uint32_t>(eth->noc);
  } else {
    const auto& compute = std::get<ComputeConfig>(kernel.config);
    request.math_fidelity = compute.math_fidelity;
    request.fp32_dest_acc_en = compute.fp32_dest_acc_en;
    const auto& modes = compute.unpack_to_dest_mode;
    for (std::size_t cb = 0; cb < std::min<std::size_t>(modes.size(), contract::kCircularBuffers);
         ++cb)
      if (modes[cb] == UnpackToDestMode::UnpackToDestFp32) request.unpack_to_dst_fp32 |= 1U << cb;
    request.dst_full_sync_en = compute.dst_full_sync_en;
    request.math_approx_mode = compute.math_approx_mode;
    request.bfp8_pack_precise = compute.bfp8_pack_precise;
  }
  return request;
}

std::uint32_t bytes_of(const ElfImage& image) {
  return image.symbol("__image_end") - image.symbol("__image_base");
}

}  // namespace

std::vector<std::uint32_t> processors_of(const Kernel& kernel) {
  if (kernel.on_ethernet()) return {contract::kErisc};
  if (std::holds_alternative<ComputeConfig>(kernel.config))
    return {contract::kTrisc0, contract::kTrisc1, contract::kTrisc2};
  const auto processor = std::get<DataMovementConfig>(kernel.config).processor;
  return {processor == DataMovementProcessor::RISCV_0 ? contract::kBrisc : contract::kNcrisc};
}

ProgramImages::ProgramImages(const Program& program, const std::map<CoreId, std::uint32_t>& cores,
                             KernelCompiler& compiler, const CompileOptions& options) {
  add_requests(program);
  const Images usual = compiler.kernels(requests_, options);
  const std::string_view advice = options.debuggable ? kLargerForDebugger : "";
  for (const auto& [core, configuration_bytes] : cores)
    place(program, core, configuration_bytes, usual, advice);
  link(compiler, options, usual);
}

void ProgramImages::add_requests(const Program& program) {
  for (const Kernel& kernel : program.kernels()) {
    first_.push_back(requests_.size());
    for (const std::uint32_t processor : processors_of(kernel))
      requests_.push_back(request_for(program, kernel, processor));
  }
  first_.push_back(requests_.size());
}

void ProgramImages::place(const Program& program, const CoreId& core,
                          std::uint32_t configuration_bytes, const Images& usual,
                          std::string_view advice) {
  std::vector<std::size_t> numbers;
  for (std::size_t k = 0; k < program.kernels().size(); ++k) {
    const Kernel& kernel = program.kernels()[k];
    if (kernel.on_ethernet() != core.ethernet || !kernel.cores.contains(core.logical)) continue;
    for (std::size_t i = first_[k]; i < first_[k + 1]; ++i) numbers.push_back(i);
  }
  std::stable_sort(numbers.begin(), numbers.end(), [this](std::size_t a, std::size_t b) {
    return requests_[a].processor < requests_[b].processor;
  });
  std::vector<KernelSize> sizes;
  for (const std::size_t i : numbers) {
    const KernelRequest& request = requests_[i];
    if (!sizes.empty() && sizes.back().processor == request.processor)
      bad_use(request.source, "a second kernel for a processor of core " + core.logical.str());
    sizes.push_back({request.source, request.processor, bytes_of(*usual[i])});
  }
  const std::vector<std::uint32_t> places =
      kernel_places(core.logical.str(), sizes, configuration_bytes, advice);
  for (std::size_t n = 0; n < numbers.size(); ++n) places_[core][numbers[n]] = places[n];
}

void ProgramImages::link(KernelCompiler& compiler, const CompileOptions& options,
                         const Images& usual) {
  std::vector<KernelRequest> requests;
  std::vector<std::pair<std::size_t, std::uint32_t>> keys;
  for (const auto& [core, places] : places_) {
    for (const auto& [number, base] : places) {
      const bool is_new = linked_.try_emplace({number, base}, usual[number]).second;
      if (!is_new || base == contract::usual_kernel_base(requests_[number].processor)) continue;
      requests.push_back(requests_[number]);
      requests.back().image_base = base;
      keys.emplace_back(number, base);
    }
  }
  if (requests.empty()) return;
  const Images images = compiler.kernels(requests, options);
  for (std::size_t i = 0; i < images.size(); ++i) {
    if (bytes_of(*images[i]) != bytes_of(*usual[keys[i].first]))
      bad_use(requests[i].source, "aligns something to more than " +
                                      std::to_string(contract::kKernelPlaceAlignment) +
                                      " bytes, beside kernels that leave it no such place");
    linked_[keys[i]] = images[i];
  }
}

ProgramImages::OfKernel ProgramImages::of(const CoreId& core, std::size_t kernel) const {
  OfKernel images;
  for (std::size_t i = first_[kernel]; i < first_[kernel + 1]; ++i)
    images.emplace_back(requests_[i].processor, linked_.at({i, places_.at(core).at(i)}));
  return images;
}

}  // namespace tvp::runtime
