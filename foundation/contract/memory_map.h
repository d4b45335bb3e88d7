#pragma once
// The uses of the L1 and the local memories of Tensix and ethernet tiles, for firmware
// (freestanding) and host runtime. Linker scripts receive the numbers as symbols. The regions and
// sizes are those of the public memory map of this hardware's software stack (kernel_api:
// dev_mem_map.h, Wormhole).

#include <stdint.h>

namespace tvp::contract {

// --- hardware; the sizes of its memories are the chip's (chip_numbers.h, made for the compiler)
constexpr uint32_t kLocalBase = 0xFFB00000;  // local data RAM, ISA BabyRISCV/README.md
constexpr uint32_t kIramBase = 0xFFC00000;   // NCRISC, ISA BabyRISCV/InstructionRAM.md

// gp at this address reaches 4 KiB of local memory with 12-bit offsets. Firmware and kernels use
// the same gp.
constexpr uint32_t kGlobalPointer = kLocalBase + 0x7F0;

// --- processors of a tile, in the order of the launch message
enum Processor : uint32_t {
  kBrisc = 0,
  kNcrisc = 1,
  kTrisc0 = 2,
  kTrisc1 = 3,
  kTrisc2 = 4,
  kErisc = 5,  // processor 0 of an ethernet tile
};
constexpr uint32_t kTensixProcessors = 5;

// --- Tensix tile
constexpr uint32_t kBootJump = 0x0;  // BRISC comes out of reset here
constexpr uint32_t kNocAtomicReturn = 0x4;
constexpr uint32_t kL1Barrier = 0xC;
constexpr uint32_t kMailboxBase = 0x10;
constexpr uint32_t kMailboxSize = 12768;
constexpr uint32_t kZerosBase = (kMailboxBase + kMailboxSize + 31) & ~31u;
constexpr uint32_t kZerosSize = 512;
constexpr uint32_t kLlkDebugBase = kZerosBase + kZerosSize;
constexpr uint32_t kLlkDebugSize = 1024;

constexpr uint32_t kBriscFirmwareBase = kLlkDebugBase + kLlkDebugSize;
// Sources of the writes that replace inline writes on some chips: a word for each NoC of each core
// that moves data.
constexpr uint32_t kInlineWordStride = 16;
constexpr uint32_t kInlineWordsSize = 4 * kInlineWordStride;
constexpr uint32_t kBriscFirmwareSize = 6 * 1024 - kInlineWordsSize;
constexpr uint32_t kInlineWordBase = kBriscFirmwareBase + kBriscFirmwareSize;
constexpr uint32_t kNcriscFirmwareBase = kInlineWordBase + kInlineWordsSize;
constexpr uint32_t kNcriscFirmwareSize = 2 * 1024;
constexpr uint32_t kTrisc0FirmwareBase = kNcriscFirmwareBase + kNcriscFirmwareSize;
constexpr uint32_t kTriscFirmwareSize = 1536;
constexpr uint32_t kNocCounterBase = kTrisc0FirmwareBase + 3 * kTriscFirmwareSize;
constexpr uint32_t kNocCounterSize = 5 * 2 * 2 * 4;
constexpr uint32_t kFabricCounterBase = kNocCounterBase + kNocCounterSize;
constexpr uint32_t kFabricCounterSize = 32;
// The fabric here does not use this word of the range: BRISC sets it when the NoC counters are
// valid, and NCRISC waits for it.
constexpr uint32_t kDynamicNocReady = kFabricCounterBase;
constexpr uint32_t kRoutingTableBase = kFabricCounterBase + kFabricCounterSize;
constexpr uint32_t kRoutingTableSize = 2544;
constexpr uint32_t kFabricConnectionsBase = kRoutingTableBase + kRoutingTableSize;
constexpr uint32_t kFabricConnectionsSize = 656;
constexpr uint32_t kPacketHeaderPoolBase = kFabricConnectionsBase + kFabricConnectionsSize;
constexpr uint32_t kPacketHeaderSize = 144;
constexpr uint32_t kPacketHeaderPoolSize = 16 * kPacketHeaderSize;
constexpr uint32_t kMapEnd = kPacketHeaderPoolBase + kPacketHeaderPoolSize;
static_assert(kPacketHeaderPoolBase % 16 == 0 && kMapEnd % 16 == 0);

// Tables that the host leaves for the start of the firmware. Afterwards the kernel configuration
// uses the space.
constexpr uint32_t kBankTableScratch = kMapEnd;

// Kernel configuration: arguments, semaphores and CB configurations, then the kernels of the cores
// in order. Each core has a usual place, so that a kernel is linked once for nearly all programs.
// If a kernel is larger, those behind it move (sw/runtime/programs/kernel_places.h).
constexpr uint32_t kKernelConfigBase = (kMapEnd + 4095) & ~4095u;
constexpr uint32_t kKernelArgumentsSize = 8 * 1024;
// A core whose arguments take more has its kernels behind them. Offsets of arguments have 16 bits.
constexpr uint32_t kMostKernelArgumentsSize = 64 * 1024 - 16;
// Places are multiples of the size of the largest instruction cache. A kernel therefore has the
// same cache conflicts, L1 banks and time at every place.
constexpr uint32_t kKernelPlaceAlignment = 2 * 1024;
// Distances between usual places. Published kernels are largest on the threads that unpack and
// pack. They need at most 14 KiB on BRISC and 10 KiB on the thread that computes. NCRISC runs its
// text in 16 KiB of instruction RAM.
constexpr uint32_t kUsualKernelSizes[kTensixProcessors] = {20 * 1024, 16 * 1024, 34 * 1024,
                                                           20 * 1024, 30 * 1024};
constexpr uint32_t usual_kernel_offset(uint32_t processor) {
  uint32_t offset = 0;
  for (uint32_t i = 0; i < processor; ++i) offset += kUsualKernelSizes[i];
  return offset;
}
constexpr uint32_t kKernelTextBase = kKernelConfigBase + kKernelArgumentsSize;
constexpr uint32_t kKernelTextSize = usual_kernel_offset(kTensixProcessors);
static_assert(kKernelTextBase % kKernelPlaceAlignment == 0);
constexpr uint32_t kKernelConfigEnd = kKernelTextBase + kKernelTextSize;
constexpr uint32_t kL1UnreservedBase = kKernelConfigEnd;

// --- ethernet tile
// 0x0 to 0x9040 belongs to the vendor's base firmware on silicon; only the reset jump is used here.
constexpr uint32_t kEthLaunchFlag = 0x9004;  // 1: the vendor's base firmware calls the next one
constexpr uint32_t kEthFirmwareBase = 0x9040;
constexpr uint32_t kEthFirmwareSize = 0xA840 - 0x9040;
constexpr uint32_t kEthKernelTextBase = 0xA840;
constexpr uint32_t kEthKernelTextSize =
    0x11000 - 0xA840;  // the data-routing service's space follows
constexpr uint32_t kEthUnreservedBase = 0x18000;
constexpr uint32_t kEthUnreservedEnd = 0x3B000;
constexpr uint32_t kEthBankTableScratch = 0x3B000;
constexpr uint32_t kEthKernelConfigBase = 0x3B800;
constexpr uint32_t kEthInlineWordBase = kEthKernelConfigBase - 2 * kInlineWordStride;
constexpr uint32_t kEthKernelArgumentsSize = 4 * 1024;
constexpr uint32_t kEthMailboxBase = 0x3C800;
// Words by which kernels at both ends of a link notify each other of data (api/ethernet).
constexpr uint32_t kEthChannelSyncBase = (kEthMailboxBase + kMailboxSize + 15) & ~15u;
constexpr uint32_t kEthChannels = 8;
constexpr uint32_t kEthChannelBytes = 16;
constexpr uint32_t kEthChannelSyncBytes = (1 + kEthChannels) * kEthChannelBytes;
constexpr uint32_t kEthMapEnd = kEthChannelSyncBase + kEthChannelSyncBytes;

// --- functions of a processor
constexpr uint32_t firmware_base(uint32_t processor) {
  if (processor == kErisc) return kEthFirmwareBase;
  if (processor == kBrisc) return kBriscFirmwareBase;
  if (processor == kNcrisc) return kNcriscFirmwareBase;
  return kTrisc0FirmwareBase + (processor - kTrisc0) * kTriscFirmwareSize;
}
constexpr uint32_t firmware_size(uint32_t processor) {
  if (processor == kErisc) return kEthFirmwareSize;
  if (processor == kBrisc) return kBriscFirmwareSize;
  return processor == kNcrisc ? kNcriscFirmwareSize : kTriscFirmwareSize;
}
// The address of a kernel's image unless other kernels of the core need the space. NCRISC's text is
// copied to instruction RAM.
constexpr uint32_t usual_kernel_base(uint32_t processor) {
  if (processor == kErisc) return kEthKernelTextBase;
  return kKernelTextBase + usual_kernel_offset(processor);
}
constexpr bool is_trisc(uint32_t processor) { return processor >= kTrisc0 && processor <= kTrisc2; }
constexpr uint32_t stack_min_size(uint32_t processor) {
  if (processor == kTrisc0 || processor == kTrisc1) return 192;
  return 256;
}
constexpr uint32_t mailbox_base(bool ethernet) { return ethernet ? kEthMailboxBase : kMailboxBase; }

// --- limits of the kernel API
constexpr uint32_t kCircularBuffers = 32;
constexpr uint32_t kSemaphores = 16;
constexpr uint32_t kSemaphoreStride = 16;  // the L1 alignment: each semaphore has a 16-byte word
constexpr uint16_t kNoArgs = 0xFFFF;       // rta_offset of a processor without arguments

}  // namespace tvp::contract
