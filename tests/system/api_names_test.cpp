// Names that published kernels find in headers of their own, on data-movement cores.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/system/operation_bench.h"
#include "tests/system/tile_matrix.h"

namespace tvp::test {
namespace {

std::string written(const std::string& name, const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(TVP_KERNEL_FOLDER) / name;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << text;
  return path.string();
}

TEST(ApiNames, ChecksThatThePlatformMakesAndABufferThatIsEmptied) {
  OperationBench bench;
  const auto out = bench.result(1, 32);
  Operation operation(bench);
  operation.buffer(0, 4, 32);
  // The reader pushes a page, and tells when it has been popped.
  const std::string pushes = written("pushes.cpp", R"(
#include "debug/eth_link_status.h"
#include "experimental/circular_buffer.h"
#include "hostdevcommon/fabric_common.h"
#include "internal/debug/sanitize.h"
static_assert(tt::tt_fabric::FABRIC_CONNECTION_OBJECT_SIZE == 128);
static_assert(WATCHER_ETH_LINK_STATUS_ENABLED == 0);
void kernel_main() {
  DataflowBuffer buffer(0);
  DEBUG_SANITIZE_NOC_ADDR(noc_index, uint64_t{0}, 4);
  DEBUG_SANITIZE_NO_LINKED_TRANSACTION(noc_index, DEBUG_SANITIZE_NOC_UNICAST);
  WATCHER_CHECK_ETH_LINK_STATUS();
  buffer.reserve_back(2);
  buffer.push_back(2);
  buffer.finish();
  auto* const done = reinterpret_cast<volatile uint32_t*>(get_semaphore(get_arg_val<uint32_t>(0)));
  const uint32_t popped = *done;
  auto* const page = reinterpret_cast<volatile uint32_t*>(get_write_ptr(0));
  page[0] = popped;
  const auto to = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(1), 32);
  noc_async_write_page(0, to, get_write_ptr(0));
  noc_async_write_barrier();
}
)");
  const std::string pops = written("pops.cpp", R"(
void kernel_main() {
  cb_wait_front(0, 2);
  for (volatile int i = 0; i < 500; ++i) {}
  auto* const done = reinterpret_cast<volatile uint32_t*>(get_semaphore(get_arg_val<uint32_t>(0)));
  *done = 7;
  cb_pop_front(0, 2);
}
)");
  const std::uint32_t done = operation.semaphore(0);
  operation.reader(pushes, {.tensors = {out}, .run = {done, address(out)}});
  operation.writer(pops, {.run = {done}});
  operation.run();
  EXPECT_EQ(bench.words(out)[0], 7U);
}

}  // namespace
}  // namespace tvp::test
