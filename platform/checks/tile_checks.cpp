#include "platform/checks/tile_checks.h"

#include <algorithm>
#include <bit>
#include <exception>
#include <utility>

#include "foundation/fault.h"
#include "platform/checks/event_file.h"
#include "platform/checks/poll_reader.h"

namespace tvp::checks {

using Kind = ProbeEvent::Kind;

namespace {

constexpr const char* kRecord = "record of L1";

}  // namespace

TileChecks::TileChecks(const TileContext& context, const Make& make, Failed failed)
    : context_(context), failed_(std::move(failed)) {
  context_.probe = &probe_;
  context_.code = &code_;
  context_.given = &given_;
  if (context_.is_tensix()) record_ = std::make_unique<TileRecord>(probe_, code_);
  context_.record = record_.get();
  if (context_.kind == TileContext::Kind::kPimUnit && context_.units != nullptr)
    context_.order = order_ = &context_.units->add(context_);
  checks_ = make(context_);
  choose();
}

bool TileChecks::is_on(const Check& check) const {
  return std::find(disabled_.begin(), disabled_.end(), &check) == disabled_.end();
}

/// A kind that no check wants costs its model one test of a bit.
void TileChecks::choose() {
  record_kinds_ =
      record_ != nullptr && keeps_record_ ? TileRecord::kinds() | Probe::bit(Kind::kAnnounce) : 0;
  unit_kinds_ = context_.kind == TileContext::Kind::kPimUnit ? UnitRecord::kKinds : 0;
  if (order_ != nullptr) unit_kinds_ |= UnitOrder::Unit::kKinds;
  Probe::Kinds wanted = record_kinds_ | unit_kinds_;
  check_kinds_ = 0;
  for (std::vector<Check*>& list : by_kind_) list.clear();
  for (const auto& check : checks_) {
    if (!is_on(*check)) continue;
    const Probe::Kinds kinds = check->kinds(), always = kinds & ~check->kinds_of_findings();
    for (Probe::Kinds left = always; left != 0; left &= left - 1)
      by_kind_[static_cast<unsigned>(std::countr_zero(left))].push_back(check.get());
    check_kinds_ |= always;
    wanted |= kinds;
  }
  probe_.listen(*this, wanted);
}

template <typename Call>
bool TileChecks::guard(const Check* check, const Call& call) const {
  const auto name = [check] { return check == nullptr ? kRecord : check->name(); };
  try {
    call();
    return true;
  } catch (const foundation::Fault& fault) {
    if (fault.kind() == foundation::FaultKind::kFirmware) throw;  // a finding
    failed_(name(), fault.what());
  } catch (const std::exception& error) {
    failed_(name(), error.what());
  }
  return false;
}

void TileChecks::on(const ProbeEvent& event) {
  if (event.kind != Kind::kStreamRead || context_.polls == nullptr) return handle(event);
  ProbeEvent read = event;
  read.packets = context_.polls->awaited(event);
  handle(read);
}

void TileChecks::handle(const ProbeEvent& event) {
  if (context_.events != nullptr) [[unlikely]]
    context_.events->write(context_.where, event);
  const Probe::Kinds kind = Probe::bit(event.kind);
  if ((record_kinds_ & kind) != 0) {
    guard(nullptr, [&] { record_->on(event); });
    if (record_->has_found()) [[unlikely]]
      return report_finding(event);
  }
  if ((unit_kinds_ & kind) != 0) {
    if ((UnitRecord::kKinds & kind) != 0) unit_record_.on(event);
    if (order_ != nullptr) order_->on(event);
  }
  if ((check_kinds_ & kind) == 0) return;
  // The loop uses an index, since a check that fails leaves the list.
  const std::vector<Check*>& interested = by_kind_[static_cast<unsigned>(event.kind)];
  for (std::size_t i = 0; i < interested.size();) {
    Check* const check = interested[i];
    if (guard(check, [&] { check->on(event); })) ++i;
  }
}

void TileChecks::report_finding(const ProbeEvent& event) {
  for (const auto& check : checks_)
    if (is_on(*check) && (check->kinds() & Probe::bit(event.kind)) != 0)
      guard(&*check, [&] { check->on(event); });
}

void TileChecks::set_buffers(std::span<const PageUses::Buffer> buffers) {
  report({.kind = Kind::kProgramEnds});
  if (context_.polls != nullptr) context_.polls->forget();
  given_.clear();
  for (std::uint32_t i = 0; i < buffers.size(); ++i)
    report({.kind = Kind::kBuffer,
            .is_own = buffers[i].is_tensor,
            .bytes = buffers[i].page_bytes,
            .packets = buffers[i].pages,
            .index = i,
            .value = buffers[i].format,
            .address = buffers[i].address});
  if (!buffers.empty()) report({.kind = Kind::kProgramBegins});
}

bool TileChecks::give_arguments(unsigned number, std::span<const std::uint32_t> words) {
  for (const TileContext::Core& core : context_.cores) {
    if (core.number != number) continue;
    report({.kind = Kind::kKernel, .core = core.master});
    for (const std::uint32_t word : words)
      report({.kind = Kind::kArgument, .core = core.master, .value = word});
    return true;
  }
  return false;
}

bool TileChecks::give(const TileContext::Given& given, std::uint32_t address, std::uint32_t bytes) {
  if (address > context_.l1.size() || bytes > context_.l1.size() - address) return false;
  const auto number = static_cast<std::uint32_t>(given_.size());
  given_.push_back(given);
  given_.back().address = address;
  given_.back().bytes = bytes;
  report({.kind = Kind::kGiven,
          .bytes = bytes,
          .index = number,
          .value = static_cast<std::uint32_t>(given.use),
          .address = address});
  return true;
}

std::vector<foundation::Fault> TileChecks::found_so_far(bool is_idle) const {
  std::vector<foundation::Fault> all;
  for (const auto& check : checks_) {
    if (!is_on(*check)) continue;
    guard(&*check, [&] {
      for (const foundation::Fault& each : check->found_so_far(is_idle)) all.push_back(each);
    });
  }
  return all;
}

void TileChecks::disable(const std::string& name) {
  if (name == kRecord && record_ != nullptr) {
    keeps_record_ = false;
    record_->forget_found();
  }
  for (const auto& check : checks_)
    if (check->name() == name) disabled_.push_back(check.get());
  choose();
}

}  // namespace tvp::checks
