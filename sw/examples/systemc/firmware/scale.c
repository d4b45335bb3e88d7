// Reads 8 KiB of a memory over NoC 0, doubles each word and writes the result behind it.
#include <stdint.h>

#define NIU(offset) (*(volatile uint32_t*)(0xFFB20000 + (offset)))
#define WALL_CLOCK (*(volatile uint32_t*)0xFFB121F0)
enum {
  TARG_LO = 0x00,
  TARG_MID = 0x04,
  RET_LO = 0x0C,
  RET_MID = 0x10,
  CTRL = 0x1C,
  LENGTH = 0x20,
  START = 0x28
};
enum { READS_ANSWERED = 0x208, WRITES_ACKNOWLEDGED = 0x204, NODE_ID = 0x2C };
enum { READ = 0, WRITE = 2, WITH_RESPONSE = 1 << 4 };
enum { BYTES = 8192, PIECE = 2048, BUFFER = 0x10000 };
struct Mailbox {
  uint32_t done;
  uint32_t cycles;
  uint32_t read_cycles;
  uint32_t node;  // the memory: x, and y from bit 6 on
  uint32_t high;  // address bits 35:32
};
#define MAILBOX ((volatile struct Mailbox*)0x8000)

__attribute__((section(".init"), naked)) void _start(void) { __asm__("li sp, 0x4000\n j run"); }

static uint32_t mid(uint32_t node) { return (node & 63) << 4 | (node >> 6 & 63) << 10; }

__attribute__((used)) void run(void) {
  const uint32_t begin = WALL_CLOCK;
  const uint32_t self = mid(NIU(NODE_ID));
  const uint32_t memory = mid(MAILBOX->node) | MAILBOX->high;
  const uint32_t reads = NIU(READS_ANSWERED), writes = NIU(WRITES_ACKNOWLEDGED);
  for (uint32_t at = 0; at < BYTES; at += PIECE) {
    while (NIU(START) != 0) {
    }
    NIU(TARG_LO) = at;
    NIU(TARG_MID) = memory;
    NIU(RET_LO) = BUFFER + at;
    NIU(RET_MID) = self;
    NIU(CTRL) = READ | WITH_RESPONSE;
    NIU(LENGTH) = PIECE;
    NIU(START) = 1;
  }
  while (NIU(READS_ANSWERED) - reads != BYTES / PIECE) {
  }
  MAILBOX->read_cycles = WALL_CLOCK - begin;
  for (uint32_t i = 0; i < BYTES / 4; ++i) ((volatile uint32_t*)BUFFER)[i] *= 2;
  for (uint32_t at = 0; at < BYTES; at += PIECE) {
    while (NIU(START) != 0) {
    }
    NIU(TARG_LO) = BUFFER + at;
    NIU(TARG_MID) = self;
    NIU(RET_LO) = BYTES + at;
    NIU(RET_MID) = memory;
    NIU(CTRL) = WRITE | WITH_RESPONSE;
    NIU(LENGTH) = PIECE;
    NIU(START) = 1;
  }
  while (NIU(WRITES_ACKNOWLEDGED) - writes != BYTES / PIECE) {
  }
  MAILBOX->cycles = WALL_CLOCK - begin;
  MAILBOX->done = 1;
  for (;;) {
  }
}
