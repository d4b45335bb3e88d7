// The exported functions of libtensix_vp_host.so. They only translate; the runtime does the work.
#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "foundation/host_error.h"
#include "sw/c_api/kernel_description.h"
#include "sw/c_api/tensix_vp/host.h"
#include "sw/c_api/wave_text.h"
#include "sw/runtime/host_api.h"
#include "sw/runtime/open_library.h"

#define TVP_HOST_EXPORT extern "C" __attribute__((visibility("default")))

using namespace tvp;
using foundation::Fault, foundation::FaultKind;

/// The devices of a system.
struct tensix_vp_host_mesh {
  std::unique_ptr<runtime::DeviceLibrary> library;
  std::unique_ptr<runtime::MeshDevice> devices;
};
struct tensix_vp_host_buffer {
  std::shared_ptr<runtime::MeshBuffer> memory;
};
struct tensix_vp_host_program {
  runtime::Program content;
};

namespace {

thread_local std::string last_error;
bool is_open = false;

int32_t code_of_current() {
  try {
    throw;
  } catch (const runtime::InterruptedError& error) {
    last_error = error.what();
    return TENSIX_VP_HOST_INTERRUPTED;
  } catch (const runtime::HangError& error) {
    last_error = error.what();
    return TENSIX_VP_HOST_HANG;
  } catch (const runtime::TimeLimitError& error) {
    last_error = error.what();
    return TENSIX_VP_HOST_TIME_LIMIT;
  } catch (const runtime::CompileError& error) {
    last_error = error.what();
    return TENSIX_VP_HOST_COMPILE;
  } catch (const Fault& error) {
    last_error = error.what();
    if (error.kind() == FaultKind::kDescription) return TENSIX_VP_HOST_USAGE;
    return error.kind() == FaultKind::kFirmware ? TENSIX_VP_HOST_FIRMWARE : TENSIX_VP_HOST_DEFECT;
  } catch (const std::exception& error) {
    const auto failure = foundation::host_failure(error);
    last_error = failure.value_or(error.what());
    return failure ? TENSIX_VP_HOST_MACHINE : TENSIX_VP_HOST_DEFECT;
  }
}

/// The body of an exported function: an exception becomes a code and the text of last_error.
template <typename Work>
int32_t answer(const Work& work) noexcept {
  try {
    work();
    return TENSIX_VP_HOST_OK;
  } catch (...) {
    return code_of_current();
  }
}

template <typename Object>
Object& required(Object* pointer, const char* what) {
  if (pointer == nullptr) runtime::bad_use("host", std::string("a null pointer as ") + what);
  return *pointer;
}

runtime::MeshDevice& devices_of(tensix_vp_host_mesh* mesh) {
  return *required(mesh, "mesh").devices;
}

runtime::MeshBuffer& memory_of(tensix_vp_host_buffer* buffer) {
  return *required(buffer, "buffer").memory;
}

/// The device of that number.
runtime::Device& device_of(tensix_vp_host_mesh* mesh, uint32_t device) {
  runtime::MeshDevice& devices = devices_of(mesh);
  if (device >= devices.num_devices())
    runtime::bad_use("device " + std::to_string(device),
                     "expected less than " + std::to_string(devices.num_devices()));
  return devices.device(device);
}

runtime::CoreRangeSet cores_of(const tensix_vp_host_range* ranges, uint32_t count) {
  if (count == 0) runtime::bad_use("cores", "there are none: expected at least one");
  required(ranges, "cores");
  std::vector<runtime::CoreRange> set;
  for (uint32_t i = 0; i < count; ++i)
    set.emplace_back(runtime::CoreCoord{ranges[i].first_x, ranges[i].first_y},
                     runtime::CoreCoord{ranges[i].last_x, ranges[i].last_y});
  return runtime::CoreRangeSet(std::move(set));
}

std::vector<uint32_t> words_of(const uint32_t* words, uint32_t count) {
  if (count == 0) return {};
  required(words, "words");
  return {words, words + count};
}

/// Copies as much of a text as fits, with a zero at the end.
void copy_out(const std::string& text, char* buffer, uint64_t size) {
  if (buffer == nullptr || size == 0) return;
  const std::size_t n = std::min<std::size_t>(text.size(), size - 1);
  std::memcpy(buffer, text.data(), n);
  buffer[n] = '\0';
}

runtime::MeshDevice::Options options_of(const tensix_vp_host_options* given) {
  runtime::MeshDevice::Options options;
  if (given == nullptr) return options;
  if (given->size != sizeof *given)
    runtime::bad_use("options", "size is " + std::to_string(given->size) + ": expected " +
                                    std::to_string(sizeof *given));
  // The environment can also enable them.
  options.dprint |= given->dprint != 0;
  options.watcher |= given->watcher != 0;
  options.profile |= given->profile != 0;
  if (given->print != nullptr)
    options.print = [print = given->print, user = given->user](const std::string& line) {
      print(line.c_str(), user);
    };
  return options;
}

/// A text that a call with a null buffer makes and the next one returns.
std::string kept_text;

}  // namespace

