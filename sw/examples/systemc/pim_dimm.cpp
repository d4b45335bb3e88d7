// A PIM DIMM on the memory bus of a user's CPU model: the CPU writes vectors into the banks, starts
// the units beside them, waits, and reads the sums.
#include <tensix_vp/systemc/pim_dimm.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

namespace {

using sc_core::sc_time;
using tensix_vp::PimDimm;

constexpr std::uint64_t kDimmBase = 0x8'0000'0000;
constexpr std::uint32_t kWords = 4096;  // the vectors of firmware/vector_add.c
constexpr unsigned kVectorBytes = kWords * 4;

double us(const sc_time& time) { return time.to_seconds() * 1e6; }

/// The CPU's main memory below the DIMM, and the decoder of addresses.
class MemoryBus : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<MemoryBus> cpu;
  tlm_utils::simple_initiator_socket<MemoryBus> dimm;

  explicit MemoryBus(const sc_core::sc_module_name& name)
      : sc_module(name), cpu("cpu"), dimm("dimm") {
    cpu.register_b_transport(this, &MemoryBus::b_transport);
  }

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_time& delay) {
    const std::uint64_t address = payload.get_address();
    if (address >= kDimmBase) {
      payload.set_address(address - kDimmBase);
      dimm->b_transport(payload, delay);
      return payload.set_address(address);
    }
    const unsigned bytes = payload.get_data_length();
    if (address > memory_.size() || bytes > memory_.size() - address) {
      return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
    if (payload.is_write()) {
      std::memcpy(&memory_[address], payload.get_data_ptr(), bytes);
    } else {
      std::memcpy(payload.get_data_ptr(), &memory_[address], bytes);
    }
    delay += sc_time(50, sc_core::SC_NS);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  std::vector<std::uint8_t> memory_ = std::vector<std::uint8_t>(1 << 20);
};

/// A CPU that executes its program at 3 GHz, one cycle per addition, with loads and stores of 64
/// bytes.
class Cpu : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Cpu> bus;
  bool right = true;

  Cpu(const sc_core::sc_module_name& name, const PimDimm& dimm)
      : sc_module(name), bus("bus"), dimm_(dimm) {
    SC_HAS_PROCESS(Cpu);
    SC_THREAD(run);
  }

 private:
  static constexpr unsigned kLine = 64;

  void run() {
    const unsigned units = load_word(reg(PimDimm::CommonRegister::kUnits));
    std::vector<std::uint32_t> a(kWords);
    std::vector<std::uint32_t> b(kWords);
    std::ifstream stream(FIRMWARE, std::ios::binary);
    const std::vector<char> program(std::istreambuf_iterator<char>(stream), {});
    for (unsigned unit = 0; unit < units; ++unit) {
      for (std::uint32_t i = 0; i < kWords; ++i) {
        a[i] = unit + i;
        b[i] = 3 * i;
      }
      store(kDimmBase + dimm_.bank(unit), a.data(), kVectorBytes);
      store(kDimmBase + dimm_.bank(unit) + kVectorBytes, b.data(), kVectorBytes);
      store(kDimmBase + dimm_.iram(unit), program.data(), static_cast<unsigned>(program.size()));
      store_word(reg(unit, PimDimm::UnitRegister::kEntry), 0xFFC00000);
      store_word(reg(unit, PimDimm::UnitRegister::kOwner), 1);
      store_word(reg(unit, PimDimm::UnitRegister::kSelected), 1);
    }
    const sc_time started = sc_core::sc_time_stamp();
    store_word(reg(PimDimm::CommonRegister::kStart), 1);
    while (load_word(reg(PimDimm::CommonRegister::kRunning)) != 0) wait(1, sc_core::SC_US);
    const sc_time ended = sc_core::sc_time_stamp();

    std::vector<std::uint32_t> sum(kWords);
    for (unsigned unit = 0; unit < units; ++unit) {
      right = right && load_word(reg(unit, PimDimm::UnitRegister::kExitStatus)) == kWords;
      store_word(reg(unit, PimDimm::UnitRegister::kOwner), 0);
      load(kDimmBase + dimm_.bank(unit) + 2 * kVectorBytes, sum.data(), kVectorBytes);
      for (std::uint32_t i = 0; i < kWords; ++i) right = right && sum[i] == unit + 4 * i;
    }
    std::printf("%u units add %u words each: %s\n", units, kWords, right ? "right" : "wrong");
    std::printf("write %.1f us, add %.1f us, read %.1f us\n", us(started), us(ended - started),
                us(sc_core::sc_time_stamp() - ended));

    // The same work by the CPU, with vectors in its own memory.
    const sc_time begin = sc_core::sc_time_stamp();
    std::array<std::uint32_t, kLine / 4> x{};
    std::array<std::uint32_t, kLine / 4> y{};
    for (unsigned at = 0; at < kVectorBytes; at += kLine) {
      load(at, x.data(), kLine);
      load(kVectorBytes + at, y.data(), kLine);
      for (unsigned i = 0; i < x.size(); ++i) x[i] += y[i];
      wait(sc_time(x.size() / 3.0, sc_core::SC_NS));
      store(2 * kVectorBytes + at, x.data(), kLine);
    }
    std::printf("the CPU adds %u words in %.1f us\n", kWords, us(sc_core::sc_time_stamp() - begin));
    sc_core::sc_stop();
  }

  std::uint64_t reg(unsigned unit, PimDimm::UnitRegister which) const {
    return kDimmBase + dimm_.address(unit, which);
  }
  std::uint64_t reg(PimDimm::CommonRegister which) const {
    return kDimmBase + dimm_.address(which);
  }
  std::uint32_t load_word(std::uint64_t address) {
    std::uint32_t word = 0;
    access(tlm::TLM_READ_COMMAND, address, &word, 4);
    return word;
  }
  void store_word(std::uint64_t address, std::uint32_t word) {
    access(tlm::TLM_WRITE_COMMAND, address, &word, 4);
  }
  void load(std::uint64_t address, void* data, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i += kLine)
      access(tlm::TLM_READ_COMMAND, address + i, static_cast<char*>(data) + i,
             std::min(kLine, bytes - i));
  }
  void store(std::uint64_t address, const void* data, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i += kLine)
      access(tlm::TLM_WRITE_COMMAND, address + i,
             const_cast<char*>(static_cast<const char*>(data)) + i, std::min(kLine, bytes - i));
  }
  void access(tlm::tlm_command command, std::uint64_t address, void* data, unsigned bytes) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(static_cast<unsigned char*>(data));
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
    sc_time delay = sc_core::SC_ZERO_TIME;
    bus->b_transport(payload, delay);
    if (!payload.is_response_ok()) SC_REPORT_ERROR(name(), payload.get_response_string().c_str());
    wait(delay);
  }

  const PimDimm& dimm_;
};

}  // namespace

int sc_main(int, char**) {
  PimDimm::Parameters parameters;
  parameters.system = "pim_rank";
  parameters.settings = {{"host.timed", "true"}};
  PimDimm dimm("dimm", parameters);
  MemoryBus bus("bus");
  Cpu cpu("cpu", dimm);
  cpu.bus.bind(bus.cpu);
  bus.dimm.bind(dimm.memory);
  sc_core::sc_start();
  return cpu.right ? 0 : 1;
}
