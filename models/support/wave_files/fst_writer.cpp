#include "models/support/wave_files/fst_writer.h"

#include <fstapi.h>

#include "foundation/host_error.h"
#include "foundation/output_file.h"
#include "models/support/wave_files/memory_files.h"
#include "models/support/wave_files/signal_path.h"

namespace tvp::support {

namespace {
constexpr int kPicoseconds = -12;
}

FstWriter::FstWriter(const std::string& file)
    : file_(file), context_(fstWriterCreate(file.c_str(), 1)) {
  foundation::check_writable(file, "the waves");
  if (context_ == nullptr) throw no_memory_file(file);
  fstWriterSetTimescale(context_, kPicoseconds);
  fstWriterSetPackType(context_, FST_WR_PT_LZ4);
  fstWriterSetVersion(context_, "tensix-vp");
}

FstWriter::~FstWriter() {
  if (context_ == nullptr) return;
  fstWriterClose(context_);
  try {
    take_memory_file(file_);
  } catch (const foundation::HostError&) {
    // The file is not needed.
  }
}

void FstWriter::enter_scopes(const std::string& path) {
  const std::vector<std::string> wanted = scopes_of(path);
  const std::size_t common = common_prefix(scopes_, wanted);
  for (std::size_t i = scopes_.size(); i > common; --i) fstWriterSetUpscope(context_);
  for (std::size_t i = common; i < wanted.size(); ++i) {
    fstWriterSetScope(context_, FST_ST_VCD_MODULE, wanted[i].c_str(), nullptr);
  }
  scopes_ = wanted;
}

void FstWriter::declare(const SignalInfo& signal) {
  enter_scopes(signal.path);
  const std::string name = name_of(signal.path);
  const bool is_text = signal.kind == SignalInfo::Kind::kText;
  const std::uint32_t handle =
      fstWriterCreateVar(context_, is_text ? FST_VT_GEN_STRING : FST_VT_VCD_WIRE, FST_VD_IMPLICIT,
                         is_text ? 0 : signal.width, name.c_str(), 0);
  signals_.push_back({handle, signal.width});
}

void FstWriter::at(std::uint64_t time_ps) {
  if (time_ps == time_ps_) return;
  fstWriterEmitTimeChange(context_, time_ps);
  time_ps_ = time_ps;
}

void FstWriter::bits(std::uint64_t time_ps, std::uint32_t signal, std::uint64_t value) {
  at(time_ps);
  const Declared& s = signals_[signal];
  char digits[64];
  for (unsigned bit = 0; bit < s.width; ++bit) {
    digits[bit] = static_cast<char>('0' + ((value >> (s.width - 1 - bit)) & 1U));
  }
  fstWriterEmitValueChange(context_, s.handle, digits);
}

void FstWriter::text(std::uint64_t time_ps, std::uint32_t signal, const std::string& value) {
  at(time_ps);
  fstWriterEmitVariableLengthValueChange(context_, signals_[signal].handle, value.data(),
                                         static_cast<std::uint32_t>(value.size()));
}

void FstWriter::close(std::uint64_t time_ps) {
  at(time_ps);
  fstWriterClose(context_);
  context_ = nullptr;
  const std::string content = take_memory_file(file_);
  // Viewers do not open files without signals.
  if (!signals_.empty()) foundation::write_file(file_, content);
}

}  // namespace tvp::support
