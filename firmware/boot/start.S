# First instructions of a firmware: stack at the top of local memory, data from its image in L1, zeroed bss.
        .section .start, "ax"
        .globl _start
_start:
        .option push
        .option norelax
        la      gp, __global_pointer$
        .option pop
        la      sp, __stack_top
        la      a0, __data_start
        la      a1, __data_end
        la      a2, __data_lma
        j       2f
1:      lw      a3, 0(a2)
        sw      a3, 0(a0)
        addi    a0, a0, 4
        addi    a2, a2, 4
2:      bltu    a0, a1, 1b
        la      a0, __bss_start
        la      a1, __bss_end
        j       4f
3:      sw      zero, 0(a0)
        addi    a0, a0, 4
4:      bltu    a0, a1, 3b
        tail    firmware_main
