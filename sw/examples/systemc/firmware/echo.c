// A core of an ethernet tile. Both ends of a link run it: end 0 sends words, end 1 adds 1 to each
// and sends them back.
#include <stdint.h>

#define TXQ(offset) (*(volatile uint32_t*)(0xFFB90000 + (offset)))
enum { CMD = 0x04, START_ADDR = 0x14, SIZE_BYTES = 0x18, DEST_ADDR = 0x1C, L1_WRITE = 2 };
#define CYCLES (*(volatile uint32_t*)0xFFB121F0)  // low half of the tile's clock
enum { WORDS = 1024, SENT = 0x19000, RECEIVED = 0x1A000 };
struct Mailbox {
  uint32_t done;
  uint32_t end;
  uint32_t rounds;
  uint32_t cycles;
  uint32_t outgoing[4];  // number of the round, sent after its words
  uint32_t incoming[4];
};
#define MAILBOX ((volatile struct Mailbox*)0x18000)

__attribute__((section(".init"), naked)) void _start(void) { __asm__("li sp, 0x4000\n j run"); }

static void send(uint32_t from, uint32_t to, uint32_t bytes) {
  TXQ(START_ADDR) = from;
  TXQ(DEST_ADDR) = to;
  TXQ(SIZE_BYTES) = bytes;
  TXQ(CMD) = L1_WRITE;
  while (TXQ(CMD) != 0) {
  }
}

static void send_round(uint32_t round) {
  send(SENT, RECEIVED, 4 * WORDS);
  MAILBOX->outgoing[0] = round;
  send((uint32_t)MAILBOX->outgoing, (uint32_t)MAILBOX->incoming, 16);
}

static void receive_round(uint32_t round) {
  while (MAILBOX->incoming[0] != round) {
  }
  const uint32_t more = MAILBOX->end;
  for (uint32_t i = 0; i < WORDS; ++i)
    ((volatile uint32_t*)SENT)[i] = ((volatile uint32_t*)RECEIVED)[i] + more;
}

__attribute__((used)) void run(void) {
  const uint32_t begin = CYCLES;
  for (uint32_t round = 1; round <= MAILBOX->rounds; ++round) {
    if (MAILBOX->end == 0) send_round(round);
    receive_round(round);
    if (MAILBOX->end == 1) send_round(round);
  }
  MAILBOX->cycles = CYCLES - begin;
  MAILBOX->done = 1;
  for (;;) {
  }
}
