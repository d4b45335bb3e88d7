#pragma once
// The host runtime (sw/runtime) as a C ABI, for host programs in other languages:
// libtensix_vp_host.so. It opens a library with the ABI of libttsim.h, compiles kernels and
// launches programs.
//
// Functions return a tensix_vp_host_error. tensix_vp_host_last_error() then gives the text. Calls
// are not reentrant. A process opens one mesh at a time. Cores are logical: column x and row y of
// the workers, or (0, channel) of ethernet tiles. Host accesses take no simulated time.

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TENSIX_VP_HOST_VERSION 1u

// Version of these symbols. A later version only adds symbols.
uint32_t tensix_vp_host_version(void);

// The numbers are exit codes of `tensix-vp run`, except for TENSIX_VP_HOST_COMPILE.
enum tensix_vp_host_error {
  TENSIX_VP_HOST_OK = 0,
  TENSIX_VP_HOST_USAGE = 2,       // wrong argument, setting or description
  TENSIX_VP_HOST_FIRMWARE = 3,    // a kernel did what silicon leaves undefined
  TENSIX_VP_HOST_HANG = 4,        // programs will never end
  TENSIX_VP_HOST_TIME_LIMIT = 5,  // the time limit came first
  TENSIX_VP_HOST_COMPILE = 6,     // a kernel does not compile; exit code 3
  TENSIX_VP_HOST_DEFECT = 70,     // a defect of the platform, or something that it does not model
  TENSIX_VP_HOST_MACHINE = 71,    // this machine: a full disk, no memory
  TENSIX_VP_HOST_INTERRUPTED = 130,
};

// Text of the last error of this thread. `buffer` receives at most `size` bytes, ending in NUL.
// Returns the length of the whole text without its NUL.
uint32_t tensix_vp_host_last_error(char* buffer, uint32_t size);

typedef struct tensix_vp_host_mesh tensix_vp_host_mesh;
typedef struct tensix_vp_host_buffer tensix_vp_host_buffer;
typedef struct tensix_vp_host_program tensix_vp_host_program;

struct tensix_vp_host_options {
  uint32_t size;  // sizeof this struct, so that later versions can add members
  uint32_t dprint;
  uint32_t watcher;
  uint32_t profile;
  // Receives the lines of DPRINT; null: standard output.
  void (*print)(const char* line, void* user);
  // Called often while a call waits. A value other than 0 ends the wait with
  // TENSIX_VP_HOST_INTERRUPTED. May be null.
  int32_t (*poll)(void* user);
  void* user;
};

// Opens all devices of a system. `library` is a file with the ABI of libttsim.h; null means
// $TENSIX_VP_LIBRARY or libtensix_vp.so. `settings` has lines "key=value", with the key `system`
// for the system, and may be null. `options` may be null.
int32_t tensix_vp_host_open(const char* library, const char* settings,
                            const struct tensix_vp_host_options* options,
                            tensix_vp_host_mesh** mesh);
// Ends the simulation. Buffers of the mesh then only accept tensix_vp_host_buffer_free. Null is
// ignored.
void tensix_vp_host_close(tensix_vp_host_mesh* mesh);

struct tensix_vp_host_device {
  uint32_t chip;           // number in the system
  uint32_t columns, rows;  // of workers
  uint32_t dram_banks;
  uint32_t ethernet_channels;
  uint32_t l1_bytes;         // L1 of a worker
  uint64_t dram_bank_bytes;  // size of a bank
};
int32_t tensix_vp_host_devices(tensix_vp_host_mesh* mesh, uint32_t* count);
int32_t tensix_vp_host_device_info(tensix_vp_host_mesh* mesh, uint32_t device,
                                   struct tensix_vp_host_device* info);

enum tensix_vp_host_coordinates {
  TENSIX_VP_HOST_NOC0 = 0,    // as in reports, and for tensix_vp_* functions of libttsim.h
  TENSIX_VP_HOST_KERNEL = 1,  // as kernels of the device use them
};
int32_t tensix_vp_host_worker(tensix_vp_host_mesh* mesh, uint32_t device, uint32_t x, uint32_t y,
                              uint32_t coordinates, uint32_t* noc_x, uint32_t* noc_y);

// Read (`write` 0) or write (1) bytes of L1 of a worker, or of a bank of DRAM.
int32_t tensix_vp_host_l1(tensix_vp_host_mesh* mesh, uint32_t device, uint32_t x, uint32_t y,
                          uint32_t address, void* data, uint64_t bytes, uint32_t write);
int32_t tensix_vp_host_dram(tensix_vp_host_mesh* mesh, uint32_t device, uint32_t bank,
                            uint64_t address, void* data, uint64_t bytes, uint32_t write);

// JSON of tensix_vp_report of libttsim.h: warnings, cores, metrics. Same buffer rules as
// last_error; a call with a null buffer makes the report, and the next call returns the same one.
int32_t tensix_vp_host_report(tensix_vp_host_mesh* mesh, char* buffer, uint64_t size,
                              uint64_t* length);
int32_t tensix_vp_host_time_ps(tensix_vp_host_mesh* mesh, uint64_t* ps);
int32_t tensix_vp_host_compile_seconds(tensix_vp_host_mesh* mesh, double* seconds);

