// Sends words to an accelerator at another node and waits for its answer in L1.
#include <stdint.h>

#define NIU(offset) (*(volatile uint32_t*)(0xFFB20000 + (offset)))
enum {
  TARG_LO = 0x00,
  TARG_MID = 0x04,
  RET_LO = 0x0C,
  RET_MID = 0x10,
  CTRL = 0x1C,
  LENGTH = 0x20,
  START = 0x28
};
enum { WRITES_ACKNOWLEDGED = 0x204, NODE_ID = 0x2C };
enum { WRITE = 2, WITH_RESPONSE = 1 << 4 };
enum { WORDS = 64, DOORBELL = 0x1000 };
struct Mailbox {
  uint32_t done;
  uint32_t answer;    // the accelerator writes it
  uint32_t answered;  // and this word
  uint32_t node;      // the accelerator's coordinates: x, and y from bit 6 on
  uint32_t words[WORDS];
};
#define MAILBOX ((volatile struct Mailbox*)0x8000)

__attribute__((section(".init"), naked)) void _start(void) { __asm__("li sp, 0x4000\n j run"); }

static uint32_t mid(uint32_t node) { return (node & 63) << 4 | (node >> 6 & 63) << 10; }

// A write of L1 to the accelerator, until it is acknowledged.
static void write(uint32_t from, uint32_t to, uint32_t bytes) {
  const uint32_t before = NIU(WRITES_ACKNOWLEDGED);
  NIU(TARG_LO) = from;
  NIU(TARG_MID) = mid(NIU(NODE_ID));
  NIU(RET_LO) = to;
  NIU(RET_MID) = mid(MAILBOX->node);
  NIU(CTRL) = WRITE | WITH_RESPONSE;
  NIU(LENGTH) = bytes;
  NIU(START) = 1;
  while (NIU(WRITES_ACKNOWLEDGED) == before) {
  }
}

__attribute__((used)) void run(void) {
  write((uint32_t)MAILBOX->words, 0, 4 * WORDS);
  write((uint32_t)MAILBOX->words, DOORBELL, 16);
  while (MAILBOX->answered == 0) {
  }
  MAILBOX->done = 1;
  for (;;) {
  }
}
