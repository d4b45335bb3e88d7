#pragma once

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/support/payload_rules.h"
#include "tests/support/fuzz_cases.h"
#include "tests/support/random_responder.h"
#include "tests/support/random_traffic.h"
#include "tests/support/report_recorder.h"
#include "tests/support/tlm_checker.h"

namespace tvp::tests {

/// A memory at a node of a network.
class NodeMemory : public sc_core::sc_module {
 public:
  static constexpr std::uint64_t kBytes = 1 << 16;
  struct Arrival {
    std::uint64_t address;
    unsigned bytes;
    sc_core::sc_time at;
    bool operator==(const Arrival&) const = default;
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
    tlm::tlm_response_status expected_status = tlm::TLM_OK_RESPONSE;
    sc_core::sc_time asked;
  };

  tlm_utils::simple_initiator_socket<NodeInitiator> socket;
  unsigned answered = 0;
  unsigned open = 0;
  tlm::tlm_response_status last_status = tlm::TLM_INCOMPLETE_RESPONSE;
  sc_core::sc_time last_latency;
  std::vector<sc_core::sc_time> ends;  ///< one time for each transaction

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
  /// Until a later time at an edge of clocks of 1 GHz, when nothing moves any more.
  void settle() {
    const sc_core::sc_time step(1, sc_core::SC_US);
    wait(2 * step - sc_core::sc_time_stamp() % step);
  }

  Transaction& make(tlm::tlm_command command, std::uint64_t address, unsigned bytes) {
    if (free_.empty()) {
      tlm::tlm_mm_interface* const manager = this;
      all_.push_back(std::make_unique<Transaction>(manager));
      free_.push_back(all_.back().get());
    }
    Transaction& t = *free_.back();
    free_.pop_back();
    t.acquire();
    t.data.resize(bytes);
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

constexpr unsigned kWidth = 4;
constexpr unsigned kHeight = 3;
constexpr unsigned kNodes = kWidth * kHeight;

inline unsigned x_of(unsigned node) { return node % kWidth; }
inline unsigned y_of(unsigned node) { return node / kWidth; }

/// A network with a memory and an initiator at each node, and checkers between them.
template <typename Noc>
struct NodeBench {
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
    }
  }
  NodeInitiator& initiator(unsigned node) { return *initiators[node]; }
};

/// A network with random traffic at all nodes, legal and illegal. The last node is no target. Each
/// initiator has a part of each memory to itself.
template <typename Noc, typename Memory>
struct TrafficBench {
  static constexpr std::uint64_t kBytes = NodeMemory::kBytes / kNodes;

  Noc noc;
  const bool approximate;
  std::vector<std::unique_ptr<Memory>> memories;
  std::vector<std::unique_ptr<TlmChecker<>>> checkers;  ///< before the memories
  std::vector<std::unique_ptr<RandomTraffic>> traffic;

  TrafficBench(const std::string& name, typename Noc::Parameters parameters, TrafficRules rules,
               std::uint64_t count)
      : noc(name.c_str(), with_targets(std::move(parameters))), approximate(rules.approximate) {
    rules.maximal = kBytes;
    rules.absent = {Noc::address(kWidth, 0, 0), Noc::address(0, kHeight, 0), ~0ULL << 50,
                    Noc::address(x_of(kNodes - 1), y_of(kNodes - 1), 0)};
    for (unsigned node = 0; node < kNodes; ++node) {
      const std::string at = name + "_" + std::to_string(node);
      if (node < kNodes - 1) {
        memories.push_back(memory((at + "_memory").c_str(), node));
        checkers.push_back(std::make_unique<TlmChecker<>>((at + "_checker").c_str(),
                                                          [] { return sc_core::sc_time_stamp(); }));
        noc.memory(x_of(node), y_of(node)).bind(checkers.back()->from_initiator);
        checkers.back()->to_target.bind(memories.back()->socket);
      }
      rules.memory.clear();
      for (unsigned to = 0; to < kNodes - 1; ++to) {
        rules.memory.push_back({Noc::address(x_of(to), y_of(to), node * kBytes), kBytes, false});
      }
      traffic.push_back(std::make_unique<RandomTraffic>((at + "_traffic").c_str(), rules,
                                                        test::fuzz_seed() + node, count));
      traffic.back()->socket.bind(noc.requests(x_of(node), y_of(node)));
    }
  }

  void expect_served(std::uint64_t count) {
    for (const auto& each : traffic) {
      EXPECT_TRUE(each->finished()) << each->name();
      EXPECT_GT(each->counts().blocking, count / 10);
      EXPECT_GE(each->counts().phased, approximate ? count / 10 : 0);
      EXPECT_GT(each->counts().refused, count / 100);
      EXPECT_GE(each->counts().wrong_phases, approximate ? count / 200 : 0);
      EXPECT_GT(each->counts().debug, count / 100);
    }
    for (const auto& checker : checkers) EXPECT_EQ(checker->open(), 0u);
    EXPECT_TRUE(noc.waiting().empty());
  }

 private:
  static typename Noc::Parameters with_targets(typename Noc::Parameters parameters) {
    for (unsigned node = 0; node < kNodes - 1; ++node) {
      parameters.targets.push_back({.x = x_of(node), .y = y_of(node)});
    }
    return parameters;
  }
  static std::unique_ptr<Memory> memory(const char* name, unsigned node) {
    if constexpr (std::is_constructible_v<Memory, const char*, std::uint64_t>) {
      return std::make_unique<Memory>(name, test::fuzz_seed() + node);
    } else {
      return std::make_unique<Memory>(name);
    }
  }
};

/// An initiator at node (0,0) and a memory at (3,1). All other sockets are unbound.
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
  }

 private:
  static typename Noc::Parameters with_a_target(typename Noc::Parameters parameters) {
    parameters.targets = {{.x = 3, .y = 1}};
    return parameters;
  }
};

/// Expects a line that begins with one text and contains another.
inline void expect_line(const std::vector<std::string>& lines, const std::string& begin,
                        const std::string& part) {
  const bool found = std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
    return line.rfind(begin, 0) == 0 && line.find(part) != std::string::npos;
  });
  std::string all;
  for (const std::string& line : lines) all += line + "\n";
  EXPECT_TRUE(found) << begin << " ... " << part << " is not in:\n" << all;
}

}  // namespace tvp::tests