// Buffers have one address on all devices. Pages are interleaved over the banks of DRAM or of L1.
enum tensix_vp_host_memory { TENSIX_VP_HOST_DRAM = 0, TENSIX_VP_HOST_L1 = 1 };
int32_t tensix_vp_host_buffer_interleaved(tensix_vp_host_mesh* mesh, uint32_t memory,
                                          uint64_t bytes, uint64_t page_bytes,
                                          tensix_vp_host_buffer** buffer);

struct tensix_vp_host_range {
  uint32_t first_x, first_y, last_x, last_y;  // both included
};
// A buffer with a shard of `shard_bytes` in the L1 of each core, in the order of the ranges.
int32_t tensix_vp_host_buffer_sharded(tensix_vp_host_mesh* mesh,
                                      const struct tensix_vp_host_range* cores, uint32_t ranges,
                                      uint32_t shard_bytes, tensix_vp_host_buffer** buffer);
// Frees the memory and the object. Null is ignored.
void tensix_vp_host_buffer_free(tensix_vp_host_buffer* buffer);
int32_t tensix_vp_host_buffer_address(tensix_vp_host_buffer* buffer, uint64_t* address);
// Read or write the first `bytes` bytes of the content on a device: pages in their order, or shards
// one after the other.
int32_t tensix_vp_host_buffer_access(tensix_vp_host_buffer* buffer, uint32_t device, void* data,
                                     uint64_t bytes, uint32_t write);
// Describes how the content of a device differs from `expected`, and which core wrote the first
// wrong page. Empty if it does not differ. Same buffer rules as tensix_vp_host_report.
int32_t tensix_vp_host_buffer_difference(tensix_vp_host_buffer* buffer, uint32_t device,
                                         const void* expected, uint64_t bytes, char* text,
                                         uint64_t size, uint64_t* length);
// Compile-time arguments for a kernel's TensorAccessorArgs. Writes up to `size` words; `count`
// receives their number.
int32_t tensix_vp_host_buffer_accessor(tensix_vp_host_buffer* buffer, uint32_t* words,
                                       uint32_t size, uint32_t* count);

// A semaphore at one address of all devices, which outlives programs.
int32_t tensix_vp_host_global_semaphore(tensix_vp_host_mesh* mesh,
                                        const struct tensix_vp_host_range* cores, uint32_t ranges,
                                        uint32_t initial, uint32_t* address);

int32_t tensix_vp_host_program_create(tensix_vp_host_program** program);
void tensix_vp_host_program_free(tensix_vp_host_program* program);
// Adds a kernel from a JSON object and returns its number in `kernel`. "source" names a file.
// "kind" is "data_movement" (the default), "compute" or "ethernet". All kinds take "compile_args"
// (words), "named_compile_args" (names with words), "defines" (names with texts), "include_paths"
// (folders) and "opt_level" ("O0" to "O3", "Os", "Oz", "Ofast"). Data movement also takes
// "processor" and "noc", and ethernet "noc": each 0 or 1. Compute also takes "math_fidelity"
// ("LoFi", "HiFi2", "HiFi3", "HiFi4"). Its flags are "fp32_dest_acc_en", "dst_full_sync_en",
// "bfp8_pack_precise" and "math_approx_mode". Other keys are refused. The kernel is compiled when
// the program starts.
int32_t tensix_vp_host_kernel(tensix_vp_host_program* program, const char* json,
                              const struct tensix_vp_host_range* cores, uint32_t ranges,
                              uint32_t* kernel);
// Adds a circular buffer of an index. `format` is tt-metal's number of a DataFormat. `page_bytes` 0
// means a tile of 32 x 32. With `over`, its memory is the core's shard of this buffer.
int32_t tensix_vp_host_circular_buffer(tensix_vp_host_program* program, uint32_t index,
                                       uint32_t format, uint32_t total_bytes, uint32_t page_bytes,
                                       tensix_vp_host_buffer* over,
                                       const struct tensix_vp_host_range* cores, uint32_t ranges);
// Adds a semaphore and returns its number in `id`.
int32_t tensix_vp_host_semaphore(tensix_vp_host_program* program,
                                 const struct tensix_vp_host_range* cores, uint32_t ranges,
                                 uint32_t initial, uint32_t* id);
// Sets the run-time arguments of a kernel on some of its cores.
int32_t tensix_vp_host_runtime_args(tensix_vp_host_program* program, uint32_t kernel,
                                    const struct tensix_vp_host_range* cores, uint32_t ranges,
                                    const uint32_t* words, uint32_t count);
int32_t tensix_vp_host_common_args(tensix_vp_host_program* program, uint32_t kernel,
                                   const uint32_t* words, uint32_t count);

// Compiles kernels that are not in the cache and starts the program on a device.
int32_t tensix_vp_host_enqueue(tensix_vp_host_mesh* mesh, uint32_t device,
                               const tensix_vp_host_program* program);
// Lets time pass until all programs have ended.
int32_t tensix_vp_host_finish(tensix_vp_host_mesh* mesh);
// Cycles of a worker's last program between its go signal and its end.
int32_t tensix_vp_host_run_times(tensix_vp_host_mesh* mesh, uint32_t device, uint32_t x, uint32_t y,
                                 uint64_t* go, uint64_t* done);

// Writes the waves of an FST file as VCD.
int32_t tensix_vp_host_fst_to_vcd(const char* fst, const char* vcd);

#ifdef __cplusplus
}
#endif
