// Host cost of accesses to the modules of platform/components.
//   bench_components [--short] [--json FILE]
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "tensix_vp/systemc/board.h"
#include "tensix_vp/systemc/crossbar.h"
#include "tensix_vp/systemc/ddr_channel.h"
#include "tensix_vp/systemc/dram_memory.h"
#include "tensix_vp/systemc/mesh_noc.h"
#include "tensix_vp/systemc/pim_dimm.h"
#include "tensix_vp/systemc/torus_noc.h"
#include "tests/support/bench_report.h"

namespace {

using tvp::test::BenchReport;
using tvp::test::cpu_seconds;

/// Runs its jobs one after the other in a thread.
class Initiator : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Initiator> socket;
  std::function<void()> job;
  sc_core::sc_event start;

  explicit Initiator(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    SC_HAS_PROCESS(Initiator);
    SC_THREAD(run);
  }
  void access(tlm::tlm_command command, std::uint64_t address, void* data, unsigned bytes,
              sc_core::sc_time& delay) {
    payload_.set_command(command);
    payload_.set_address(address);
    payload_.set_data_ptr(static_cast<unsigned char*>(data));
    payload_.set_data_length(bytes);
    payload_.set_streaming_width(bytes);
    payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    socket->b_transport(payload_, delay);
    if (!payload_.is_response_ok())
      SC_REPORT_ERROR("bench", payload_.get_response_string().c_str());
  }

  /// Direct access to the page of 64 KiB.
  std::uint8_t* page_of(std::uint64_t address) {
    payload_.set_address(address);
    tlm::tlm_dmi dmi;
    if (!socket->get_direct_mem_ptr(payload_, dmi) || dmi.get_start_address() % 0x10000 != 0)
      SC_REPORT_ERROR("bench", "no direct access to a page");
    return dmi.get_dmi_ptr();
  }

 private:
  void run() { job(); }
  tlm::tlm_generic_payload payload_;
};

/// Answers at once.
class Sink : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Sink> socket;

  explicit Sink(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.register_b_transport(this, &Sink::b_transport);
  }

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

/// A controller that reads the columns of an open row.
class Controller : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Controller, 32, tensix_vp::DdrProtocol> commands;

  explicit Controller(const sc_core::sc_module_name& name)
      : sc_module(name), commands("commands") {}
  void read(unsigned bursts) {
    std::array<std::uint8_t, 64> line{};
    tensix_vp::DdrCommand command;
    sc_core::sc_time delay;
    commands->b_transport(command, delay);
    command.operation = tensix_vp::DdrOperation::kRead;
    command.data = line.data();
    command.bytes = line.size();
    for (unsigned i = 0; i < bursts; ++i) {
      command.column = i % 128 * 8;
      commands->b_transport(command, delay);
      if (command.status != tensix_vp::DdrStatus::kOk) SC_REPORT_ERROR("bench", "a read failed");
    }
  }
};

/// An initiator at node (0,0) of a network and a memory at (3,0).
template <typename Noc>
struct Network {
  Noc noc;
  Initiator initiator;
  Sink sink;

  static typename Noc::Parameters parameters() {
    typename Noc::Parameters parameters;
    parameters.targets = {{.x = 3, .y = 0}};
    parameters.timing = Noc::Timing::kLoose;
    return parameters;
  }
  explicit Network(const std::string& name)
      : noc((name + "_noc").c_str(), parameters()),
        initiator((name + "_initiator").c_str()),
        sink((name + "_sink").c_str()) {
    initiator.socket.bind(noc.requests(0, 0));
    noc.memory(3, 0).bind(sink.socket);
  }
  void write(unsigned accesses) {
    std::array<std::uint8_t, 64> line{};
    for (unsigned i = 0; i < accesses; ++i) {
      sc_core::sc_time delay;
      initiator.access(tlm::TLM_WRITE_COMMAND, Noc::address(3, 0, 0), line.data(), 64, delay);
    }
  }
};

}  // namespace

