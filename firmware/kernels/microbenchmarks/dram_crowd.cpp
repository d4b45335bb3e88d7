// Moves one stretch of L1 to or from a bank of DRAM, packet by packet as fast as the NIU takes
// them, with one barrier at the end. A number other than 0 limits the packets in flight. The
// virtual channels are dynamic unless one is named.

#include "api/dataflow/dataflow_api.h"

namespace {

constexpr bool kIsWrite = get_compile_time_arg_val(0) != 0;
constexpr bool kIsStatic = get_compile_time_arg_val(1) != 0;
constexpr uint32_t kLocal = get_compile_time_arg_val(2);
constexpr uint32_t kBytes = get_compile_time_arg_val(3);
constexpr uint32_t kPacketBytes = get_compile_time_arg_val(4);
constexpr uint32_t kInFlight = get_compile_time_arg_val(5);

constexpr uint32_t kInitiator = kIsWrite ? write_cmd_buf : read_cmd_buf;
constexpr uint32_t kControl =
    NOC_CMD_CPY | NOC_CMD_RESP_MARKED | (kIsWrite ? NOC_CMD_WR : NOC_CMD_RD) |
    (kIsStatic ? NOC_CMD_VC_STATIC | NOC_CMD_STATIC_VC(NOC_UNICAST_WRITE_VC) : 0);

/// Packets whose responses have arrived.
inline uint32_t answered() {
  return NOC_STATUS_READ_REG(noc_index,
                             kIsWrite ? NIU_MST_WR_ACK_RECEIVED : NIU_MST_RD_RESP_RECEIVED);
}

}  // namespace

void kernel_main() {
  const uint64_t remote =
      get_noc_addr_from_bank_id<true>(get_arg_val<uint32_t>(0), get_arg_val<uint32_t>(1));
  auto far = static_cast<uint32_t>(remote);
  uint32_t near = kLocal;

  DeviceZoneScopedN("transfer");
  noc_wait_cmd_buf(noc_index, kInitiator);
  NOC_CMD_BUF_WRITE_REG(noc_index, kInitiator, NOC_CTRL, kControl);
  noc_set_node(noc_index, kInitiator, kIsWrite ? NOC_RET_ADDR_COORDINATE : NOC_TARG_ADDR_COORDINATE,
               remote);
  NOC_CMD_BUF_WRITE_REG(noc_index, kInitiator, NOC_AT_LEN_BE, kPacketBytes);
  const uint32_t before = kInFlight == 0 ? 0 : answered();
  for (uint32_t done = 0; done < kBytes; done += kPacketBytes) {
    if constexpr (kInFlight != 0)
      while (done / kPacketBytes - (answered() - before) >= kInFlight) {
      }
    noc_wait_cmd_buf(noc_index, kInitiator);
    NOC_CMD_BUF_WRITE_REG(noc_index, kInitiator, NOC_TARG_ADDR_LO, kIsWrite ? near : far);
    NOC_CMD_BUF_WRITE_REG(noc_index, kInitiator, NOC_RET_ADDR_LO, kIsWrite ? far : near);
    noc_send(noc_index, kInitiator);
    near += kPacketBytes;
    far += kPacketBytes;
  }
  if constexpr (kIsWrite) {
    noc_count_writes(noc_index, kBytes / kPacketBytes, 1, false);
    noc_async_write_barrier();
  } else {
    noc_reads_num_issued[noc_index] += kBytes / kPacketBytes;
    noc_async_read_barrier();
    NOC_CMD_BUF_WRITE_REG(noc_index, kInitiator, NOC_CTRL,
                          noc_read_ctrl());  // the value of noc_init
  }
}
