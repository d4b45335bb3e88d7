#include "foundation/host_error.h"

#include <cerrno>
#include <cstring>
#include <new>
#include <system_error>

#include "foundation/fault.h"

namespace tvp::foundation {

namespace {

struct Cure {
  int error;
  const char* text;
};
constexpr Cure kCures[] = {
    {ENOSPC, "free space there, or choose another place"},
    {EDQUOT, "free space there, or choose another place"},
    {EFBIG, "raise the limit of file sizes with ulimit -f"},
    {EROFS, "choose a place that can be written"},
    {EMFILE, "raise the limit of open files with ulimit -n 1024"},
    {ENFILE, "close other programs"},
    {ENOMEM, "close other programs, or raise the limit of memory with ulimit -v"},
    {EAGAIN, "close other programs, or raise the limit of processes with ulimit -u"},
};

}  // namespace

bool is_of_the_host(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EROFS:
    case EIO:
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case EAGAIN:
      return true;
    default:
      return false;
  }
}

std::string reason_of(int error) {
  std::string text = std::strerror(error);
  for (const Cure& cure : kCures)
    if (cure.error == error) text += std::string(" (") + cure.text + ")";
  return text;
}

void throw_errno(const std::string& where, const std::string& what, int error) {
  const std::string text = what + ": " + reason_of(error);
  if (is_of_the_host(error)) throw HostError(where, text);
  throw Fault(FaultKind::kDescription, where, text);
}

std::optional<std::string> host_failure(const std::exception& error) {
  if (dynamic_cast<const HostError*>(&error) != nullptr) return error.what();
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr)
    return "this machine has not enough memory for that: " + reason_of(ENOMEM);
  const auto* call = dynamic_cast<const std::system_error*>(&error);
  if (call == nullptr || !is_of_the_host(call->code().value())) return std::nullopt;
  return call->what() + std::string(": ") + reason_of(call->code().value());
}

}  // namespace tvp::foundation
