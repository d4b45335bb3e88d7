// Empty: it starts its tile, whose cores then wait in their firmware.

void kernel_main() {}
