#pragma once
// Attributes that kernels write on pointers and functions. The address-space hints have no meaning
// for the compiler used here.

#define tt_l1_ptr
#define tt_reg_ptr
#if defined(TVP_DEBUGGABLE)  // each call has an instruction, which a breakpoint can hold
#define FORCE_INLINE inline
#define ALWI inline
#else
#define FORCE_INLINE inline __attribute__((always_inline))
#define ALWI inline __attribute__((always_inline))
#endif
#ifndef UNUSED
#define UNUSED(x) ((void)(x))
#endif
