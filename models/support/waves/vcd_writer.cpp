#include "models/support/waves/vcd_writer.h"

#include "foundation/fault.h"
#include "models/support/waves/signal_path.h"

namespace tvp::support {

VcdWriter::VcdWriter(const std::string& file) : name_(file), file_(file) {
  if (!file_)
    throw foundation::Fault(foundation::FaultKind::kDescription, "",
                            "cannot write the wave file " + file);
  file_ << "$version tensix-vp $end\n$timescale 1ps $end\n";
}

std::string VcdWriter::identifier(std::uint32_t signal) {
  constexpr unsigned kFirst = '!';
  constexpr unsigned kCount = '~' - '!' + 1;
  std::string id;
  do {
    id += static_cast<char>(kFirst + signal % kCount);
    signal /= kCount;
  } while (signal != 0);
  return id;
}

void VcdWriter::enter_scopes(const std::vector<std::string>& wanted) {
  const std::size_t common = common_prefix(scopes_, wanted);
  for (std::size_t i = scopes_.size(); i > common; --i) file_ << "$upscope $end\n";
  for (std::size_t i = common; i < wanted.size(); ++i) {
    file_ << "$scope module " << wanted[i] << " $end\n";
  }
  scopes_ = wanted;
}

void VcdWriter::declare(const SignalInfo& signal) {
  enter_scopes(scopes_of(signal.path));
  const auto number = static_cast<std::uint32_t>(widths_.size());
  if (signal.kind == SignalInfo::Kind::kText) {
    file_ << "$var string 1 ";
  } else {
    file_ << "$var wire " << signal.width << " ";
  }
  file_ << identifier(number) << " " << name_of(signal.path) << " $end\n";
  widths_.push_back(signal.width);
}

void VcdWriter::at(std::uint64_t time_ps) {
  if (header_open_) {
    enter_scopes({});
    file_ << "$enddefinitions $end\n";
    header_open_ = false;
  }
  if (time_ps != time_ps_) file_ << "#" << time_ps << "\n";
  time_ps_ = time_ps;
}

void VcdWriter::bits(std::uint64_t time_ps, std::uint32_t signal, std::uint64_t value) {
  at(time_ps);
  const unsigned width = widths_[signal];
  if (width == 1) {
    file_ << (value & 1U) << identifier(signal) << "\n";
    return;
  }
  file_ << "b";
  for (unsigned bit = width; bit-- > 0;) file_ << ((value >> bit) & 1U);
  file_ << " " << identifier(signal) << "\n";
}

void VcdWriter::text(std::uint64_t time_ps, std::uint32_t signal, const std::string& value) {
  at(time_ps);
  file_ << "s";
  // White space ends a value in this format.
  for (const char c : value) file_ << (c == ' ' ? '_' : c);
  file_ << " " << identifier(signal) << "\n";
}

void VcdWriter::close(std::uint64_t time_ps) {
  at(time_ps);
  file_.close();
  if (!file_)
    throw foundation::Fault(foundation::FaultKind::kDescription, "",
                            "cannot write the wave file " + name_);
}

}  // namespace tvp::support
