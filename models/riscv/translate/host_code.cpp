#include "models/riscv/translate/host_code.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

namespace tvp::riscv {

bool HostCode::reserve(std::size_t bytes) {
  // Private, so that a process that forks does not write its child's code.
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  memory_ = static_cast<std::uint8_t*>(memory);
  bytes_ = bytes;
  return true;
}

HostCode::~HostCode() {
  if (is_reserved()) munmap(memory_, bytes_);
}

bool HostCode::protect(std::size_t from, std::size_t to, bool execute) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  from = from / page * page;
  return mprotect(memory_ + from, std::min(to, bytes_) - from,
                  PROT_READ | (execute ? PROT_EXEC : PROT_WRITE)) == 0;
}

std::uint8_t* HostCode::open(std::size_t most) {
  opened_ = std::min(used_ + most, bytes_);
  return protect(used_, opened_, false) ? memory_ + used_ : nullptr;
}

bool HostCode::close(std::size_t bytes) {
  if (!protect(used_, opened_, true)) return false;
  used_ += bytes;
  return true;
}

}  // namespace tvp::riscv
