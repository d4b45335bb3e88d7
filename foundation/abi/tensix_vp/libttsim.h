#pragma once
// The door between a host program and a library that simulates Wormhole chips.
//
// The libttsim_* symbols are the public C ABI of the ttsim project (docs/libttsim_api.md there), so
// any program written for that ABI can load libtensix_vp.so. The tensix_vp_* symbols are optional
// additions of this platform: a host resolves them one by one and says what it cannot do when one
// is missing.
//
// A library holds one cluster, not reentrant; calls of several threads take turns, and a DMA
// callback that waits for a thread that calls waits forever. libtensix_vp never ends its process: a
// fatal error makes every later call but libttsim_exit and libttsim_init a no-op (reads return all
// ones). tensix_vp_status and tensix_vp_last_error report it. If the host has called neither of
// them nor tensix_vp_abi_version, the library writes the error to standard error. Copies of its
// file that a process loads are clusters of their own, which take turns, too.

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- ABI of libttsim
// -------------------------------------------------------------------------------

// Elaborates and resets the system. After libttsim_exit or an error it starts from the beginning.
void libttsim_init(void);
void libttsim_exit(void);

// Sets the callbacks for device accesses to host memory through the PCIe tile. Addresses are those
// after translation by the outbound iATU. Call it before libttsim_init. The callbacks run during
// libttsim_clock.
void libttsim_set_pci_dma_mem_callbacks(void (*read)(uint64_t paddr, void* destination,
                                                     uint32_t size),
                                        void (*write)(uint64_t paddr, const void* source,
                                                      uint32_t size));

// Configuration space of the chip in the device field (bits 7:3) of `bus_device_function`; bus and
// function are 0. Offset 0 reads the vendor and device id (all ones: no such device), 0x10/0x14 the
// base of BAR 0, 0x18/0x1c of BAR 2, 0x20/0x24 of BAR 4. `offset` is a multiple of 4.
uint32_t libttsim_pci_config_rd32(uint32_t bus_device_function, uint32_t offset);
void libttsim_pci_config_wr32(uint32_t bus_device_function, uint32_t offset, uint32_t data);

// Access to the BARs; `paddr` is BAR base plus offset. Takes no simulated time.
void libttsim_pci_mem_rd_bytes(uint64_t paddr, void* destination, uint32_t size);
void libttsim_pci_mem_wr_bytes(uint64_t paddr, const void* source, uint32_t size);

// Access to the address space of the tile at NoC 0 coordinates (x, y) of PCI device 0, as a TLB
// window onto it would do. Translated coordinates are allowed. Takes no simulated time.
void libttsim_tile_rd_bytes(uint32_t x, uint32_t y, uint64_t addr, void* destination,
                            uint32_t size);
void libttsim_tile_wr_bytes(uint32_t x, uint32_t y, uint64_t addr, const void* source,
                            uint32_t size);

// Lets `n_clocks` AICLK cycles pass. Time advances in no other way. May return early when a fault,
// the end of all activity, or the time limit stops the simulation (see tensix_vp_status). With the
// setting gdb.port, the first call that has anything to execute announces on standard error where
// it waits for a debugger. Calls then last as long as the debugger holds the run.
void libttsim_clock(uint32_t n_clocks);

// --- Optional symbols of tensix_vp
// -----------------------------------------------------------------

#define TENSIX_VP_ABI_VERSION 1u

// Version of the symbols below. A host that knows an older version can use those of that version.
uint32_t tensix_vp_abi_version(void);

// Settings as "key=value" pairs, one a line. Call it before libttsim_init. The settings hold until
// others replace them after libttsim_exit. The key `system` names a system description or its file.
// Returns 0, or another number if a pair is refused. Then no pair of `text` is applied,
// tensix_vp_last_error gives the reason, and libttsim_init fails until valid settings or
// libttsim_exit follow. While a simulation runs, all settings are refused and the simulation is not
// affected.
int32_t tensix_vp_configure(const char* text);

