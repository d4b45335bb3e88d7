// Refused uses of remote buffers, sub-devices and command queues (hostile_use.h).
#include "tests/unit/runtime/programs/hostile_use.h"

namespace tvp::runtime::hostile_meshes_test {
namespace {

using namespace test::hostile;

class HostileMesh : public HostileUse {};
TEST_P(HostileMesh, IsRefused) { check(); }

using Mapping = GlobalCircularBuffer::Mapping;
const Mapping kPair{{kCore, kOther}};
const CoreCoord kThird{2, 0};

GlobalCircularBuffer global(Host& h, const Mapping& mapping = kPair, std::uint32_t size = 4096) {
  return experimental::CreateGlobalCircularBuffer(*h.mesh, mapping, size);
}
CircularBufferConfig remote(std::uint32_t bytes = 2048, std::uint32_t page = 1024) {
  CircularBufferConfig config(bytes);
  config.remote_index(31).set_page_size(page).set_data_format(DataFormat::Float16_b);
  return config;
}

INSTANTIATE_TEST_SUITE_P(
    GlobalCircularBuffers, HostileMesh,
    testing::Values(
        Use{"nobody", [](Host& h) { global(h, {}); }, "has no sender"},
        Use{"no_receiver",
            [](Host& h) {
              global(h, {{kCore, kNone}});
            },
            "has no receiver"},
        Use{"to_itself",
            [](Host& h) {
              global(h, {{kCore, kTwo}});
            },
            "in its mapping twice"},
        Use{"two_senders",
            [](Host& h) {
              global(h, {{kCore, kThird}, {kOther, kThird}});
            },
            "mapping twice"},
        Use{"backward",
            [](Host& h) {
              global(h, {{kCore, kBackward}});
            },
            "ends before it begins"},
        Use{"everywhere",
            [](Host& h) {
              global(h, {{kCore, CoreRange({1, 0}, {kMost, kMost})}});
            },
            "more cores than any"},
        Use{"outside",
            [](Host& h) {
              global(h, {{kCore, kOutside}});
            },
            "outside the chip's grid"},
        Use{"of_no_bytes", [](Host& h) { global(h, kPair, 0); }, "positive multiple of 16"},
        Use{"of_seven_bytes", [](Host& h) { global(h, kPair, 7); }, "positive multiple of 16"},
        Use{"endless", [](Host& h) { global(h, kPair, kMost & ~15U); }, "no room for"},
        Use{"in_dram",
            [](Host& h) {
              experimental::CreateGlobalCircularBuffer(*h.mesh, kPair, 4096, BufferType::DRAM);
            },
            "expected L1"},
        Use{"end_on_no_core",
            [](Host& h) {
              Program p;
              experimental::CreateCircularBuffer(p, kNone, remote(), global(h));
            },
            "is on no core"},
        Use{"end_elsewhere",
            [](Host& h) {
              Program p;
              experimental::CreateCircularBuffer(p, kThird, remote(), global(h));
            },
            "is no sender or receiver"},
        Use{"end_that_is_too_large",
            [](Host& h) {
              Program p;
              experimental::CreateCircularBuffer(p, kCore, remote(8192), global(h));
            },
            "more than the global circular buffer's"},
        Use{"pages_that_do_not_fit",
            [](Host& h) {
              Program p;
              experimental::CreateCircularBuffer(p, kCore, remote(2048, 8192), global(h));
            },
            "does not fit"},
        Use{"end_that_is_local",
            [](Host& h) {
              Program p;
              experimental::CreateCircularBuffer(
                  p, kCore, CircularBufferConfig(2048, {{0, DataFormat::Float16_b}}), global(h));
            },
            "has no remote index"},
        Use{"remote_of_none",
            [](Host& h) {
              Program p = h.program();
              CreateCircularBuffer(p, kCore, remote());
              h.lay_out(p);
            },
            "is of no global one"},
        Use{"deallocated",
            [](Host& h) {
              Program p = h.program();
              {
                const auto buffer = global(h);
                experimental::CreateCircularBuffer(p, kCore, remote(), buffer);
              }
              h.lay_out(p);
            },
            "has been deallocated"}),
    [](const auto& use) { return std::string(use.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Pipes, HostileMesh,
    testing::Values(
        Use{"of_no_bytes",
            [](Host& h) { experimental::CreatePrefetcherPipe(*h.mesh, kCore, kOther, 0); },
            "positive multiple of 16"},
        Use{"endless",
            [](Host& h) {
              experimental::CreatePrefetcherPipe(*h.mesh, kCore, kOther, kMost & ~15U);
            },
            "no room for"},
        Use{"to_nobody",
            [](Host& h) { experimental::CreatePrefetcherPipe(*h.mesh, kCore, kNone, 1024); },
            "has no core that may receive"},
        Use{"to_itself",
            [](Host& h) { experimental::CreatePrefetcherPipe(*h.mesh, kCore, kCore, 1024); },
            "in this one twice"},
        Use{"backward",
            [](Host& h) { experimental::CreatePrefetcherPipe(*h.mesh, kCore, kBackward, 1024); },
            "ends before it begins"},
        Use{"outside",
            [](Host& h) { experimental::CreatePrefetcherPipe(*h.mesh, kCore, kOutside, 1024); },
            "outside the chip's grid"},
        Use{"more_receivers_than_there_are",
            [](Host& h) {
              experimental::CreatePrefetcherPipeSpace(*h.mesh, {kCore, 0, kOther, 1024, kMost});
            },
            "expected 1 to its 1"},
        Use{"senders_in_dram",
            [](Host& h) {
              experimental::CreatePrefetcherPipeSpace(*h.mesh, {kCore, 7, kOther, 1024, 1});
            },
            "no core on Wormhole"},
        Use{"two_of_one_core",
            [](Host& h) {
              auto space =
                  experimental::CreatePrefetcherPipeSpace(*h.mesh, {kTwo, 0, kThird, 1024, 1});
              const auto first = space.create_pipe(kCore, kThird);
              space.create_pipe(kOther, kThird);
            },
            "is of another pipe"},
        Use{"given_away",
            [](Host& h) {
              auto pipe = h.pipe();
              const auto taken = std::move(pipe);
              Program p = h.program();
              // NOLINTNEXTLINE(bugprone-use-after-move): the wrong use
              experimental::AttachPrefetcherPipe(p, pipe, kCore, 512);
            },
            "was moved to another object"},
        Use{"attached_to_nobody",
            [](Host& h) {
              Program p = h.program();
              experimental::AttachPrefetcherPipe(p, h.pipe(), kNone, 512);
            },
            "is for no core"},
        Use{"entries_of_nothing",
            [](Host& h) {
              Program p = h.program();
              experimental::AttachPrefetcherPipe(p, h.pipe(), kCore, 0);
            },
            "positive multiple of 16"},
        Use{"entries_beyond_the_ring",
            [](Host& h) {
              Program p = h.program();
              experimental::AttachPrefetcherPipe(p, h.pipe(), kCore, 2048);
            },
            "at most the ring's 1024"},
        Use{"relay_of_a_pipe_that_is_none",
            [](Host& h) {
              Program p = h.program();
              CircularBufferConfig config(512, {{3, DataFormat::Float16_b}});
              config.set_page_size(3, 512);
              experimental::CreatePrefetcherPipeRelayDataflowBuffer(p, kOther, config, 250);
            },
            "which core (1, 0) does not have"},
        Use{"relay_on_no_core",
            [](Host& h) {
              Program p = h.program();
              const auto pipe = h.pipe();
              const auto number = experimental::AttachPrefetcherPipe(p, pipe, kTwo, 512);
              CircularBufferConfig config(512, {{3, DataFormat::Float16_b}});
              experimental::CreateCircularBuffer(p, kNone, config.set_page_size(3, 512), pipe,
                                                 number);
            },
            "is on no core"},
        Use{"ended_before_its_program",
            [](Host& h) {
              Program p = h.program();
              experimental::AttachPrefetcherPipe(p, h.pipe(), kCore, 512);
              h.lay_out(p);
            },
            "has ended"}),
    [](const auto& use) { return std::string(use.param.name); });

std::uint8_t cross(Host& h, Program& p, const Mapping& mapping, std::uint32_t entry,
                   std::uint32_t entries) {
  return experimental::CreateCrossNodeDFB(p, *h.mesh, mapping, entry, entries);
}

INSTANTIATE_TEST_SUITE_P(CrossNodeBuffers, HostileMesh,
                         testing::Values(Use{"nobody",
                                             [](Host& h) {
                                               Program p;
                                               cross(h, p, {}, 1024, 2);
                                             },
                                             "has no sender"},
                                         Use{"no_entries",
                                             [](Host& h) {
                                               Program p;
                                               cross(h, p, kPair, 1024, 0);
                                             },
                                             "has no entries"},
                                         Use{"entries_that_come_to_0",
                                             [](Host& h) {
                                               Program p;
                                               cross(h, p, kPair, 1U << 16, 1U << 16);
                                             },
                                             "no L1 holds"},
                                         Use{"entries_of_seven_bytes",
                                             [](Host& h) {
                                               Program p;
                                               cross(h, p, kPair, 7, 2);
                                             },
                                             "positive multiple of 16"},
                                         Use{"outside",
                                             [](Host& h) {
                                               Program p;
                                               cross(h, p, {{kCore, kOutside}}, 1024, 2);
                                             },
                                             "outside the chip's grid"},
                                         Use{"in_memory_that_is_too_small",
                                             [](Host& h) {
                                               Program p;
                                               experimental::CreateCrossNodeDFB(
                                                   p, *h.mesh, kPair, 1024, 4, *h.l1(kTwo, 2048));
                                             },
                                             "no shard of 4096 bytes"},
                                         Use{"in_memory_of_other_cores",
                                             [](Host& h) {
                                               Program p;
                                               experimental::CreateCrossNodeDFB(
                                                   p, *h.mesh, kPair, 1024, 2, *h.l1(kCore, 2048));
                                             },
                                             "has no shard on core (1, 0)"},
                                         Use{"in_memory_that_was_deallocated",
                                             [](Host& h) {
                                               Program p = h.program();
                                               experimental::CreateCrossNodeDFB(
                                                   p, *h.mesh, kPair, 1024, 2, *h.l1(kTwo, 2048));
                                               h.lay_out(p);
                                             },
                                             "has been deallocated"}),
                         [](const auto& use) { return std::string(use.param.name); });

INSTANTIATE_TEST_SUITE_P(
    SubDevices, HostileMesh,
    testing::Values(
        Use{"without_cores", [](Host&) { SubDevice{kNone}; }, "has no cores"},
        Use{"of_three_kinds",
            [](Host&) {
              SubDevice({kCore, kNone, kNone});
            },
            "3 sets of cores"},
        Use{"none_at_all",
            [](Host& h) { h.mesh->create_sub_device_manager(std::span<const SubDevice>(), 0); },
            "0 sub-devices; expected 1 to 8"},
        Use{"with_a_core_in_common",
            [](Host& h) {
              h.mesh->create_sub_device_manager({SubDevice({kTwo}), SubDevice({kOther})}, 0);
            },
            "which sub-device 0 has"},
        Use{"backward",
            [](Host& h) { h.mesh->create_sub_device_manager({SubDevice({kBackward})}, 0); },
            "ends before it begins"},
        Use{"outside",
            [](Host& h) { h.mesh->create_sub_device_manager({SubDevice({kOutside})}, 0); },
            "outside the chip's grid"},
        Use{"endless_l1",
            [](Host& h) {
              h.mesh->create_sub_device_manager({SubDevice({kCore})}, kMost64 & ~31ULL);
            },
            "a core has"},
        Use{"of_no_manager",
            [](Host& h) { h.mesh->load_sub_device_manager(SubDeviceManagerId{kMost64}); },
            "is not one of this mesh"},
        Use{"of_a_removed_manager",
            [](Host& h) {
              const auto id = h.mesh->create_sub_device_manager({SubDevice({kCore})}, 0);
              h.mesh->remove_sub_device_manager(id);
              h.mesh->load_sub_device_manager(id);
            },
            "is not one of this mesh"},
        Use{"removed_while_loaded",
            [](Host& h) {
              const auto id = h.mesh->create_sub_device_manager({SubDevice({kCore})}, 0);
              h.mesh->load_sub_device_manager(id);
              h.mesh->remove_sub_device_manager(id);
            },
            "is loaded"},
        Use{"a_number_that_is_none",
            [](Host& h) {
              h.mesh->load_sub_device_manager(
                  h.mesh->create_sub_device_manager({SubDevice({kCore})}, 0));
              h.mesh->worker_cores(HalProgrammableCoreType::TENSIX, SubDeviceId{200});
            },
            "sub-device 200: is not one of the 1"},
        Use{"a_kind_of_cores_that_is_none",
            [](Host&) { SubDevice({kCore}).cores(HalProgrammableCoreType(9)); },
            "expected TENSIX or ACTIVE_ETH"},
        Use{"stalls_for_nobody", [](Host& h) { h.mesh->set_sub_device_stall_group({}); },
            "has no sub-devices"},
        Use{"program_of_two",
            [](Host& h) {
              h.mesh->load_sub_device_manager(
                  h.mesh->create_sub_device_manager({SubDevice({kCore}), SubDevice({kOther})}, 0));
              h.lay_out(h.program(kTwo));
            },
            "on cores of sub-device 0"},
        Use{"buffers_that_keep_it",
            [](Host& h) {
              h.mesh->load_sub_device_manager(
                  h.mesh->create_sub_device_manager({SubDevice({kCore})}, 4096));
              const auto own =
                  CreateBuffer(*h.mesh, ShardedBufferConfig{.cores = kCore, .shard_bytes = 2048},
                               SubDeviceId{0});
              h.mesh->clear_loaded_sub_device_manager();
            },
            "still have buffers"}),
    [](const auto& use) { return std::string(use.param.name); });

void enqueue(Host& h, const MeshCoordinateRange& devices) {
  MeshWorkload workload;
  workload.add_program(devices, h.program());
  EnqueueMeshWorkload(h.queue(), workload, false);
}

INSTANTIATE_TEST_SUITE_P(
    Queues, HostileMesh,
    testing::Values(
        Use{"shape_of_nothing",
            [](Host& h) {
              h.mesh->reshape({0, 0});
            },
            "0 x 0 for 2 devices"},
        Use{"shape_that_comes_to_2",
            [](Host& h) {
              h.mesh->reshape({0x80000001, 2});
            },
            "2147483649 x 2 for 2 devices"},
        Use{"range_of_no_devices",
            [](Host&) {
              MeshCoordinateRange(MeshShape{0, 5});
            },
            "has no devices"},
        Use{"range_backward",
            [](Host&) {
              MeshCoordinateRange({1, 1}, {0, 0});
            },
            "before its start"},
        Use{"workload_for_all_devices_that_could_be",
            [](Host& h) {
              enqueue(h, MeshCoordinateRange({0, 0}, {kMost, kMost}));
            },
            "is outside the mesh of 1 x 2"},
        Use{"devices_of_an_endless_range",
            [](Host&) {
              MeshCoordinateRange({0, 0}, {kMost, kMost}).coords();
            },
            "more devices than"},
        Use{"workload_beside_another",
            [](Host& h) {
              MeshWorkload workload;
              workload.add_program(MeshCoordinateRange({0, 0}, {0, 1}), h.program());
              workload.add_program(MeshCoordinateRange(MeshCoordinate{0, 1}), h.program());
            },
            "beside one for"},
        Use{"workload_of_nothing",
            [](Host& h) { EnqueueMeshWorkload(h.queue(), MeshWorkload(), true); },
            "has no programs"},
        Use{"queue_9", [](Host& h) { h.mesh->mesh_command_queue(9); }, "queues 0 to 1"},
        Use{"write_of_no_buffer",
            [](Host& h) {
              EnqueueWriteMeshBuffer(h.queue(), nullptr, std::vector<std::uint32_t>(4));
            },
            "expected a buffer"},
        Use{"shard_of_no_buffer",
            [](Host& h) {
              WriteShard(h.queue(), nullptr, std::vector<std::uint32_t>(4), MeshCoordinate{0, 0});
            },
            "expected a buffer"},
        Use{"read_of_no_buffer",
            [](Host& h) {
              std::vector<std::uint32_t> words;
              ReadShard(h.queue(), words, nullptr, MeshCoordinate{0, 0});
            },
            "expected a buffer"},
        Use{"write_of_nothing",
            [](Host& h) {
              EnqueueWriteMeshBuffer(h.queue(), h.dram(), std::vector<std::uint32_t>());
            },
            "takes 4096 bytes, and the source has none"},
        Use{"read_of_device_9",
            [](Host& h) {
              std::vector<std::uint32_t> words;
              ReadShard(h.queue(), words, h.dram(), MeshCoordinate{9, 9});
            },
            "is outside the mesh"},
        Use{"no_function", [](Host& h) { h.queue().enqueue_host_function(nullptr, true); },
            "expected a function"},
        Use{"event_of_a_sub_device_that_is_none",
            [](Host& h) {
              const SubDeviceId id{9};
              EnqueueRecordEvent(h.queue(), {&id, 1});
            },
            "no manager is loaded"},
        Use{"event_of_a_closed_mesh",
            [](Host& h) {
              const auto event = EnqueueRecordEvent(h.queue());
              h.mesh.reset();
              EventSynchronize(event);
            },
            "its mesh was closed"},
        Use{"trace_of_queue_9", [](Host& h) { BeginTraceCapture(&*h.mesh, 9); }, "queues 0 to 1"},
        Use{"two_traces_at_once",
            [](Host& h) {
              BeginTraceCapture(&*h.mesh, 0);
              BeginTraceCapture(&*h.mesh, 0);
            },
            "is still being captured"},
        Use{"trace_that_is_none",
            [](Host& h) { h.mesh->replay_mesh_trace(0, MeshTraceId{kMost}, true); },
            "was not captured"},
        Use{"end_of_no_trace", [](Host& h) { h.mesh->end_mesh_trace(0, MeshTraceId{3}); },
            "is not being captured"},
        Use{"trace_that_was_released",
            [](Host& h) {
              const auto id = BeginTraceCapture(&*h.mesh, 0);
              h.mesh->end_mesh_trace(0, id);
              h.mesh->release_mesh_trace(id);
              h.mesh->replay_mesh_trace(0, id, false);
            },
            "has been released"},
        Use{"write_while_capturing",
            [](Host& h) {
              BeginTraceCapture(&*h.mesh, 0);
              EnqueueWriteMeshBuffer(h.queue(), h.dram(), std::vector<std::uint32_t>(1024));
            },
            "while it captures a trace"},
        Use{"l1_behind_its_end",
            [](Host& h) {
              std::uint32_t word = 0;
              h.mesh->device(0).read_l1(kCore, kMost - 3, &word, 4);
            },
            "of L1"}),
    [](const auto& use) { return std::string(use.param.name); });

}  // namespace
}  // namespace tvp::runtime::hostile_meshes_test
