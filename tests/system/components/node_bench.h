#pragma once

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/support/payload_rules.h"
#include "tests/support/tlm_checker.h"

namespace tvp::tests {

/// Transactions of a random test: $TVP_FUZZ_CASES, or else `otherwise`.
inline unsigned transactions(unsigned otherwise) {
  const char* const text = std::getenv("TVP_FUZZ_CASES");
  return text == nullptr ? otherwise : static_cast<unsigned>(std::strtoul(text, nullptr, 10));
}

/// A memory at a node of a network.
class NodeMemory : public sc_core::sc_module {
 public:
  static constexpr std::uint64_t kBytes = 1 << 16;
  struct Arrival {
    std::uint64_t address;
    unsigned bytes;
    sc_core::sc_time at;
  };
  tlm_utils::simple_target_socket<NodeMemory> socket;
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(kBytes);
  sc_core::sc_time latency{10, sc_core::SC_NS};
  bool answers = true;
  std::vector<Arrival> arrivals;

  explicit NodeMemory(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.register_b_transport(this, &NodeMemory::b_transport);
    socket.register_transport_dbg(this, &NodeMemory::transport_dbg);
  }

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const std::uint64_t address = payload.get_address();
    const unsigned length = payload.get_data_length();
    arrivals.push_back({address, length, sc_core::sc_time_stamp() + delay});
    if (!answers) wait(never_);
    delay += latency;
    if (address + length > kBytes) {
      return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
    support::transfer(payload, bytes.data() + address);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) {
    return support::debug_transfer(payload, bytes.data(), kBytes);
  }
  sc_core::sc_event never_;
};

/// The initiator of a node, whose thread runs one job after the other.
class NodeInitiator : public sc_core::sc_module, public tlm::tlm_mm_interface {
 public:
  struct Transaction : tlm::tlm_generic_payload {
    explicit Transaction(tlm::tlm_mm_interface* manager) : tlm_generic_payload(manager) {}
    std::vector<std::uint8_t> data;
    std::vector<std::uint8_t> enables;
    std::vector<std::uint8_t> expected;  ///< data of a read
    tlm::tlm_response_status expected_status = tlm::TLM_OK_RESPONSE;
    sc_core::sc_time asked;
  };
  /// A part of an address space that only this initiator accesses.
  struct Region {
    std::uint64_t base;
    std::vector<std::uint8_t> shadow;
  };

  tlm_utils::simple_initiator_socket<NodeInitiator> socket;
  std::vector<Region> regions;
  bool byte_enables = true;  ///< random accesses use them
  unsigned answered = 0;
  unsigned open = 0;
  tlm::tlm_response_status last_status = tlm::TLM_INCOMPLETE_RESPONSE;
  sc_core::sc_time last_latency;
  std::vector<sc_core::sc_time> ends;  ///< of all transactions

  explicit NodeInitiator(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    SC_HAS_PROCESS(NodeInitiator);
    SC_THREAD(work);
    socket.register_nb_transport_bw(this, &NodeInitiator::backward);
  }

  /// Gives the thread a job, which sc_start() runs.
  void start(std::function<void()> job) {
    job_ = std::move(job);
    go_.notify(sc_core::SC_ZERO_TIME);
  }
  void run(std::function<void()> job) {
    start(std::move(job));
    sc_core::sc_start();
  }
  void sleep(const sc_core::sc_time& time) { wait(time); }

