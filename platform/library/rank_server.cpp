#include "platform/library/rank_server.h"

#include <dlfcn.h>

#include <exception>
#include <optional>

#include "foundation/content_hash.h"
#include "foundation/fault.h"
#include "foundation/read_file.h"
#include "platform/machine/ranks/chip_ranks.h"

namespace tvp::platform {

using foundation::Fault;
using foundation::FaultKind;

namespace {

/// Identifies the code of this library.
std::string build_hash() {
  Dl_info self{};
  static const char place = 0;
  dladdr(&place, &self);
  return foundation::ContentHash().add(foundation::read_file(self.dli_fname)).hex();
}

std::string description_hash(const Configuration& configuration) {
  return foundation::ContentHash()
      .add(configuration.system().to_json())
      .add(configuration.to_json())
      .hex();
}

}  // namespace

void RankServer::start_others(Ranks& ranks, const std::string& launcher,
                              const std::vector<std::string>& texts) {
  Message call;
  call.put(RankCall::kStart).put_text(launcher).put(static_cast<std::uint32_t>(texts.size()));
  for (const std::string& text : texts) call.put_text(text);
  for (unsigned rank = 1; rank < ranks.size(); ++rank) ranks.send(rank, call);
}

void RankServer::await_others(Ranks& ranks, const Configuration& mine) {
  const std::string build = build_hash();
  std::optional<Fault> refusal;
  for (unsigned rank = 1; rank < ranks.size(); ++rank) {
    const std::string where = "rank " + std::to_string(rank);
    Message answer = ranks.receive(rank);
    std::optional<Fault> fault;
    if (answer.get<bool>()) {
      fault = fault_in(answer);
      fault.emplace(fault->kind(), where, fault->what());
    } else if (answer.get_text() != build) {
      fault.emplace(FaultKind::kDescription, where,
                    "has another libtensix_vp.so than rank 0: expected the same build on all "
                    "hosts");
    } else if (answer.get_text() != description_hash(mine)) {
      fault.emplace(FaultKind::kDescription, where,
                    "has another description of " + mine.system_name() +
                        " than rank 0: expected the same files and settings on all hosts");
    }
    if (fault && !refusal) refusal.emplace(*fault);
  }
  if (refusal) throw Fault(*refusal);
}

void RankServer::start(Message& call) {
  machine_.reset();
  kernel_.reset();
  Message answer;
  try {
    const std::string launcher = call.get_text();
    configuration_ = std::make_unique<Configuration>();
    if (!launcher.empty()) configuration_->apply_launcher(launcher);
    for (auto left = call.get<std::uint32_t>(); left != 0; --left)
      configuration_->apply(call.get_text());
    const SystemDescription& system = configuration_->load_system();
    const std::string description = description_hash(*configuration_);
    configuration_->platform().ranks = &ranks_;
    kernel_ = std::make_unique<Kernel>();
    const Kernel::Inside inside(kernel_.get());
    machine_ = make_machine(system, configuration_->platform());
    machine_->start();
    answer.put(false).put_text(build_hash()).put_text(description);
  } catch (const Fault& fault) {
    answer.clear();
    answer.put(true);
    put_fault(answer, fault);
  } catch (const std::exception& error) {
    answer.clear();
    answer.put(true);
    put_fault(answer, Fault(FaultKind::kInternal, "", error.what()));
  }
  ranks_.send(0, answer);
}

void RankServer::serve() {
  for (;;) {
    Message call = ranks_.receive(0);
    const auto first = static_cast<RankCall>(*call.bytes().data());
    if (first == RankCall::kEnd) break;
    if (first == RankCall::kStart) {
      call.get<RankCall>();
      start(call);
      continue;
    }
    const Kernel::Inside inside(kernel_.get());
    if (first == RankCall::kDrop) {
      machine_.reset();
    } else {
      machine_->serve(call);
    }
  }
  {
    const Kernel::Inside inside(kernel_.get());
    machine_.reset();
  }
  ranks_.close();
}

}  // namespace tvp::platform
