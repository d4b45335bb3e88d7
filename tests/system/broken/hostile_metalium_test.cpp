// Tests the errors for host programs that use tt-metal's names wrongly: each text says what was
// wrong. Each program runs in a separate process and opens its own machine.

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <limits>
#include <string>
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tensor_accessor_args.hpp>
#include <vector>

#include "tests/support/in_process_of_its_own.h"
#include "tt_metal/detail/tt_metal.hpp"
#include "tt_metal/impl/device/device.hpp"

using namespace tt;
using namespace tt::tt_metal;

namespace {

constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
constexpr CoreCoord kCore = {0, 0};

struct Use {
  const char* name;
  std::function<void()> use;
  const char* reported;
};
class HostileMetalium : public testing::TestWithParam<Use> {};

TEST_P(HostileMetalium, IsRefused) {
  const std::string reported = tvp::test::refusal_in_process_of_its_own([] {
    setenv("TENSIX_VP_LIBRARY", TVP_LIBRARY, 1);
    setenv("TENSIX_VP_CONFIGURE", "system=n150", 1);
    GetParam().use();
  });
  EXPECT_NE(reported.find(GetParam().reported), std::string::npos) << reported;
}

std::shared_ptr<Buffer> buffer_of(IDevice* device, BufferType type = BufferType::DRAM) {
  return CreateBuffer(
      InterleavedBufferConfig{.device = device, .size = 64, .page_size = 64, .buffer_type = type});
}

INSTANTIATE_TEST_SUITE_P(
    Uses, HostileMetalium,
    testing::Values(
        Use{"device_minus_1", [] { CreateDevice(-1); }, "device -1: the system has 1"},
        Use{"device_99", [] { CreateDevice(99); }, "device 99: the system has 1"},
        Use{"device_twice",
            [] {
              CreateDevice(0);
              CreateDevice(0);
            },
            "is created a second time"},
        Use{"close_of_nothing", [] { CloseDevice(nullptr); }, "expected a device"},
        Use{"unit_mesh_minus_1", [] { distributed::MeshDevice::create_unit_mesh(-1); },
            "device -1"},
        Use{"mesh_of_nothing",
            [] {
              distributed::MeshDevice::create(distributed::MeshShape{0, 0});
            },
            "0 x 0"},
        Use{"mesh_that_comes_to_1",
            [] {
              distributed::MeshDevice::create(distributed::MeshShape{kMost, kMost});
            },
            "4294967295 x 4294967295 for 1 devices"},
        Use{"buffer_of_no_device", [] { buffer_of(nullptr); }, "names no device"},
        Use{"buffer_of_a_closed_device",
            [] {
              IDevice* device = CreateDevice(0);
              CloseDevice(device);
              buffer_of(device);
            },
            "device 0: is used after it was closed"},
        Use{"program_of_a_closed_device",
            [] {
              IDevice* device = CreateDevice(0);
              CommandQueue& queue = device->command_queue();
              CloseDevice(device);
              Program program;
              EnqueueProgram(queue, program, false);
            },
            "is used after it was closed"},
        Use{"read_of_a_closed_device",
            [] {
              IDevice* device = CreateDevice(0);
              const auto buffer = buffer_of(device);
              CloseDevice(device);
              std::vector<std::uint32_t> words;
              EnqueueReadBuffer(device->command_queue(), buffer, words, true);
            },
            "is used after it was closed"},
        Use{"grid_of_a_closed_mesh",
            [] {
              const auto mesh = distributed::MeshDevice::create_unit_mesh(0);
              mesh->close();
              mesh->compute_with_storage_grid_size();
            },
            "is used after it was closed"},
        Use{"queue_9", [] { CreateDevice(0)->command_queue(9); }, "command queue 9"},
        Use{"write_of_no_buffer",
            [] {
              EnqueueWriteBuffer(CreateDevice(0)->command_queue(), std::shared_ptr<Buffer>(),
                                 std::vector<std::uint32_t>(16), false);
            },
            "expected a buffer"},
        Use{"write_of_nothing",
            [] {
              IDevice* device = CreateDevice(0);
              const void* nothing = nullptr;
              EnqueueWriteBuffer(device->command_queue(), buffer_of(device), nothing, false);
            },
            "expected bytes to write"},
        Use{"read_to_nowhere",
            [] {
              IDevice* device = CreateDevice(0);
              void* nowhere = nullptr;
              EnqueueReadBuffer(device->command_queue(), buffer_of(device), nowhere, true);
            },
            "expected room for what is read"},
        Use{"write_of_an_empty_vector",
            [] {
              IDevice* device = CreateDevice(0);
              EnqueueWriteBuffer(device->command_queue(), buffer_of(device),
                                 std::vector<std::uint32_t>(), false);
            },
            "takes 64 bytes, and the source has none"},
        Use{"deallocated_buffer",
            [] {
              IDevice* device = CreateDevice(0);
              const auto buffer = buffer_of(device);
              DeallocateBuffer(*buffer);
              EnqueueWriteBuffer(device->command_queue(), buffer, std::vector<std::uint32_t>(16),
                                 false);
            },
            "is used after it was deallocated"},
        Use{"circular_buffer_over_a_deallocated_one",
            [] {
              IDevice* device = CreateDevice(0);
              const auto buffer = buffer_of(device, BufferType::L1);
              Program program;
              const auto cb = CreateCircularBuffer(
                  program, kCore,
                  CircularBufferConfig(64, {{0, DataFormat::UInt32}}).set_page_size(0, 64));
              CreateKernelFromString(program, "void kernel_main() {}", kCore, DataMovementConfig{});
              UpdateDynamicCircularBufferAddress(program, cb, *buffer);
              DeallocateBuffer(*buffer);
              EnqueueProgram(device->command_queue(), program, true);
            },
            "has been deallocated"},
        Use{"accessor_of_no_buffer", [] { TensorAccessorArgs(std::shared_ptr<Buffer>()); },
            "expected a buffer"},
        Use{"bank_99", [] { buffer_of(CreateDevice(0))->noc_coordinates(99); }, "DRAM bank 99"},
        Use{"l1_behind_its_end",
            [] {
              std::vector<std::uint32_t> words;
              detail::ReadFromDeviceL1(CreateDevice(0), kCore, 0, kMost, words);
            },
            "expected no more than the 1499136 bytes of L1"},
        Use{"l1_of_no_core",
            [] {
              std::vector<std::uint32_t> words;
              detail::ReadFromDeviceL1(CreateDevice(0), {99, 99}, 0, 4, words);
            },
            "outside the chip's grid"},
        Use{"l1_of_no_device", [] { detail::WriteToDeviceL1(nullptr, kCore, 0, {1}); },
            "expected a device"},
        Use{"launch_on_nothing",
            [] {
              Program program;
              detail::LaunchProgram(nullptr, program);
            },
            "expected a device"},
        Use{"workload_for_all_devices_that_could_be",
            [] {
              const auto mesh = distributed::MeshDevice::create_unit_mesh(0);
              distributed::MeshWorkload workload;
              workload.add_program(distributed::MeshCoordinateRange({0, 0}, {kMost, kMost}),
                                   Program());
              distributed::EnqueueMeshWorkload(mesh->mesh_command_queue(), workload, true);
            },
            "is outside the mesh of 1 x 1"},
        Use{"trace_of_nothing", [] { distributed::BeginTraceCapture(nullptr, 0); },
            "expected a mesh"}),
    [](const auto& use) { return std::string(use.param.name); });

}  // namespace