// Simulated time since libttsim_init.
uint64_t tensix_vp_time_ps(void);

enum tensix_vp_state {
  TENSIX_VP_NOT_STARTED = 0,  // before libttsim_init or after libttsim_exit
  TENSIX_VP_RUNNING = 1,      // time can pass and something will happen
  TENSIX_VP_IDLE =
      2,  // every core sleeps and nothing is in flight: only a host access can change anything
  TENSIX_VP_FAULT = 3,       // an error stopped the run: tensix_vp_last_error
  TENSIX_VP_TIME_LIMIT = 4,  // the configured maximum time stopped the run
};
// For processes of an MPI job other than rank 0, which call nothing else. The function simulates a
// part of the chips for the host program of rank 0 until that program ends, and returns an exit
// code. All processes have TENSIX_VP_RANKS in their environment. `mpirun -n RANKS tensix-vp run`
// and `exec` do all this.
int32_t tensix_vp_serve(void);

// For signal handlers. A call that waits for a debugger, or libttsim_init while it elaborates a
// large system, then returns soon with TENSIX_VP_ERROR_INTERRUPTED. Without such a call there is no
// effect.
void tensix_vp_interrupt(void);

uint32_t tensix_vp_status(void);  // one of tensix_vp_state

enum tensix_vp_error {
  TENSIX_VP_ERROR_NONE = 0,
  TENSIX_VP_ERROR_USAGE = 2,        // wrong setting, description or host access; exit code 2
  TENSIX_VP_ERROR_FIRMWARE = 3,     // firmware did what silicon leaves undefined; exit code 3
  TENSIX_VP_ERROR_UNMODELLED = 4,   // something real that the platform lacks; exit code 70
  TENSIX_VP_ERROR_INTERNAL = 5,     // a defect of the platform; exit code 70
  TENSIX_VP_ERROR_INTERRUPTED = 6,  // a debugger or signal ended the run; exit code 130
  TENSIX_VP_ERROR_HOST = 7,  // the machine that this runs on: a full disk, no memory; exit code 71
};
// Kind and text of the first error since the start. `buffer` receives at most `size` bytes, ending
// in NUL. Returns the length of the whole text without its NUL. `kind` and `buffer` may be null.
uint32_t tensix_vp_last_error(uint32_t* kind, char* buffer, uint32_t size);

// Describes the system as JSON; valid after tensix_vp_configure, of kinds without chips after
// libttsim_init:
// {"name": "quad_ring",
//  "root": "/usr/share/tensix-vp",       folder of the firmware/ that goes with this library
//  "chips": [{"id": 0, "description": 0, "pci_device": 0, "harvested_rows": 544,
//             "translated": true}, …],
//  "descriptions": [{"name": "wormhole_b0", "toml": …, "file": …, "places": …}, …],
//  "devices": [0, 1, 3, 2],              chip ids in the order in which workloads see them
//  "links": [{"a": {"chip": 0, "channel": 14}, "b": {"chip": 1, "channel": 14}}, …],
//  "topology": {"kind": "mesh", "shape": [2, 4], "board": "n300", "chips": […]}}   by position
// `description` is an index into `descriptions`. Each has the text of the chip's file (`toml`, as
// in platform/chips) and the place of each key ("file:line"). A host assumes Wormhole B0 if a
// library has none. `topology` is there only if the description names one instead of chips and
// links. `harvested_rows` is the mask of harvested Tensix rows in the bit order of the telemetry. A
// chip whose columns are harvested has `harvested_columns` instead.
// `pci_device` is null for a chip that only ethernet reaches. Same buffer rules as last_error.
uint32_t tensix_vp_system(char* buffer, uint32_t size);

