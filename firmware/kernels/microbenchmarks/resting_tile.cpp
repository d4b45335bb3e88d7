// Nothing: its tile has been started, and its cores wait in their firmware for what is next.

void kernel_main() {}
