#include "models/support/wave_files/vcd_writer.h"

#include "models/support/wave_files/signal_path.h"

namespace tvp::support {

namespace {
bool is_blank(char c) { return static_cast<unsigned char>(c) <= ' '; }
}  // namespace

VcdWriter::VcdWriter(const std::string& file) : file_(file) {
  file_.write("$version tensix-vp $end\n$timescale 1ps $end\n");
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
  for (std::size_t i = scopes_.size(); i > common; --i) file_.write("$upscope $end\n");
  for (std::size_t i = common; i < wanted.size(); ++i) {
    file_.write("$scope module " + wanted[i] + " $end\n");
  }
  scopes_ = wanted;
}

void VcdWriter::declare(const SignalInfo& signal) {
  enter_scopes(scopes_of(signal.path));
  const auto number = static_cast<std::uint32_t>(widths_.size());
  const std::string type = signal.kind == SignalInfo::Kind::kText
                               ? std::string("string 1")
                               : "wire " + std::to_string(signal.width);
  file_.write("$var " + type + " " + identifier(number) + " " + name_of(signal.path) + " $end\n");
  widths_.push_back(signal.width);
}

void VcdWriter::at(std::uint64_t time_ps) {
  if (header_open_) {
    enter_scopes({});
    file_.write("$enddefinitions $end\n");
    header_open_ = false;
  }
  if (time_ps != time_ps_) file_.write("#" + std::to_string(time_ps) + "\n");
  time_ps_ = time_ps;
}

void VcdWriter::bits(std::uint64_t time_ps, std::uint32_t signal, std::uint64_t value) {
  at(time_ps);
  const unsigned width = widths_[signal];
  std::string line = width == 1 ? "" : "b";
  for (unsigned bit = width; bit-- > 0;) line += ((value >> bit) & 1U) != 0 ? '1' : '0';
  if (width != 1) line += ' ';
  file_.write(line + identifier(signal) + "\n");
}

void VcdWriter::text(std::uint64_t time_ps, std::uint32_t signal, const std::string& value) {
  at(time_ps);
  // White space ends a value in this format.
  std::string line = "s" + value;
  for (char& c : line) c = is_blank(c) ? '_' : c;
  file_.write(line + " " + identifier(signal) + "\n");
}

void VcdWriter::close(std::uint64_t time_ps) {
  at(time_ps);
  file_.close();
}

}  // namespace tvp::support
