// Compiled code: sorts pseudo-random numbers, checks their order and sum, counts primes.

typedef unsigned int u32;

volatile u32 tohost;
static u32 numbers[256];

__asm__(
    ".section .text.start\n.globl _start\n_start:\n  la sp, stack_end\n  call main\n  la t0, "
    "tohost\n"
    "  sw a0, 0(t0)\n1:  j 1b\n"
    ".section .bss\n.balign 16\n.space 1024\nstack_end:\n.text\n");

static u32 next_random(u32* state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

static void sort(u32* first, u32* last) {
  if (last - first < 2) return;
  const u32 pivot = first[(last - first) / 2];
  u32* low = first;
  u32* high = last - 1;
  while (low <= high) {
    while (*low < pivot) ++low;
    while (*high > pivot) --high;
    if (low <= high) {
      const u32 swapped = *low;
      *low++ = *high;
      *high-- = swapped;
    }
  }
  sort(first, high + 1);
  sort(low, last);
}

static u32 primes_below(u32 limit) {
  u32 count = 0;
  for (u32 n = 2; n < limit; ++n) {
    u32 prime = 1;
    for (u32 d = 2; d * d <= n; ++d) {
      if (n % d == 0) prime = 0;
    }
    count += prime;
  }
  return count;
}

int main(void) {
  u32 state = 1;
  u32 sum = 0;
  for (u32 i = 0; i < 256; ++i) {
    numbers[i] = next_random(&state) % 10007u;
    sum += numbers[i];
  }
  sort(numbers, numbers + 256);
  for (u32 i = 0; i < 256; ++i) {
    sum -= numbers[i];
    if (i > 0 && numbers[i - 1] > numbers[i]) return 1 << 1 | 1;
  }
  if (sum != 0) return 2 << 1 | 1;
  if (primes_below(500) != 95) return 3 << 1 | 1;
  return 1;
}
