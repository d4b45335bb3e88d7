#include "models/dram/policies/policy_registry.h"

#include "foundation/fault.h"
#include "models/dram/controller/fcfs.h"
#include "models/dram/controller/fr_fcfs.h"
#include "models/dram/policies/auto_precharge_page.h"
#include "models/dram/policies/closed_page.h"
#include "models/dram/policies/no_refresh.h"
#include "models/dram/policies/open_page.h"
#include "models/dram/policies/periodic_refresh.h"
#include "models/dram/policies/timeout_page.h"

namespace tvp::dram {

using foundation::Fault;
using foundation::FaultKind;

namespace {

template <typename Policy, typename... Arguments>
struct Entry {
  const char* name;
  std::unique_ptr<Policy> (*make)(const Arguments&... arguments);
};

constexpr Entry<PagePolicy, ChannelOptions> kPagePolicies[] = {
    {"open",
     [](const ChannelOptions&) -> std::unique_ptr<PagePolicy> {
       return std::make_unique<OpenPage>();
     }},
    {"closed",
     [](const ChannelOptions&) -> std::unique_ptr<PagePolicy> {
       return std::make_unique<ClosedPage>();
     }},
    {"auto_precharge",
     [](const ChannelOptions&) -> std::unique_ptr<PagePolicy> {
       return std::make_unique<AutoPrechargePage>();
     }},
    {"timeout",
     [](const ChannelOptions& options) -> std::unique_ptr<PagePolicy> {
       return std::make_unique<TimeoutPage>(options.page_timeout_cycles);
     }},
};

constexpr Entry<Scheduler, ChannelOptions> kSchedulers[] = {
    {"fr_fcfs",
     [](const ChannelOptions& options) -> std::unique_ptr<Scheduler> {
       return std::make_unique<FrFcfs>(options.starvation_cap);
     }},
    {"fcfs",
     [](const ChannelOptions&) -> std::unique_ptr<Scheduler> { return std::make_unique<Fcfs>(); }},
};

void check_postpone(const ChannelOptions& options, const Preset& preset) {
  const unsigned most = preset.timing.max_postponed_refreshes;
  if (options.refresh_postpone <= most) return;
  throw Fault(FaultKind::kDescription, "refresh",
              std::string(preset.name) + " permits " + std::to_string(most) +
                  " postponed refreshes, not " + std::to_string(options.refresh_postpone));
}

std::unique_ptr<RefreshPolicy> make_all_bank(const ChannelOptions& options, const Preset& preset) {
  check_postpone(options, preset);
  const Organization& o = preset.organization;
  return std::make_unique<PeriodicRefresh>(DramCommand::kRefresh, preset.timing.trefi, o.ranks,
                                           options.refresh_postpone, 1, o.banks_per_rank());
}

/// Same-bank or per-bank refresh, depending on the standard.
std::unique_ptr<RefreshPolicy> make_bank(const ChannelOptions& options, const Preset& preset) {
  check_postpone(options, preset);
  const Organization& o = preset.organization;
  if (o.bank_refresh == BankRefresh::kNone) {
    throw Fault(FaultKind::kDescription, "refresh",
                std::string(preset.name) + " has no refresh of single banks; all_bank or off");
  }
  const unsigned named =
      o.bank_refresh == BankRefresh::kOneBank ? o.banks_per_rank() : o.banks_per_group;
  return std::make_unique<PeriodicRefresh>(DramCommand::kRefreshBank, preset.timing.trefi_bank,
                                           o.ranks, options.refresh_postpone, named,
                                           o.banks_per_rank());
}

constexpr Entry<RefreshPolicy, ChannelOptions, Preset> kRefreshPolicies[] = {
    {"all_bank", make_all_bank},
    {"bank", make_bank},
    {"off",
     [](const ChannelOptions&, const Preset&) -> std::unique_ptr<RefreshPolicy> {
       return std::make_unique<NoRefresh>();
     }},
};

template <typename Table>
std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  for (const auto& entry : table) names.emplace_back(entry.name);
  return names;
}

template <typename Table>
const auto& find(const Table& table, const char* key, const std::string& name) {
  for (const auto& entry : table) {
    if (name == entry.name) return entry;
  }
  throw Fault(FaultKind::kDescription, key, "unknown policy '" + name + "'");
}

}  // namespace

std::vector<std::string> page_policy_names() { return names_of(kPagePolicies); }

std::unique_ptr<PagePolicy> make_page_policy(const ChannelOptions& options) {
  return find(kPagePolicies, "dram.page", options.page).make(options);
}

std::vector<std::string> scheduler_names() { return names_of(kSchedulers); }

std::unique_ptr<Scheduler> make_scheduler(const ChannelOptions& options) {
  return find(kSchedulers, "dram.scheduler", options.scheduler).make(options);
}

std::vector<std::string> refresh_policy_names() { return names_of(kRefreshPolicies); }

std::unique_ptr<RefreshPolicy> make_refresh_policy(const ChannelOptions& options,
                                                   const Preset& preset) {
  return find(kRefreshPolicies, "dram.refresh", options.refresh).make(options, preset);
}

}  // namespace tvp::dram