int sc_main(int argc, char** argv) {
  BenchReport report("components", argc, argv);
  const unsigned accesses = report.is_short() ? 1'000 : 200'000;
  const auto measure = [&](const char* name, double bar, const std::function<void()>& work) {
    const double start = cpu_seconds();
    work();
    const double ns = (cpu_seconds() - start) / accesses * 1e9;
    std::printf("%-32s %8.0f ns an access\n", name, ns);
    report.add(name, ns, "ns", BenchReport::Better::kLower, bar);
  };
  tensix_vp::Board board("board");
  tensix_vp::DramMemory::Parameters with_dmi;
  with_dmi.dmi = true;
  tensix_vp::DramMemory memory("memory", with_dmi);
  Initiator bus("bus");
  Network<tensix_vp::MeshNoc> mesh("mesh");
  Network<tensix_vp::TorusNoc> torus("torus");
  Initiator host("host");
  Initiator cpu("cpu");
  host.socket.bind(board.pcie);
  cpu.socket.bind(memory.socket);
  host.job = [&] {
    const std::uint64_t bar0 = tensix_vp::Board::bar(0, 0);
    std::uint64_t window = 1ULL << 16 | 1ULL << 22 | 1ULL << 45;  // L1 of tile (1,1)
    sc_core::sc_time delay;
    host.access(tlm::TLM_WRITE_COMMAND, bar0 + 0x1FC00000, &window, 8, delay);
    measure("board: 4 bytes of L1 by PCIe", 2000, [&] {
      std::uint32_t word = 0;
      for (unsigned i = 0; i < accesses; ++i) {
        host.access(i % 2 == 0 ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND,
                    bar0 + 0x10000 + i % 1024 * 4, &word, 4, delay);
      }
    });
  };
  cpu.job = [&] {
    std::array<std::uint8_t, 64> line{};
    std::mt19937 random(1);
    volatile std::uint8_t seen = 0;
    const auto read = [&](bool stream) {
      sc_core::sc_time delay;
      for (unsigned i = 0; i < accesses; ++i) {
        const std::uint64_t line_number = stream ? i : random() % (1U << 20);
        cpu.access(tlm::TLM_READ_COMMAND, line_number * 64, line.data(), 64, delay);
        if (delay > sc_core::sc_time(1, sc_core::SC_US)) {
          wait(delay);
          delay = sc_core::SC_ZERO_TIME;
        }
      }
    };
    // Pages by grants, as an initiator keeps them, and the same pages as plain memory.
    constexpr std::size_t kPageBytes = 0x10000;
    std::vector<std::uint8_t> plain(1024 * kPageBytes, 1);
    std::vector<std::uint8_t*> pages(1024);
    const auto copy_lines = [&] {
      for (unsigned i = 0; i < accesses; ++i) {
        const std::size_t at = random() % (1U << 20) * 64;
        std::memcpy(line.data(), pages[at / kPageBytes] + at % kPageBytes, line.size());
        seen = line[0];
      }
    };
    for (std::size_t i = 0; i < pages.size(); ++i) pages[i] = plain.data() + i * kPageBytes;
    measure("plain memory: 64 bytes, random", 100, copy_lines);
    for (std::size_t i = 0; i < pages.size(); ++i) {
      pages[i] = cpu.page_of(i * kPageBytes);
      std::memset(pages[i], 1, kPageBytes);
    }
    measure("DRAM: 64 bytes by DMI, random", 100, copy_lines);
    measure("DRAM: 64 bytes, stream", 300, [&] { read(true); });
    measure("DRAM: 64 bytes, random", 300, [&] { read(false); });
    mesh.initiator.start.notify();
  };
  mesh.initiator.job = [&] {
    wait(mesh.initiator.start);
    measure("mesh: 64 bytes, 4 routers", 10'000, [&] { mesh.write(accesses); });
    torus.initiator.start.notify();
  };
  torus.initiator.job = [&] {
    wait(torus.initiator.start);
    measure("torus: 64 bytes, 3 links", 10'000, [&] { torus.write(accesses); });
    bus.start.notify();
  };
  tensix_vp::PimDimm dimm("dimm");
  bus.socket.bind(dimm.memory);
  tensix_vp::DdrChannel channel(
      "channel", {.preset = "ddr4_2400", .ranks = 1, .strict = false, .foreign_ranks = {}});
  Controller controller("controller");
  controller.commands.bind(channel.commands);
  tensix_vp::Crossbar crossbar("crossbar");
  Initiator sender("sender");
  Sink sink("sink");
  sender.socket.bind(crossbar.in(0));
  crossbar.out(1).bind(sink.socket);
  const auto write = [&](Initiator& from, std::uint64_t address) {
    std::array<std::uint8_t, 64> line{};
    sc_core::sc_time delay;
    for (unsigned i = 0; i < accesses; ++i)
      from.access(tlm::TLM_WRITE_COMMAND, address + i % 1024 * 64, line.data(), 64, delay);
  };
  bus.job = [&] {
    wait(bus.start);
    measure("PIM DIMM: 64 bytes of a bank", 300, [&] { write(bus, 0); });
    measure("DDR channel: read of a burst", 500, [&] { controller.read(accesses); });
    sender.start.notify();
  };
  sender.job = [&] {
    wait(sender.start);
    measure("crossbar: 64 bytes", 500, [&] { write(sender, crossbar.window(1)); });
  };
  sc_core::sc_start();
  return report.finish();
}
