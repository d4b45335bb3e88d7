#include "tests/support/memory_chips.h"

#include <algorithm>
#include <cstring>

#include "foundation/abi/tensix_vp/libttsim.h"

namespace tvp::test {
namespace {

constexpr std::uint64_t kFirstBar = 0x100000000;
constexpr unsigned kAddressBits = 36;

std::string system_text(const std::vector<std::uint32_t>& harvested) {
  std::string chips;
  std::string devices;
  for (std::size_t i = 0; i < harvested.size(); ++i) {
    const std::string id = std::to_string(i);
    chips += std::string(i == 0 ? "" : ",") + R"({"id":)" + id + R"(,"pci_device":)" + id +
             R"(,"harvested_rows":)" + std::to_string(harvested[i]) + "}";
    devices += (i == 0 ? "" : ",") + id;
  }
  return R"({"name":"memory","chips":[)" + chips + R"(],"devices":[)" + devices +
         R"(],"links":[]})";
}

std::uint32_t give(const std::string& text, char* buffer, std::uint32_t size) {
  if (buffer != nullptr && size != 0) {
    const std::size_t n = std::min<std::size_t>(size - 1, text.size());
    std::memcpy(buffer, text.data(), n);
    buffer[n] = 0;
  }
  return static_cast<std::uint32_t>(text.size());
}

}  // namespace

MemoryChips* MemoryChips::self_ = nullptr;

MemoryChips::MemoryChips(const foundation::ChipSpec& spec, std::vector<std::uint32_t> harvested)
    : spec_(spec), harvested_(std::move(harvested)), system_(system_text(harvested_)) {
  self_ = this;
}

MemoryChips::~MemoryChips() { self_ = nullptr; }

runtime::DeviceLibrary::Functions MemoryChips::functions() {
  runtime::DeviceLibrary::Functions f;
  f.init = [] {};
  f.exit = [] {};
  f.pci_config_rd32 = [](std::uint32_t bdf, std::uint32_t offset) {
    return self_->config(bdf, offset);
  };
  f.pci_mem_rd_bytes = [](std::uint64_t paddr, void* to, std::uint32_t bytes) {
    self_->access(paddr, static_cast<std::uint8_t*>(to), nullptr, bytes);
  };
  f.pci_mem_wr_bytes = [](std::uint64_t paddr, const void* from, std::uint32_t bytes) {
    self_->access(paddr, nullptr, static_cast<const std::uint8_t*>(from), bytes);
  };
  f.clock = [](std::uint32_t) {};
  f.abi_version = [] { return TENSIX_VP_ABI_VERSION; };
  f.status = [] {
    return static_cast<std::uint32_t>(self_->error_.empty() ? TENSIX_VP_RUNNING : TENSIX_VP_FAULT);
  };
  f.last_error = [](std::uint32_t* kind, char* buffer, std::uint32_t size) {
    if (kind != nullptr) *kind = TENSIX_VP_ERROR_USAGE;
    return give(self_->error_, buffer, size);
  };
  f.system = [](char* buffer, std::uint32_t size) { return give(self_->system_, buffer, size); };
  return f;
}

void MemoryChips::refuse(const std::string& why) {
  if (error_.empty()) error_ = "memory chips: " + why;
}

std::uint32_t MemoryChips::config(std::uint32_t bdf, std::uint32_t offset) const {
  const std::uint32_t chip = bdf >> 3;
  if (chip >= harvested_.size()) return ~0U;
  const std::uint64_t bar = kFirstBar + chip * spec_.bars.bar0_bytes;
  if (offset == 0) return spec_.bars.device << 16 | spec_.bars.vendor;
  if (offset == 0x10) return static_cast<std::uint32_t>(bar) | 0xCU;  // 64 bits, prefetchable
  if (offset == 0x14) return static_cast<std::uint32_t>(bar >> 32);
  return 0;
}

void MemoryChips::access(std::uint64_t paddr, std::uint8_t* to, const std::uint8_t* from,
                         std::uint32_t bytes) {
  if (!error_.empty()) return;
  const std::uint64_t chip = (paddr - kFirstBar) / spec_.bars.bar0_bytes;
  if (paddr < kFirstBar || chip >= harvested_.size()) return refuse("beyond all BARs");
  if (bytes == 0) return refuse("an access of no bytes");
  const std::uint64_t offset = (paddr - kFirstBar) % spec_.bars.bar0_bytes;
  const std::uint64_t number = (offset - spec_.bars.window_registers) / 8;
  if (offset < spec_.bars.window_registers)
    return window(static_cast<unsigned>(chip), offset, to, from, bytes);
  if (number >= spec_.bars.window_count() || offset % 8 != 0 || bytes != 8 || from == nullptr)
    return refuse("neither a window nor its register, written whole");
  std::memcpy(&windows_[{static_cast<unsigned>(chip), static_cast<unsigned>(number)}], from, 8);
}

void MemoryChips::window(unsigned chip, std::uint64_t offset, std::uint8_t* to,
                         const std::uint8_t* from, std::uint32_t bytes) {
  unsigned first = 0;
  for (const foundation::WindowGroup& group : spec_.bars.windows) {
    const std::uint64_t size = 1ULL << group.size_log2;
    if (offset >= group.count * size) {
      offset -= group.count * size;
      first += group.count;
      continue;
    }
    const auto set = windows_.find({chip, first + static_cast<unsigned>(offset / size)});
    if (set == windows_.end()) return refuse("a window that has not been set");
    if (offset % size + bytes > size) return refuse("an access leaves its window");
    const unsigned bits = kAddressBits - group.size_log2;
    if ((set->second >> (bits + 25) & 1) != 0) return refuse("a multicast");
    const auto field = [&](unsigned at) {
      return static_cast<unsigned>(set->second >> (bits + at) & 0x3F);
    };
    const std::uint64_t page = set->second & ((1ULL << bits) - 1);
    return tile(chip, field(0), field(6), page << group.size_log2 | offset % size, to, from, bytes);
  }
  refuse("behind all windows");
}

void MemoryChips::tile(unsigned chip, unsigned x, unsigned y, std::uint64_t address,
                       std::uint8_t* to, const std::uint8_t* from, std::uint32_t bytes) {
  ++accesses_;
  for (std::size_t channel = 0; channel < spec_.dram.size(); ++channel) {
    std::uint64_t size = 0;
    for (const foundation::DramBank& bank : spec_.dram[channel].banks) size += bank.bytes;
    for (const foundation::ChipNode& node : spec_.dram[channel].endpoints) {
      if (node.x != x || node.y != y) continue;
      if (address + bytes > size) return refuse("beyond the end of a channel of DRAM");
      return copy({chip, true, static_cast<unsigned>(channel), 0}, address, to, from, bytes);
    }
  }
  if (spec_.kind_at({x, y}) != foundation::TileKind::kTensix ||
      spec_.harvested(harvested_[chip]).has({x, y}))
    return refuse("no worker or DRAM at (" + std::to_string(x) + ", " + std::to_string(y) + ")");
  if (address + bytes > spec_.memories.tensix_l1_bytes) return refuse("beyond the end of L1");
  copy({chip, false, x, y}, address, to, from, bytes);
}

MemoryChips::Page& MemoryChips::page(const Memory& memory, std::uint64_t number) {
  std::unique_ptr<Page>& page = pages_[{memory, number}];
  if (page) return *page;
  page = std::make_unique<Page>();
  for (std::size_t i = 0; i < kPage; ++i)
    (*page)[i] = static_cast<std::uint8_t>((i + number) * 151 % 255 + 1);  // never 0
  return *page;
}

void MemoryChips::copy(const Memory& memory, std::uint64_t address, std::uint8_t* to,
                       const std::uint8_t* from, std::uint32_t bytes) {
  for (std::uint64_t done = 0; done < bytes;) {
    const std::uint64_t within = (address + done) % kPage;
    const std::uint64_t part = std::min<std::uint64_t>(kPage - within, bytes - done);
    std::uint8_t* there = page(memory, (address + done) / kPage).data() + within;
    if (from != nullptr) {
      std::memcpy(there, from + done, part);
    } else {
      std::memcpy(to + done, there, part);
    }
    done += part;
  }
}

std::uint8_t MemoryChips::dram(unsigned chip, std::size_t channel, std::uint64_t address) {
  return page({chip, true, static_cast<unsigned>(channel), 0}, address / kPage)[address % kPage];
}

std::uint8_t MemoryChips::l1(unsigned chip, unsigned x, unsigned y, std::uint64_t address) {
  return page({chip, false, x, y}, address / kPage)[address % kPage];
}

}  // namespace tvp::test
