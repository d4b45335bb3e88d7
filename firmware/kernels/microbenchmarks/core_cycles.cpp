// Runs each kind of instruction many times in a row, in two zones: a loop with some turns, and one
// with three times as many. Their difference does not contain the surrounding instructions.

#include "api/dataflow/dataflow_api.h"

namespace {

constexpr uint32_t kScratch = get_compile_time_arg_val(0);  // in L1
constexpr uint32_t kTurns = get_compile_time_arg_val(1);

struct Add {
  static void turn(uint32_t& value, uint32_t) {
    asm volatile(".rept 64\n add %0, %0, %0\n .endr" : "+r"(value));
  }
};
struct Multiply {
  static void turn(uint32_t& value, uint32_t) {
    asm volatile(".rept 64\n mul %0, %0, %0\n .endr" : "+r"(value));
  }
};
/// Each load returns the next address: the place holds its own address.
struct Chase {
  static void turn(uint32_t& place, uint32_t) {
    asm volatile(".rept 64\n lw %0, 0(%0)\n .endr" : "+r"(place) : : "memory");
  }
};
struct Load {
  static void turn(uint32_t&, uint32_t from) {
    asm volatile(".rept 16\n lw t0, 0(%0)\n lw t1, 4(%0)\n lw t2, 8(%0)\n lw t3, 12(%0)\n .endr"
                 :
                 : "r"(from)
                 : "t0", "t1", "t2", "t3", "memory");
  }
};
struct Store {
  static void turn(uint32_t& value, uint32_t to) {
    asm volatile(".rept 64\n sw %0, 4(%1)\n .endr" : : "r"(value), "r"(to) : "memory");
  }
};

template <typename Kind>
__attribute__((noinline)) void measure(uint32_t value, uint32_t address) {
  for (uint32_t times = 1; times <= 3; times += 2) {
    DeviceZoneScopedN("turns");
    for (uint32_t i = 0; i < times * kTurns; ++i) Kind::turn(value, address);
  }
}

}  // namespace

void kernel_main() {
  volatile uint32_t local = 0;
  const auto at_local = reinterpret_cast<uint32_t>(&local);
  local = at_local;
  *reinterpret_cast<volatile uint32_t*>(kScratch) = kScratch;
  measure<Add>(1, 0);
  measure<Multiply>(3, 0);
  measure<Chase>(at_local, 0);
  measure<Chase>(kScratch, 0);
  measure<Load>(0, kScratch);
  measure<Store>(0, kScratch);
}
