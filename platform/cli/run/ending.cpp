#include "platform/cli/run/ending.h"

#include "foundation/fault.h"
#include "foundation/host_error.h"
#include "platform/cli/process/interrupt.h"
#include "sw/runtime/errors.h"

namespace tvp::cli {

using foundation::FaultKind;
using report::Status;

namespace {

Status status_of(FaultKind kind) {
  switch (kind) {
    case FaultKind::kDescription:
      return Status::kUsage;
    case FaultKind::kFirmware:
      return Status::kFirmware;
    case FaultKind::kUnmodelled:
    case FaultKind::kInternal:
      break;
  }
  return Status::kDefect;
}

}  // namespace

Ending Ending::of_current() {
  try {
    throw;
  } catch (const Interrupted&) {
    return {.status = Status::kInterrupted, .reason = interruption()};
  } catch (const runtime::InterruptedError& error) {
    return {.status = Status::kInterrupted,
            .reason = interrupted() ? interruption() : error.what()};
  } catch (const runtime::HangError& hang) {
    return {.status = Status::kHang, .reason = hang.what()};
  } catch (const runtime::TimeLimitError& limit) {
    return {.status = Status::kTimeLimit, .reason = limit.what()};
  } catch (const foundation::Fault& fault) {
    return {.status = status_of(fault.kind()), .reason = fault.what()};
  } catch (const std::exception& error) {
    const auto failure = foundation::host_failure(error);
    return {.status = failure ? Status::kHost : Status::kDefect,
            .reason = failure.value_or(error.what())};
  }
}

}  // namespace tvp::cli