// Reports the run so far as JSON: "simulated_ps" (until now), "executed_instructions",
// "slept_instructions", "state_digest", "cores", "links", "dram", "metrics", "settings", "assumed",
// "waiting" (the wait graph). Same buffer rules as last_error.
// A call with a null buffer makes the report; the next call returns the same one.
uint32_t tensix_vp_report(char* buffer, uint32_t size);

// Marks times that firmware has measured in the host's reads of tiles from now on. The mark covers
// `bytes` bytes from byte `first` in every `period` bytes (a power of two up to 65536) of an
// access. With 0 `bytes` nothing is marked. A recording keeps the marks, since another machine
// measures other times.
void tensix_vp_times(uint32_t period, uint32_t first, uint32_t bytes);

// Every key that tensix_vp_configure takes, as JSON, at any time: [{"key", "value", "default",
// "is_default", "unit", "expected", "doc", "source"}, …]. Same buffer rules as last_error.
uint32_t tensix_vp_settings(char* buffer, uint32_t size);

enum tensix_vp_core {
  TENSIX_VP_CORE_BRISC = 0,
  TENSIX_VP_CORE_NCRISC = 1,
  TENSIX_VP_CORE_TRISC0 = 2,
  TENSIX_VP_CORE_TRISC1 = 3,
  TENSIX_VP_CORE_TRISC2 = 4,
  TENSIX_VP_CORE_ERISC = 5,
};
// Registers the ELF file that a core executes, for functions and source lines in reports. Both the
// firmware and the kernel of a core are registered. (x, y) are NoC 0 coordinates. A file whose
// addresses overlap those of an earlier one of the same core replaces it. Returns 0, or another
// number if there is no such core or file.
int32_t tensix_vp_symbols(uint32_t chip, uint32_t x, uint32_t y, uint32_t core,
                          const char* elf_path);

struct tensix_vp_circular_buffer {
  uint32_t pages;       // 0: no buffer of this index
  uint32_t page_bytes;  // from one page to the next
  uint32_t address;     // in L1
  uint32_t is_tensor;   // not 0: memory of a tensor, which the host or other programs fill
  uint32_t format;      // 1 + tt-metal's number of its DataFormat; 0: not known
};
// Registers the circular buffers (at most 32) of a Tensix tile for the program that starts next. If
// kernels count pages in stream registers as tt-metal does, pushing more pages than a buffer holds
// or popping pages again is a firmware fault. The report warns about a core that reads pages which
// no core has pushed yet, that writes beyond the end of a buffer, or that unpacks it in another
// format. A call without buffers ends the program. (x, y) are NoC 0 coordinates. Returns 0, or
// another number if there is no such tile or the tile has fewer buffers.
int32_t tensix_vp_circular_buffers(uint32_t chip, uint32_t x, uint32_t y,
                                   const struct tensix_vp_circular_buffer* buffers, uint32_t count);

// Registers all argument words of the kernel that a core (tensix_vp_core) starts next. If the
// arguments contain addresses of DRAM buffers, the report warns when the core accesses the buffer
// that follows one of these and is not among the arguments. Returns 0, or another number if there
// is no such core.
int32_t tensix_vp_kernel_arguments(uint32_t chip, uint32_t x, uint32_t y, uint32_t core,
                                   const uint32_t* words, uint32_t count);

// The use of bytes in L1 that the host has written for a program (tensix_vp_given_words).
enum tensix_vp_use {
  TENSIX_VP_CONSTANT = 0,  // no kernel changes them
  TENSIX_VP_STORED = 1,    // only the tile's own cores change them
  TENSIX_VP_UNUSED = 2,    // the program has nothing there
  TENSIX_VP_SHARED = 3     // a word that cores and other tiles change, as semaphores
};

