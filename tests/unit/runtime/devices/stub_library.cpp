// Device libraries that do nothing but export names: those of the public C ABI, and perhaps those
// of tensix_vp, of today or as two of them were called before.

#define EXPORT(name) \
  extern "C" [[gnu::visibility("default")]] unsigned name() { return 1; }

EXPORT(libttsim_init)
EXPORT(libttsim_exit)
EXPORT(libttsim_pci_config_rd32)
EXPORT(libttsim_pci_mem_rd_bytes)
EXPORT(libttsim_pci_mem_wr_bytes)
EXPORT(libttsim_clock)
#ifdef TVP_STUB_OPTIONAL
EXPORT(libttsim_pci_config_wr32)
EXPORT(libttsim_set_pci_dma_mem_callbacks)
EXPORT(tensix_vp_abi_version)
EXPORT(tensix_vp_configure)
EXPORT(tensix_vp_time_ps)
EXPORT(tensix_vp_status)
EXPORT(tensix_vp_last_error)
EXPORT(tensix_vp_system)
EXPORT(tensix_vp_report)
EXPORT(tensix_vp_settings)
EXPORT(tensix_vp_interrupt)
EXPORT(tensix_vp_symbols)
EXPORT(tensix_vp_circular_buffers)
EXPORT(tensix_vp_kernel_arguments)
EXPORT(tensix_vp_given_words)
EXPORT(tensix_vp_dram_buffer)
EXPORT(tensix_vp_l1_buffer)
EXPORT(tensix_vp_origin)
EXPORT(tensix_vp_load_program)
EXPORT(tensix_vp_program_result)
EXPORT(tensix_vp_times)
EXPORT(tensix_vp_phase)
EXPORT(tensix_vp_pim_own)
EXPORT(tensix_vp_pim_bank)
EXPORT(tensix_vp_pim_wram)
EXPORT(tensix_vp_pim_peek)
EXPORT(tensix_vp_pim_load)
EXPORT(tensix_vp_pim_start)
EXPORT(tensix_vp_pim_state)
EXPORT(tensix_vp_pim_output)
#ifdef TVP_STUB_OLD
EXPORT(tensix_vp_stretch)
EXPORT(tensix_vp_pim_way)
#else
EXPORT(tensix_vp_span)
EXPORT(tensix_vp_pim_route)
#endif
#endif
