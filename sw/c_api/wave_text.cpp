#include "sw/c_api/wave_text.h"

#include <fstapi.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "foundation/host_error.h"
#include "sw/runtime/errors.h"

namespace tvp::c_api {

void write_vcd(const std::string& fst, const std::string& vcd) {
  if (std::error_code error; !std::filesystem::is_regular_file(fst, error))
    runtime::bad_use("'" + fst + "'", "there is no such file: expected an FST file");
  const std::unique_ptr<void, void (*)(void*)> reader(fstReaderOpen(fst.c_str()), fstReaderClose);
  if (reader == nullptr) runtime::bad_use("'" + fst + "'", "this is no FST file");
  errno = 0;
  std::FILE* const file = std::fopen(vcd.c_str(), "w");
  if (file == nullptr) foundation::throw_errno("'" + vcd + "'", "cannot be written", errno);
  fstReaderProcessHier(reader.get(), file);
  fstReaderSetFacProcessMaskAll(reader.get());
  fstReaderIterBlocks(reader.get(), nullptr, nullptr, file);
  const bool written = std::ferror(file) == 0;
  if (std::fclose(file) != 0 || !written)
    throw foundation::HostError("'" + vcd + "'",
                                "cannot be written: " + foundation::reason_of(errno));
}

}  // namespace tvp::c_api