// Registers bytes that the host has written into the L1 of a Tensix tile for the program that
// starts next, and their `use` (tensix_vp_use). Until that program ends, the report warns about
// other changes. The report calls the bytes `what`. If `each` is not 0, they are several items of
// `each` bytes, numbered from 0. Call it after tensix_vp_circular_buffers. (x, y) are NoC 0
// coordinates. Returns 0, or another number if there is no such tile or use, or not so much L1.
int32_t tensix_vp_given_words(uint32_t chip, uint32_t x, uint32_t y, uint32_t address,
                              uint32_t bytes, uint32_t each, const char* what, int32_t use);

// Registers a buffer of the host in DRAM: `bank_bytes` bytes from `address` on in every bank.
// `bank_bytes` 0 removes it. `pages` pages are interleaved over the first `banks` banks,
// `page_bytes` apart within a bank; `pages` is 0 if there is no such order. While buffers are
// registered, the report warns about a core that accesses DRAM outside them. Returns 0, or another
// number if there is no such chip, or for pages without a size or banks.
int32_t tensix_vp_dram_buffer(uint32_t chip, uint64_t address, uint64_t bank_bytes, uint32_t banks,
                              uint32_t page_bytes, uint32_t pages);

// Registers a buffer of the host in L1: `bytes` bytes from `address` on in each of `count` Tensix
// tiles, of which each is x | y << 8 in NoC 0 coordinates. `bytes` 0 removes it. While buffers are
// registered, the report warns about a core that leaves its buffer for the next one. Returns 0, or
// another number if there is no such chip, tile or memory.
int32_t tensix_vp_l1_buffer(uint32_t chip, uint32_t address, uint32_t bytes, const uint32_t* tiles,
                            uint32_t count);

// Names the writer of the data at `address` of a tile, for a host that has found a wrong result
// there. For L1, the sentences name the core that packed, read or sent the data, with its time and
// source line. For a buffer registered with tensix_vp_dram_buffer they also name the inputs in L1.
// Stores of cores to L1 are recorded only with the setting keep_stores=true. (x, y) are NoC 0
// coordinates. Empty if nothing is known. Same buffer rules as last_error. In a PIM system x is the
// number of a unit and chip is 0. The address is one of its bank (y is 0) or of its WRAM (y is 1).
// The sentences name the transfers of its program.
uint32_t tensix_vp_origin(uint32_t chip, uint32_t x, uint32_t y, uint64_t address, char* buffer,
                          uint32_t size);

// Loads a bare RV32IM program, without firmware, in no simulated time and starts core `core`
// (tensix_vp_core) at its entry. The ELF file goes where it is linked: L1, the core's local RAM,
// NCRISC's instruction RAM. Other cores stay as they are. (x, y) are NoC 0 coordinates. The program
// ends when it stores an odd value to its symbol `tohost`, and the core pauses. As in riscv-tests,
// 1 passes and another value v fails test v >> 1. `options` may be null or hold "key=value" pairs,
// one a line. commitlog=FILE logs the executed instructions in the format of spike's --log-commits,
// which costs host time. signature=FILE writes the words between the symbols begin_signature and
// end_signature when the library exits, if the program has ended. Returns a number for
// tensix_vp_program_result, or -1 if the file cannot be loaded there (tensix_vp_last_error names
// file and address).
int32_t tensix_vp_load_program(uint32_t chip, uint32_t x, uint32_t y, uint32_t core,
                               const char* elf_path, const char* options);

struct tensix_vp_program {
  uint32_t ended;               // 1 after the store to tohost, 0 before
  uint32_t tohost;              // the odd value that was stored
  uint64_t instructions;        // executed, including that store; exact
  uint64_t slept_instructions;  // instructions of poll loops that the core slept through instead of
                                // executing
  uint64_t cycles;              // AICLK cycles from the start to that store, or until now
  uint64_t duration_ps;         // the same as simulated time
};
// Reports the result of program `number` so far. Returns 0, or another number if there is no such
// program.
int32_t tensix_vp_program_result(int32_t number, struct tensix_vp_program* result);

