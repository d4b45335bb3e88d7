// A host program that prints between the calls that let time pass: HOST LIBRARY PROGRAM.ELF
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

int main(int count, char** arguments) {
  void* library = count == 3 ? dlopen(arguments[1], RTLD_NOW) : NULL;
  if (library == NULL) return 2;
  void (*init)(void) = (void (*)(void))dlsym(library, "libttsim_init");
  void (*leave)(void) = (void (*)(void))dlsym(library, "libttsim_exit");
  void (*clock)(uint32_t) = (void (*)(uint32_t))dlsym(library, "libttsim_clock");
  int32_t (*load)(uint32_t, uint32_t, uint32_t, uint32_t, const char*, const char*) =
      (int32_t(*)(uint32_t, uint32_t, uint32_t, uint32_t, const char*, const char*))dlsym(
          library, "tensix_vp_load_program");
  init();
  if (load(0, 1, 1, 0, arguments[2], "") < 0) return 3;
  for (int i = 0; i < 10; ++i) {
    printf("after %d cycles\n", 1000 * i);
    clock(1000);
  }
  leave();
  return 0;
}