TVP_HOST_EXPORT uint32_t tensix_vp_host_version(void) { return TENSIX_VP_HOST_VERSION; }

TVP_HOST_EXPORT uint32_t tensix_vp_host_last_error(char* buffer, uint32_t size) {
  copy_out(last_error, buffer, size);
  return static_cast<uint32_t>(last_error.size());
}

TVP_HOST_EXPORT int32_t tensix_vp_host_open(const char* library, const char* settings,
                                            const tensix_vp_host_options* options,
                                            tensix_vp_host_mesh** mesh) {
  return answer([&] {
    required(mesh, "mesh");
    if (is_open) runtime::bad_use("open", "a mesh is already open in this process: close it first");
    auto made = std::make_unique<tensix_vp_host_mesh>();
    made->library =
        library == nullptr ? runtime::open_library() : runtime::DeviceLibrary::open(library);
    if (settings != nullptr && *settings != '\0') made->library->configure(settings);
    auto chosen = options_of(options);
    if (options != nullptr && options->poll != nullptr)
      made->library->set_clock_hook([poll = options->poll, user = options->user] {
        if (poll(user) != 0) throw runtime::InterruptedError("the host program ended the wait");
      });
    chosen.root = runtime::firmware_root(*made->library);
    made->devices = std::make_unique<runtime::MeshDevice>(*made->library, std::move(chosen));
    is_open = true;
    *mesh = made.release();
  });
}

TVP_HOST_EXPORT void tensix_vp_host_close(tensix_vp_host_mesh* mesh) {
  if (mesh == nullptr) return;
  answer([&] {
    const std::unique_ptr<tensix_vp_host_mesh> owned(mesh);
    is_open = false;
    owned->devices.reset();
    owned->library.reset();
  });
}

TVP_HOST_EXPORT int32_t tensix_vp_host_devices(tensix_vp_host_mesh* mesh, uint32_t* count) {
  return answer([&] { required(count, "count") = devices_of(mesh).num_devices(); });
}

TVP_HOST_EXPORT int32_t tensix_vp_host_device_info(tensix_vp_host_mesh* mesh, uint32_t device,
                                                   tensix_vp_host_device* info) {
  return answer([&] {
    const runtime::Device& of = device_of(mesh, device);
    const runtime::ChipLayout& layout = of.layout();
    required(info, "info") = {
        .chip = of.chip(),
        .columns = layout.grid_size().x,
        .rows = layout.grid_size().y,
        .dram_banks = layout.dram_banks(),
        .ethernet_channels = layout.ethernet_channels(),
        .l1_bytes = static_cast<uint32_t>(layout.spec().memories.tensix_l1_bytes),
        .dram_bank_bytes = layout.dram_bank_bytes()};
  });
}

TVP_HOST_EXPORT int32_t tensix_vp_host_worker(tensix_vp_host_mesh* mesh, uint32_t device,
                                              uint32_t x, uint32_t y, uint32_t coordinates,
                                              uint32_t* noc_x, uint32_t* noc_y) {
  return answer([&] {
    const runtime::ChipLayout& layout = device_of(mesh, device).layout();
    if (coordinates > TENSIX_VP_HOST_KERNEL)
      runtime::bad_use("coordinates", std::to_string(coordinates) + ": expected 0 or 1");
    const runtime::CoreCoord core = coordinates == TENSIX_VP_HOST_NOC0
                                        ? layout.worker_noc0({x, y})
                                        : layout.worker_virtual({x, y});
    required(noc_x, "x") = core.x;
    required(noc_y, "y") = core.y;
  });
}

TVP_HOST_EXPORT int32_t tensix_vp_host_l1(tensix_vp_host_mesh* mesh, uint32_t device, uint32_t x,
                                          uint32_t y, uint32_t address, void* data, uint64_t bytes,
                                          uint32_t write) {
  return answer([&] {
    runtime::Device& of = device_of(mesh, device);
    if (bytes == 0) return;
    required(static_cast<char*>(data), "data");
    if (write != 0)
      of.write_l1({x, y}, address, data, bytes);
    else
      of.read_l1({x, y}, address, data, bytes);
  });
}

TVP_HOST_EXPORT int32_t tensix_vp_host_dram(tensix_vp_host_mesh* mesh, uint32_t device,
                                            uint32_t bank, uint64_t address, void* data,
                                            uint64_t bytes, uint32_t write) {
  return answer([&] {
    runtime::Device& of = device_of(mesh, device);
    if (bytes == 0) return;
    required(static_cast<char*>(data), "data");
    if (write != 0)
      of.write_dram(bank, address, data, bytes);
    else
      of.read_dram(bank, address, data, bytes);
  });
}