// --- Units of PIM systems (kind "pim"): a DRAM bank with a processor each
// -----------------------------------------------------------------------
//
// tensix_vp_system returns their number and hierarchy: "units", "levels": [{"name", "count"}, …]
// from the inside out (unit numbers count the first level fastest), "clock_mhz", "bank_bytes",
// "mesh". libttsim_clock counts cycles of that clock. Nothing here takes simulated time. All return
// 0, or another number when they were refused: that stops the session, and tensix_vp_last_error
// gives the reason.

enum tensix_vp_pim_owner { TENSIX_VP_PIM_HOST = 0, TENSIX_VP_PIM_PROCESSOR = 1 };
// Hands the bank of a unit to the host or to the processor. The host owns it at the start. Refused
// while a program runs there.
int32_t tensix_vp_pim_own(uint32_t unit, uint32_t owner);

// Reads (`write` 0) or writes (1) a range of the bank of a unit that the host owns.
int32_t tensix_vp_pim_bank(uint32_t unit, uint64_t address, void* data, uint64_t bytes,
                           uint32_t write);

// The same for the working memory of a unit, while no program runs there.
int32_t tensix_vp_pim_wram(uint32_t unit, uint32_t address, void* data, uint32_t bytes,
                           uint32_t write);

// Reads the working memory of a unit like a debugger: also while a program runs and after an error
// has stopped the session.
int32_t tensix_vp_pim_peek(uint32_t unit, uint32_t address, void* data, uint32_t bytes);

// Loads an RV32IM ELF file: code into the instruction memory, data into WRAM (the map is that of
// foundation/regs/pim.h). The file also serves functions and source lines in reports.
int32_t tensix_vp_pim_load(uint32_t unit, const char* elf_path);

// Starts the programs of these units in the same cycle. Their barriers include only each other.
int32_t tensix_vp_pim_start(const uint32_t* units, uint32_t count);

enum tensix_vp_pim_unit_state {
  TENSIX_VP_PIM_STOPPED = 0,  // nothing was started yet
  TENSIX_VP_PIM_RUNNING = 1,
  TENSIX_VP_PIM_EXITED = 2,
};
struct tensix_vp_pim_unit {
  uint32_t state;               // one of tensix_vp_pim_unit_state
  uint32_t exit_status;         // value that the program returned
  uint64_t started_cycle;       // cycle of the last start
  uint64_t ended_cycle;         // cycle of the end; now if it still runs
  uint64_t instructions;        // executed since power-on
  uint64_t slept_instructions;  // instructions of poll loops that the core slept through instead of
                                // executing
};
int32_t tensix_vp_pim_state(uint32_t unit, struct tensix_vp_pim_unit* state);

// Returns the number of links that a message between two units takes under a static schedule
// (mesh.flow_control=static), and writes up to `size` of their numbers. The program must never have
// two messages on one link at a time. Returns 0 if the network chooses the route at run time.
uint32_t tensix_vp_pim_route(uint32_t source, uint32_t destination, uint32_t* links, uint32_t size);
// An alias of tensix_vp_pim_route.
uint32_t tensix_vp_pim_way(uint32_t source, uint32_t destination, uint32_t* links, uint32_t size);

// Returns the output that the program of a unit has printed since its start. Same buffer rules as
// last_error.
uint32_t tensix_vp_pim_output(uint32_t unit, char* buffer, uint32_t size);

// Names a span of simulated time for reports and waves: `end` 0 opens the phase `name`, 1 closes
// it, now.
void tensix_vp_phase(const char* name, int32_t end);

// Shows a span of AICLK cycles in the wave file: row `path` has the value `name` from cycle `begin`
// to `end`. The host uses it for spans that it knows, for example a phase of a kernel that left
// time stamps.
void tensix_vp_span(const char* path, const char* name, uint64_t begin, uint64_t end);
// An alias of tensix_vp_span.
void tensix_vp_stretch(const char* path, const char* name, uint64_t begin, uint64_t end);

#ifdef __cplusplus
}
#endif
