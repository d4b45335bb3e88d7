// Polls a device with registers until it has the greatest common divisor of two words.
#include <stdint.h>

enum { A = 0, B = 1, BUSY = 2, RESULT = 3 };
#define DEVICE ((volatile uint32_t*)0x80000000)
struct Mailbox {
  uint32_t done;
  uint32_t result;
  uint32_t polls;
  uint32_t a;
  uint32_t b;
};
#define MAILBOX ((volatile struct Mailbox*)0x8000)

__attribute__((section(".init"), naked)) void _start(void) { __asm__("li sp, 0x4000\n j run"); }

__attribute__((used)) void run(void) {
  DEVICE[A] = MAILBOX->a;
  DEVICE[B] = MAILBOX->b;
  uint32_t polls = 1;
  while (DEVICE[BUSY] != 0) ++polls;
  MAILBOX->result = DEVICE[RESULT];
  MAILBOX->polls = polls;
  MAILBOX->done = 1;
  for (;;) {
  }
}
