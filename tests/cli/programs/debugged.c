// A program for debuggers: a loop, a call, variables.
volatile int tohost __attribute__((section(".data.tohost"))) = 0;
volatile int counter;
struct point {
  int x, y;
};
struct point p = {3, 4};

__attribute__((noinline)) int sum_of_squares(int n) {
  int sum = 0;
  for (int i = 1; i <= n; ++i) {
    sum += i * i;
    counter = sum;  // line 13
  }
  return sum;
}

int run(void) {
  p.x = sum_of_squares(5);
  return p.x == 55 ? 1 : 3;
}

__attribute__((naked, section(".text.start"))) void _start(void) {
  __asm__("la sp, 0x8000\n call run\n la t0, tohost\n sw a0, 0(t0)\n1: j 1b");
}