  Transaction& make(tlm::tlm_command command, std::uint64_t address, unsigned bytes) {
    if (free_.empty()) {
      tlm::tlm_mm_interface* const manager = this;
      all_.push_back(std::make_unique<Transaction>(manager));
      free_.push_back(all_.back().get());
    }
    Transaction& t = *free_.back();
    free_.pop_back();
    t.acquire();
    t.data.resize(std::max(bytes, 1U));
    t.expected.clear();
    t.expected_status = tlm::TLM_OK_RESPONSE;
    t.set_command(command);
    t.set_address(address);
    t.set_data_ptr(t.data.data());
    t.set_data_length(bytes);
    t.set_streaming_width(bytes);
    t.set_byte_enable_ptr(nullptr);
    t.set_byte_enable_length(0);
    t.set_dmi_allowed(false);
    t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    return t;
  }
  /// A random access of a region; some are long.
  Transaction& draw(std::mt19937& random) {
    Region& region = regions[random() % regions.size()];
    const auto most = random() % 32 == 0 ? region.shadow.size() : 200;
    const auto bytes = 1 + static_cast<unsigned>(random() % most);
    const std::uint64_t at = random() % (region.shadow.size() - bytes + 1);
    Transaction& t = make(random() % 2 == 0 ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND,
                          region.base + at, bytes);
    t.enables.clear();
    if (byte_enables && random() % 4 == 0) {
      const auto length = 1 + static_cast<unsigned>(random() % bytes);
      for (unsigned i = 0; i < length; ++i) t.enables.push_back(random() % 2 == 0 ? 0xFF : 0);
      t.set_byte_enable_ptr(t.enables.data());
      t.set_byte_enable_length(length);
    }
    for (std::uint8_t& byte : t.data) byte = static_cast<std::uint8_t>(random());
    if (t.is_write()) {
      support::copy_enabled(region.shadow.data() + at, t.data.data(), bytes, t);
    } else {
      t.expected = t.data;
      support::copy_enabled(t.expected.data(), region.shadow.data() + at, bytes, t);
    }
    return t;
  }
  /// A random access that the standard wants to be refused, or to have no effect. `nowhere`: an
  /// address without a memory.
  Transaction& draw_illegal(std::mt19937& random, std::uint64_t nowhere) {
    Transaction& t = make(random() % 2 == 0 ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND,
                          regions[0].base, 1 + static_cast<unsigned>(random() % 64));
    switch (random() % 6) {
      case 0:
        t.set_streaming_width(t.get_data_length() - 1);
        t.expected_status = tlm::TLM_BURST_ERROR_RESPONSE;
        break;
      case 1:
        t.set_data_length(0);
        t.expected_status = tlm::TLM_BURST_ERROR_RESPONSE;
        break;
      case 2:
        t.set_data_ptr(nullptr);
        t.expected_status = tlm::TLM_GENERIC_ERROR_RESPONSE;
        break;
      case 3:
        t.enables.assign(1, 0xFF);
        t.set_byte_enable_ptr(t.enables.data());
        t.expected_status = tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
        break;
      case 4:
        t.set_command(tlm::TLM_IGNORE_COMMAND);
        break;
      default:
        t.set_address(nowhere);
        t.expected_status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
    }
    return t;
  }

  void blocking(Transaction& t, sc_core::sc_time delay = sc_core::SC_ZERO_TIME) {
    t.asked = sc_core::sc_time_stamp() + delay;
    socket->b_transport(t, delay);
    finish(t, sc_core::sc_time_stamp() + delay);
  }
  /// Sends with BEGIN_REQ and waits for the END_REQ.
  void send(Transaction& t, sc_core::sc_time delay = sc_core::SC_ZERO_TIME) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    ++open;
    requesting_ = &t;
    t.asked = sc_core::sc_time_stamp() + delay;
    const tlm::tlm_sync_enum status = socket->nb_transport_fw(t, phase, delay);
    if (status == tlm::TLM_COMPLETED) {
      requesting_ = nullptr;
      --open;
      finish(t, sc_core::sc_time_stamp() + delay);
    } else if (status == tlm::TLM_UPDATED && phase == tlm::END_REQ) {
      requesting_ = nullptr;
    } else if (requesting_ != nullptr) {
      wait(taken_);
    }
  }

 private:
  void work() {
    while (true) {
      wait(go_);
      job_();
    }
  }
  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                              sc_core::sc_time& delay) {
    auto& t = static_cast<Transaction&>(payload);
    if (requesting_ == &t) {
      requesting_ = nullptr;
      taken_.notify(delay);
    }
    if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
    EXPECT_EQ(phase, tlm::BEGIN_RESP);
    --open;
    finish(t, sc_core::sc_time_stamp() + delay);
    phase = tlm::END_RESP;
    return tlm::TLM_COMPLETED;
  }
  void finish(Transaction& t, const sc_core::sc_time& at) {
    ++answered;
    last_status = t.get_response_status();
    last_latency = at - t.asked;
    ends.push_back(at);
    EXPECT_EQ(t.get_response_status(), t.expected_status) << "address " << t.get_address();
    if (!t.expected.empty()) {
      EXPECT_TRUE(t.data == t.expected) << "address " << t.get_address();
    }
    t.release();
  }
  void free(tlm::tlm_generic_payload* payload) override {
    free_.push_back(static_cast<Transaction*>(payload));
  }

  std::function<void()> job_;
  sc_core::sc_event go_;
  sc_core::sc_event taken_;
  Transaction* requesting_ = nullptr;
  std::vector<std::unique_ptr<Transaction>> all_;
  std::vector<Transaction*> free_;
};

/// A network with a memory and an initiator at each node, and checkers between them. Each initiator
/// has a part of each memory to itself.
template <typename Noc>
struct NodeBench {
  static constexpr unsigned kWidth = 4;
  static constexpr unsigned kHeight = 3;
  static constexpr unsigned kNodes = kWidth * kHeight;
  static constexpr std::uint64_t kRegionBytes = NodeMemory::kBytes / kNodes;

  Noc noc;
  std::vector<std::unique_ptr<NodeMemory>> memories;
  std::vector<std::unique_ptr<NodeInitiator>> initiators;
  std::vector<std::unique_ptr<TlmChecker<>>> checkers;

