// A program of a PIM unit: adds two vectors of its bank and writes the sum behind them. The result
// is the number of words.
#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t*)(address))
#define EXIT REGISTER(0xFFB10014)
enum { WRAM_ADDRESS = 0x00, BANK_ADDRESS = 0x04, BYTES = 0x08, GO = 0x0C, DONE = 0x14 };
#define DMA(offset) REGISTER(0xFFB11000 + (offset))
enum { TO_WRAM = 1, TO_BANK = 2 };
enum { WORDS = 4096, PIECE = 1024 };  // a vector has WORDS, and its part in WRAM has PIECE

__attribute__((section(".init"), naked)) void _start(void) { __asm__("li sp, 0x10000\n j run"); }

static void dma(uint32_t bank, volatile void* wram, uint32_t go) {
  DMA(WRAM_ADDRESS) = (uint32_t)wram;
  DMA(BANK_ADDRESS) = bank;
  DMA(BYTES) = PIECE * 4;
  DMA(GO) = go;
}

__attribute__((used)) void run(void) {
  volatile uint32_t* const a = (volatile uint32_t*)0x1000;
  volatile uint32_t* const b = a + PIECE;
  uint32_t dmas = 0;
  for (uint32_t at = 0; at < WORDS * 4; at += PIECE * 4) {
    dma(at, a, TO_WRAM);
    dma(WORDS * 4 + at, b, TO_WRAM);
    dmas += 2;
    while (DMA(DONE) != dmas) {
    }
    for (uint32_t i = 0; i < PIECE; ++i) a[i] += b[i];
    dma(2 * WORDS * 4 + at, a, TO_BANK);
    dmas += 1;
    while (DMA(DONE) != dmas) {
    }
  }
  EXIT = WORDS;
}
