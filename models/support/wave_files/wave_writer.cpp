#include "models/support/wave_files/wave_writer.h"

#include "foundation/fault.h"
#include "models/support/wave_files/fst_writer.h"
#include "models/support/wave_files/perfetto_writer.h"
#include "models/support/wave_files/trace_writer.h"
#include "models/support/wave_files/vcd_writer.h"

namespace tvp::support {

std::unique_ptr<WaveWriter> make_wave_writer(const std::string& file) {
  if (file.ends_with(".fst")) return std::make_unique<FstWriter>(file);
  if (file.ends_with(".vcd")) return std::make_unique<VcdWriter>(file);
  throw foundation::Fault(foundation::FaultKind::kDescription, "",
                          "wave file '" + file + "': expected a name that ends in .fst or .vcd");
}

std::unique_ptr<WaveWriter> make_trace_writer(const std::string& file) {
  if (file.ends_with(".pftrace")) return std::make_unique<PerfettoWriter>(file);
  return std::make_unique<TraceWriter>(file);
}

}  // namespace tvp::support
