// Counts primes and prints their number to a console register.
#include <stdint.h>

#define CONSOLE (*(volatile uint8_t*)0x10000000)

__attribute__((section(".init"), naked)) void _start(void) { __asm__("li sp, 0x8000\n j run"); }

static void print(const char* text) {
  while (*text != 0) CONSOLE = (uint8_t)*text++;
}

__attribute__((used)) void run(void) {
  uint32_t primes = 0;
  for (uint32_t n = 2; n < 50; ++n) {
    uint32_t d = 2;
    while (n % d != 0) ++d;
    primes += d == n;
  }
  char digits[] = {(char)('0' + primes / 10), (char)('0' + primes % 10), '\n', 0};
  print("primes below 50: ");
  print(digits);
  __asm__("ebreak");
}