TVP_HOST_EXPORT int32_t tensix_vp_host_report(tensix_vp_host_mesh* mesh, char* buffer,
                                              uint64_t size, uint64_t* length) {
  return answer([&] {
    if (buffer == nullptr) kept_text = devices_of(mesh).library().report();
    copy_out(kept_text, buffer, size);
    required(length, "length") = kept_text.size();
  });
}

TVP_HOST_EXPORT int32_t tensix_vp_host_time_ps(tensix_vp_host_mesh* mesh, uint64_t* ps) {
  return answer([&] { required(ps, "ps") = devices_of(mesh).library().time_ps(); });
}

TVP_HOST_EXPORT int32_t tensix_vp_host_compile_seconds(tensix_vp_host_mesh* mesh, double* seconds) {
  return answer([&] { required(seconds, "seconds") = devices_of(mesh).compile_seconds(); });
}

TVP_HOST_EXPORT int32_t tensix_vp_host_buffer_interleaved(tensix_vp_host_mesh* mesh,
                                                          uint32_t memory, uint64_t bytes,
                                                          uint64_t page_bytes,
                                                          tensix_vp_host_buffer** buffer) {
  return answer([&] {
    required(buffer, "buffer");
    if (memory > TENSIX_VP_HOST_L1)
      runtime::bad_use("memory", std::to_string(memory) + ": expected 0 (DRAM) or 1 (L1)");
    auto made = runtime::MeshBuffer::create(
        devices_of(mesh),
        runtime::InterleavedBufferConfig{.size = bytes,
                                         .page_size = page_bytes,
                                         .buffer_type = memory == TENSIX_VP_HOST_DRAM
                                                            ? runtime::BufferType::DRAM
                                                            : runtime::BufferType::L1});
    *buffer = new tensix_vp_host_buffer{std::move(made)};
  });
}

TVP_HOST_EXPORT int32_t tensix_vp_host_buffer_sharded(tensix_vp_host_mesh* mesh,
                                                      const tensix_vp_host_range* cores,
                                                      uint32_t ranges, uint32_t shard_bytes,
                                                      tensix_vp_host_buffer** buffer) {
  return answer([&] {
    required(buffer, "buffer");
    auto made = runtime::MeshBuffer::create(
        devices_of(mesh),
        runtime::ShardedBufferConfig{.cores = cores_of(cores, ranges), .shard_bytes = shard_bytes});
    *buffer = new tensix_vp_host_buffer{std::move(made)};
  });
}

TVP_HOST_EXPORT void tensix_vp_host_buffer_free(tensix_vp_host_buffer* buffer) {
  answer([&] { delete buffer; });
}

TVP_HOST_EXPORT int32_t tensix_vp_host_buffer_address(tensix_vp_host_buffer* buffer,
                                                      uint64_t* address) {
  return answer([&] { required(address, "address") = memory_of(buffer).address(); });
}

TVP_HOST_EXPORT int32_t tensix_vp_host_buffer_access(tensix_vp_host_buffer* buffer, uint32_t device,
                                                     void* data, uint64_t bytes, uint32_t write) {
  return answer([&] {
    runtime::MeshBuffer& memory = memory_of(buffer);
    if (bytes == 0) return;
    auto* const first = &required(static_cast<uint8_t*>(data), "data");
    memory.check_size(bytes);
    if (write != 0) return memory.write(device, {first, bytes});
    const std::vector<uint8_t> content = memory.read(device);
    std::memcpy(first, content.data(), std::min<std::size_t>(bytes, content.size()));
  });
}

TVP_HOST_EXPORT int32_t tensix_vp_host_buffer_difference(tensix_vp_host_buffer* buffer,
                                                         uint32_t device, const void* expected,
                                                         uint64_t bytes, char* text, uint64_t size,
                                                         uint64_t* length) {
  return answer([&] {
    runtime::MeshBuffer& memory = memory_of(buffer);
    const auto* const first = &required(static_cast<const uint8_t*>(expected), "expected");
    if (text == nullptr) kept_text = memory.difference(device, {first, bytes});
    copy_out(kept_text, text, size);
    required(length, "length") = kept_text.size();
  });
}

TVP_HOST_EXPORT int32_t tensix_vp_host_buffer_accessor(tensix_vp_host_buffer* buffer,
                                                       uint32_t* words, uint32_t size,
                                                       uint32_t* count) {
  return answer([&] {
    const runtime::TensorAccessorArgs args(memory_of(buffer));
    const std::vector<uint32_t>& all = args.get_compile_time_args();
    if (words != nullptr) std::copy_n(all.begin(), std::min<std::size_t>(size, all.size()), words);
    required(count, "count") = static_cast<uint32_t>(all.size());
  });
}