  NodeBench(const std::string& name, const typename Noc::Parameters& parameters)
      : noc(name.c_str(), parameters) {
    const auto now = [] { return sc_core::sc_time_stamp(); };
    for (unsigned node = 0; node < kNodes; ++node) {
      const std::string at = name + "_" + std::to_string(node);
      memories.push_back(std::make_unique<NodeMemory>((at + "_memory").c_str()));
      initiators.push_back(std::make_unique<NodeInitiator>((at + "_initiator").c_str()));
      auto& before =
          *checkers.emplace_back(std::make_unique<TlmChecker<>>((at + "_before").c_str(), now));
      auto& behind =
          *checkers.emplace_back(std::make_unique<TlmChecker<>>((at + "_behind").c_str(), now));
      initiators[node]->socket.bind(before.from_initiator);
      before.to_target.bind(noc.requests(x_of(node), y_of(node)));
      noc.memory(x_of(node), y_of(node)).bind(behind.from_initiator);
      behind.to_target.bind(memories[node]->socket);
      for (unsigned to = 0; to < kNodes; ++to) {
        initiators[node]->regions.push_back(
            {address(to, node * kRegionBytes), std::vector<std::uint8_t>(kRegionBytes)});
      }
    }
  }

  static unsigned x_of(unsigned node) { return node % kWidth; }
  static unsigned y_of(unsigned node) { return node / kWidth; }
  static std::uint64_t address(unsigned node, std::uint64_t offset) {
    return Noc::address(x_of(node), y_of(node), offset);
  }
  NodeInitiator& initiator(unsigned node) { return *initiators[node]; }

  /// All initiators begin random accesses.
  void start_traffic(unsigned seed, unsigned count, bool blocking) {
    for (unsigned node = 0; node < kNodes; ++node) {
      NodeInitiator& from = initiator(node);
      // The data of earlier tests.
      for (unsigned to = 0; to < kNodes; ++to) {
        std::copy_n(memories[to]->bytes.begin() + long(node * kRegionBytes), kRegionBytes,
                    from.regions[to].shadow.begin());
      }
      from.answered = 0;
      from.ends.clear();
      from.start([&from, seed, node, count, blocking] {
        std::mt19937 random(seed + node);
        for (unsigned i = 0; i < count; ++i) {
          const sc_core::sc_time delay(double(random() % 8), sc_core::SC_NS);
          if (blocking) {
            from.blocking(from.draw(random), delay);
          } else {
            from.send(from.draw(random), delay);
          }
          if (random() % 8 != 0) continue;
          from.sleep(sc_core::sc_time(double(random() % 99), sc_core::SC_NS));
        }
      });
    }
  }
  void expect_answers(unsigned count) {
    for (const auto& initiator : initiators) EXPECT_EQ(initiator->answered, count);
    for (const auto& checker : checkers) EXPECT_EQ(checker->open(), 0u);
    EXPECT_TRUE(noc.waiting().empty());
  }
};

/// An initiator at node (0,0) and a memory at (3,1), without checkers, since the initiator breaks
/// rules. All other sockets are unbound.
template <typename Noc>
struct LoneInitiator {
  Noc noc;
  NodeInitiator initiator;
  NodeMemory memory;

  LoneInitiator(const std::string& name, typename Noc::Parameters parameters)
      : noc(name.c_str(), with_a_target(std::move(parameters))),
        initiator((name + "_initiator").c_str()),
        memory((name + "_memory").c_str()) {
    initiator.socket.bind(noc.requests(0, 0));
    noc.memory(3, 1).bind(memory.socket);
    initiator.regions.push_back({Noc::address(3, 1, 0), {}});
  }

  /// Sends random illegal transactions.
  void misuse(unsigned count, const std::vector<std::uint64_t>& nowhere) {
    initiator.answered = 0;
    initiator.run([&] {
      std::mt19937 random(3);
      for (unsigned i = 0; i < count; ++i) {
        auto& t = initiator.draw_illegal(random, nowhere[random() % nowhere.size()]);
        if (random() % 2 == 0) {
          initiator.blocking(t);
        } else {
          initiator.send(t);
        }
      }
    });
    EXPECT_EQ(initiator.answered, count);
    EXPECT_TRUE(memory.arrivals.empty());
  }
  /// The report about a call of nb_transport_fw; "" if there is none.
  std::string report_of(tlm::tlm_phase phase) {
    auto& t = initiator.make(tlm::TLM_READ_COMMAND, Noc::address(3, 1, 0x40), 4);
    sc_core::sc_time delay;
    try {
      initiator.socket->nb_transport_fw(t, phase, delay);
    } catch (const sc_core::sc_report& report) {
      return report.get_msg();
    }
    return "";
  }

 private:
  static typename Noc::Parameters with_a_target(typename Noc::Parameters parameters) {
    parameters.targets = {{.x = 3, .y = 1}};
    return parameters;
  }
};

}  // namespace tvp::tests
