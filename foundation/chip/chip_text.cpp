// Writes a chip's description as text, for a host program that has no access to its file.
#include <sstream>

#include "foundation/chip/chip_reader.h"
#include "foundation/chip/chip_rules.h"

namespace tvp::foundation {

namespace {

std::string list_of(const std::vector<unsigned>& numbers) {
  std::string text = "[";
  for (const unsigned n : numbers) text += (text.size() == 1 ? "" : ", ") + std::to_string(n);
  return text + "]";
}

std::string list_of(const std::vector<ChipNode>& nodes) {
  std::string text = "[";
  for (const ChipNode node : nodes) text += (text.size() == 1 ? "" : ", ") + text_of(node);
  return text + "]";
}

void write_dram(std::ostream& out, const DramChannel& channel) {
  out << "[[dram]]\nendpoints = " << list_of(channel.endpoints) << "\nbanks = [";
  for (std::size_t i = 0; i < channel.banks.size(); ++i) {
    const DramBank& bank = channel.banks[i];
    out << (i == 0 ? "" : ", ") << "{ node = " << text_of(channel.endpoints[bank.endpoint])
        << ", noc1_node = " << text_of(channel.endpoints[bank.noc1_endpoint])
        << ", offset = " << bank.offset << ", mib = " << (bank.bytes >> 20) << " }";
  }
  out << "]\n";
  if (!channel.niu_order.empty()) out << "niu_order = " << list_of(channel.niu_order) << "\n";
}

void write_pcie(std::ostream& out, const ChipSpec& spec) {
  const ChipSpec::Pcie& p = spec.bars;
  out << "[pcie]\nnode = " << text_of(spec.pcie) << "\nvendor = " << p.vendor
      << "\ndevice = " << p.device << "\nbar0_mib = " << (p.bar0_bytes >> 20)
      << "\nbar2_mib = " << (p.bar2_bytes >> 20) << "\nbar4_mib = " << (p.bar4_bytes >> 20)
      << "\nwindows = [";
  for (std::size_t i = 0; i < p.windows.size(); ++i) {
    out << (i == 0 ? "" : ", ") << "{ count = " << p.windows[i].count
        << ", mib = " << (1U << (p.windows[i].size_log2 - 20)) << " }";
  }
  out << "]\nwindow_registers = " << p.window_registers << "\narc_memory = " << p.arc_memory
      << "\narc_registers = " << p.arc_registers << "\niatu = " << p.iatu
      << "\nhost_window = " << p.host_window << "\nhost_window_bytes = " << p.host_window_bytes
      << "\n[arc]\nnode = " << text_of(spec.arc) << "\n";
}

}  // namespace

std::string chip_text(const ChipSpec& spec) {
  std::ostringstream out;
  out << "schema = 1\nname = \"" << spec.name << "\"\ngeneration = \"" << name_of(spec.generation)
      << "\"\n[grid]\ncolumns = " << spec.columns << "\nrows = " << spec.rows
      << "\n[tensix]\ncolumns = " << list_of(spec.tensix_columns)
      << "\nrows = " << list_of(spec.tensix_rows)
      << "\nharvest_rows = " << list_of(spec.harvest_rows)
      << "\nharvest_columns = " << list_of(spec.harvest_columns)
      << "\n[ethernet]\nnodes = " << list_of(spec.ethernet) << "\n";
  for (const DramChannel& channel : spec.dram) write_dram(out, channel);
  write_pcie(out, spec);
  const ChipSpec::Memories& m = spec.memories;
  out << "[coordinates]\nfirst_translated = " << spec.first_translated
      << "\n[memories]\ntensix_l1_kib = " << m.tensix_l1_bytes / 1024
      << "\nethernet_l1_kib = " << m.ethernet_l1_bytes / 1024
      << "\ndata_local_bytes = " << m.data_local_bytes
      << "\ncompute_local_bytes = " << m.compute_local_bytes
      << "\ninstruction_bytes = " << m.instruction_bytes
      << "\n[clocks]\naiclk_mhz = " << spec.clocks.aiclk_mhz
      << "\nrefclk_mhz = " << spec.clocks.refclk_mhz << "\n";
  if (!spec.settings.empty()) out << "[settings]\n";
  for (const auto& [key, value] : spec.settings) out << key << " = \"" << value << "\"\n";
  return out.str();
}

}  // namespace tvp::foundation
