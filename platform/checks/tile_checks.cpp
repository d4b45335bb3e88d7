#include "platform/checks/tile_checks.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "foundation/fault.h"

namespace tvp::checks {

namespace {

constexpr const char* kRecord = "record of L1";

}  // namespace

TileChecks::TileChecks(const TileContext& context, const Make& make, Failed failed)
    : context_(context), failed_(std::move(failed)) {
  context_.probe = &probe_;
  context_.guard = this;
  if (context_.looks_at_l1()) record_ = std::make_unique<TileRecord>(probe_);
  context_.record = record_.get();
  checks_ = make(context_);
  choose();
}

bool TileChecks::is_on(const Check& check) const {
  return std::find(disabled_.begin(), disabled_.end(), &check) == disabled_.end();
}

/// A kind that no check wants costs its model one test of a bit.
void TileChecks::choose() {
  record_kinds_ = record_ != nullptr && keeps_record_ ? L1InFlight::kinds() : 0;
  Probe::Kinds wanted = record_kinds_;
  for (unsigned kind = 0; kind < ProbeEvent::kKinds; ++kind) {
    by_kind_[kind].clear();
    const Probe::Kinds bit = Probe::bit(static_cast<ProbeEvent::Kind>(kind));
    for (const auto& check : checks_) {
      if ((check->kinds() & bit) == 0 || !is_on(*check)) continue;
      by_kind_[kind].push_back(check.get());
      wanted |= bit;
    }
  }
  probe_.listen(*this, wanted);
}

template <typename Call>
bool TileChecks::guard(const Check* check, const Call& call) {
  const auto name = [check] { return check == nullptr ? kRecord : check->name(); };
  try {
    call();
    return true;
  } catch (const foundation::Fault& fault) {
    if (fault.kind() == foundation::FaultKind::kFirmware) throw;  // what the check has found
    failed_(name(), fault.what());
  } catch (const std::exception& error) {
    failed_(name(), error.what());
  }
  return false;
}

void TileChecks::run(const Check& check, const std::function<void()>& call) {
  if (is_on(check)) guard(&check, call);
}

void TileChecks::on(const ProbeEvent& event) {
  if ((record_kinds_ & Probe::bit(event.kind)) != 0) guard(nullptr, [&] { record_->l1.on(event); });
  // A check that fails leaves the list.
  std::vector<Check*>& interested = by_kind_[static_cast<unsigned>(event.kind)];
  for (std::size_t i = 0; i < interested.size();) {
    Check* const check = interested[i];
    if (guard(check, [&] { check->on(event); })) ++i;
  }
}

void TileChecks::hold(std::span<const PageUses::Buffer> buffers) {
  if (record_ != nullptr && keeps_record_)
    guard(nullptr, [&] { record_->page_uses.hold(buffers); });
  for (const auto& check : checks_)
    if (is_on(*check)) guard(&*check, [&] { check->program_ends(); });
}

bool TileChecks::give(unsigned number, std::span<const std::uint32_t> words) {
  const bool is_there =
      std::any_of(context_.cores.begin(), context_.cores.end(),
                  [&](const TileContext::Core& core) { return core.number == number; });
  for (const auto& check : checks_)
    if (is_there && is_on(*check)) guard(&*check, [&] { check->given(number, words); });
  return is_there;
}

void TileChecks::disable(const std::string& name) {
  if (name == kRecord) keeps_record_ = false;
  for (const auto& check : checks_)
    if (check->name() == name) disabled_.push_back(check.get());
  choose();
}

}  // namespace tvp::checks
