# Entry of a kernel. On BRISC, TRISCs and ERISC the firmware calls it as a function. NCRISC comes here out
# of reset, in instruction RAM, and leaves to the firmware instead of returning (ISA BabyRISCV/InstructionRAM.md).
        .section .start, "ax"
        .globl _start
_start:
#if defined(COMPILE_FOR_NCRISC)
        .option push
        .option norelax
        la      gp, __global_pointer$
        .option pop
        la      sp, __stack_top
#else
        addi    sp, sp, -16
        sw      ra, 12(sp)
#endif
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
        call    kernel_entry
#if defined(COMPILE_FOR_NCRISC)
        tail    ncrisc_kernel_done
#else
        lw      ra, 12(sp)
        addi    sp, sp, 16
        ret
#endif
