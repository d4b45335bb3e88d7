// The RISC-V core of a Tensix tile on a bus of the user.
#include <tensix_vp/systemc/riscv_core.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

namespace {

/// Memory from address 0 on, and a console register.
class Bus : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Bus> code;
  tlm_utils::simple_target_socket<Bus> data;
  std::string printed;

  explicit Bus(const sc_core::sc_module_name& name) : sc_module(name), code("code"), data("data") {
    code.register_transport_dbg(this, &Bus::transport_dbg);
    data.register_b_transport(this, &Bus::b_transport);
    std::ifstream file(FIRMWARE, std::ios::binary);
    const std::vector<char> image(std::istreambuf_iterator<char>(file), {});
    std::copy(image.begin(), image.end(), memory_.begin());
  }

 private:
  static constexpr std::uint64_t kConsole = 0x10000000;

  bool access(tlm::tlm_generic_payload& payload) {
    const std::uint64_t address = payload.get_address();
    const unsigned bytes = payload.get_data_length();
    if (address == kConsole && payload.is_write()) {
      printed += static_cast<char>(*payload.get_data_ptr());
      return true;
    }
    if (address > memory_.size() || bytes > memory_.size() - address) return false;
    std::uint8_t* const at = &memory_[address];
    if (payload.is_write()) {
      std::memcpy(at, payload.get_data_ptr(), bytes);
    } else {
      std::memcpy(payload.get_data_ptr(), at, bytes);
    }
    return true;
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const bool done = access(payload);
    delay += sc_core::sc_time(payload.get_address() == kConsole ? 100 : 5, sc_core::SC_NS);
    payload.set_response_status(done ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) {
    return access(payload) ? payload.get_data_length() : 0;
  }

  std::vector<std::uint8_t> memory_ = std::vector<std::uint8_t>(64 * 1024);
};

}  // namespace

int sc_main(int, char**) {
  Bus bus("bus");
  tensix_vp::RiscvCore::Parameters parameters;
  parameters.code_bytes = 64 * 1024;
  tensix_vp::RiscvCore core("core", parameters);
  core.instruction.bind(bus.code);
  core.data.bind(bus.data);
  core.release_reset();
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
  std::printf("%sthe core halted at pc 0x%x after %llu instructions\n", bus.printed.c_str(),
              core.pc(), static_cast<unsigned long long>(core.instructions()));
  return core.halted() && bus.printed == "primes below 50: 15\n" ? 0 : 1;
}