TVP_HOST_EXPORT int32_t tensix_vp_host_global_semaphore(tensix_vp_host_mesh* mesh,
                                                        const tensix_vp_host_range* cores,
                                                        uint32_t ranges, uint32_t initial,
                                                        uint32_t* address) {
  return answer([&] {
    required(address, "address") =
        devices_of(mesh).create_global_semaphore(cores_of(cores, ranges), initial);
  });
}

TVP_HOST_EXPORT int32_t tensix_vp_host_program_create(tensix_vp_host_program** program) {
  return answer([&] { required(program, "program") = new tensix_vp_host_program; });
}

TVP_HOST_EXPORT void tensix_vp_host_program_free(tensix_vp_host_program* program) {
  answer([&] { delete program; });
}

TVP_HOST_EXPORT int32_t tensix_vp_host_kernel(tensix_vp_host_program* program, const char* json,
                                              const tensix_vp_host_range* cores, uint32_t ranges,
                                              uint32_t* kernel) {
  return answer([&] {
    required(kernel, "kernel") = c_api::add_kernel(
        required(program, "program").content, &required(json, "json"), cores_of(cores, ranges));
  });
}

TVP_HOST_EXPORT int32_t tensix_vp_host_circular_buffer(tensix_vp_host_program* program,
                                                       uint32_t index, uint32_t format,
                                                       uint32_t total_bytes, uint32_t page_bytes,
                                                       tensix_vp_host_buffer* over,
                                                       const tensix_vp_host_range* cores,
                                                       uint32_t ranges) {
  return answer([&] {
    constexpr uint32_t kLargestByte = 255;
    if (index > kLargestByte || format > kLargestByte)
      runtime::bad_use("circular buffer", "index " + std::to_string(index) + ", format " +
                                              std::to_string(format) + ": expected at most 255");
    const auto number = static_cast<uint8_t>(index);
    runtime::CircularBufferConfig config(total_bytes, {{number, static_cast<DataFormat>(format)}});
    if (page_bytes != 0) config.set_page_size(number, page_bytes);
    if (over != nullptr) config.set_globally_allocated_address(memory_of(over));
    required(program, "program")
        .content.add_circular_buffer(cores_of(cores, ranges), std::move(config));
  });
}

TVP_HOST_EXPORT int32_t tensix_vp_host_semaphore(tensix_vp_host_program* program,
                                                 const tensix_vp_host_range* cores, uint32_t ranges,
                                                 uint32_t initial, uint32_t* id) {
  return answer([&] {
    required(id, "id") =
        required(program, "program").content.add_semaphore(cores_of(cores, ranges), initial);
  });
}

TVP_HOST_EXPORT int32_t tensix_vp_host_runtime_args(tensix_vp_host_program* program,
                                                    uint32_t kernel,
                                                    const tensix_vp_host_range* cores,
                                                    uint32_t ranges, const uint32_t* words,
                                                    uint32_t count) {
  return answer([&] {
    required(program, "program")
        .content.set_runtime_args(kernel, cores_of(cores, ranges), words_of(words, count));
  });
}

TVP_HOST_EXPORT int32_t tensix_vp_host_common_args(tensix_vp_host_program* program, uint32_t kernel,
                                                   const uint32_t* words, uint32_t count) {
  return answer([&] {
    required(program, "program").content.set_common_runtime_args(kernel, words_of(words, count));
  });
}

TVP_HOST_EXPORT int32_t tensix_vp_host_enqueue(tensix_vp_host_mesh* mesh, uint32_t device,
                                               const tensix_vp_host_program* program) {
  return answer([&] {
    device_of(mesh, device);
    devices_of(mesh).enqueue(device, required(program, "program").content);
  });
}

TVP_HOST_EXPORT int32_t tensix_vp_host_finish(tensix_vp_host_mesh* mesh) {
  return answer([&] { devices_of(mesh).finish(); });
}

TVP_HOST_EXPORT int32_t tensix_vp_host_run_times(tensix_vp_host_mesh* mesh, uint32_t device,
                                                 uint32_t x, uint32_t y, uint64_t* go,
                                                 uint64_t* done) {
  return answer([&] {
    const auto times = devices_of(mesh).run_times(device, device_of(mesh, device).worker({x, y}));
    required(go, "go") = times.go;
    required(done, "done") = times.done;
  });
}

TVP_HOST_EXPORT int32_t tensix_vp_host_fst_to_vcd(const char* fst, const char* vcd) {
  return answer([&] { c_api::write_vcd(&required(fst, "fst"), &required(vcd, "vcd")); });
}
