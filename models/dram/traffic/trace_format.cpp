#include "models/dram/traffic/trace_format.h"

#include "foundation/fault.h"
#include "models/dram/traffic/address_vector_trace.h"
#include "models/dram/traffic/dramsim3_trace.h"
#include "models/dram/traffic/dramsys_trace.h"
#include "models/dram/traffic/instruction_trace.h"
#include "models/dram/traffic/load_store_trace.h"
#include "models/dram/traffic/native_trace.h"
#include "models/dram/traffic/ramulator_trace.h"

namespace tvp::dram {

namespace {

using Format = std::unique_ptr<TraceFormat>;

struct Entry {
  const char* name;
  Format (*make)(const AddressMapping& memory);
};

/// GDDR6 is the only standard here with a refresh of one bank. Its vectors have no rank.
bool has_ranks(const AddressMapping& memory) {
  return memory.organization().bank_refresh != BankRefresh::kOneBank;
}

constexpr Entry kFormats[] = {
    {"tensix_vp", [](const AddressMapping&) -> Format { return std::make_unique<NativeTrace>(); }},
    {"dramsim3", [](const AddressMapping&) -> Format { return std::make_unique<Dramsim3Trace>(); }},
    {"ramulator",
     [](const AddressMapping&) -> Format { return std::make_unique<RamulatorTrace>(); }},
    {"load_store",
     [](const AddressMapping&) -> Format { return std::make_unique<LoadStoreTrace>(); }},
    {"address_vector",
     [](const AddressMapping& memory) -> Format {
       return std::make_unique<AddressVectorTrace>(memory, has_ranks(memory));
     }},
    {"instructions",
     [](const AddressMapping&) -> Format { return std::make_unique<InstructionTrace>(); }},
    {"dramsys",
     [](const AddressMapping&) -> Format { return std::make_unique<DramsysTrace>(false); }},
    {"dramsys_relative",
     [](const AddressMapping&) -> Format { return std::make_unique<DramsysTrace>(true); }},
};

}  // namespace

std::vector<std::string> trace_format_names() {
  std::vector<std::string> names;
  for (const Entry& entry : kFormats) names.emplace_back(entry.name);
  return names;
}

std::unique_ptr<TraceFormat> make_trace_format(const std::string& name,
                                               const AddressMapping& memory) {
  for (const Entry& entry : kFormats) {
    if (name == entry.name) return entry.make(memory);
  }
  throw foundation::Fault(foundation::FaultKind::kDescription, "dram_traffic.trace_format",
                          "unknown format '" + name + "'");
}

std::unique_ptr<TraceFormat> find_trace_format(const std::string& file, const TraceLine& line,
                                               const AddressMapping& memory) {
  std::string forms;
  for (const Entry& entry : kFormats) {
    Format format = entry.make(memory);
    if (format->fits(line)) {
      if (file.ends_with(".rstl")) format = make_trace_format("dramsys_relative", memory);
      return format;
    }
    if (std::string_view(entry.name) == "dramsys_relative") continue;  // has the form of dramsys
    forms += (forms.empty() ? "" : ", or ") + format->form();
  }
  line.fail("expected " + forms);
}

}  // namespace tvp::dram
