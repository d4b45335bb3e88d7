#include "sw/workloads/sdpa/npy_file.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>

#include "foundation/fault.h"
#include "foundation/input_file.h"

namespace tvp::workloads::sdpa {

namespace {

[[noreturn]] void bad(const std::string& path, const std::string& text) {
  throw foundation::Fault(foundation::FaultKind::kDescription, path, text);
}

constexpr std::size_t kMostValues = std::size_t{1} << 28;

/// Header text between the magic string and the data.
std::string read_header(std::istream& file, const std::string& path) {
  std::array<char, 8> magic{};
  if (!file.read(magic.data(), magic.size()) || std::memcmp(magic.data(), "\x93NUMPY", 6) != 0)
    bad(path, "is not a .npy file");
  const auto major = static_cast<unsigned char>(magic[6]);
  const auto minor = static_cast<unsigned char>(magic[7]);
  if (major < 1 || major > 3 || minor != 0) {
    bad(path, "is of version " + std::to_string(major) + "." + std::to_string(minor) +
                  " of the format, expected 1.0, 2.0 or 3.0");
  }
  const bool wide = major >= 2;
  std::array<unsigned char, 4> length{};
  if (!file.read(reinterpret_cast<char*>(length.data()), wide ? 4 : 2))
    bad(path, "ends in its header");
  const std::size_t bytes = static_cast<std::size_t>(length[0]) | std::size_t{length[1]} << 8 |
                            std::size_t{length[2]} << 16 | std::size_t{length[3]} << 24;
  if (bytes > (1U << 20)) bad(path, "has a header of impossible length");
  std::string header(bytes, '\0');
  if (!file.read(header.data(), static_cast<std::streamsize>(bytes)))
    bad(path, "ends in its header");
  return header;
}

/// The text that follows "'key':" in the header.
std::string value_of(const std::string& header, const std::string& key, const std::string& path) {
  const std::size_t at = header.find("'" + key + "'");
  const std::size_t colon = at == std::string::npos ? at : header.find(':', at);
  if (colon == std::string::npos) bad(path, "has no '" + key + "' in its header");
  const std::size_t first = header.find_first_not_of(' ', colon + 1);
  return first == std::string::npos ? "" : header.substr(first);
}

std::vector<std::size_t> parse_shape(const std::string& text, const std::string& path) {
  const std::size_t open = text.find('(');
  const std::size_t close = text.find(')');
  if (open != 0 || close == std::string::npos) bad(path, "has no shape in its header");
  std::vector<std::size_t> shape;
  std::stringstream items(text.substr(1, close - 1));
  for (std::string item; std::getline(items, item, ',');) {
    const std::size_t first = item.find_first_not_of(' ');
    if (first == std::string::npos) continue;
    std::size_t extent = 0;
    const char* begin = item.data() + first;
    const char* const end = item.data() + item.find_last_not_of(' ') + 1;
    const auto parsed = std::from_chars(begin, end, extent);
    if (parsed.ec != std::errc{} || parsed.ptr != end)
      bad(path, "has the shape " + text.substr(0, close + 1));
    shape.push_back(extent);
  }
  return shape;
}

void check_shape(const std::vector<std::size_t>& found, const std::vector<std::size_t>& expected,
                 const std::string& path) {
  bool same = found.size() == expected.size();
  for (std::size_t i = 0; same && i < found.size(); ++i)
    same = expected[i] == 0 || found[i] == expected[i];
  if (!same) bad(path, "has shape " + shape_text(found) + ", expected " + shape_text(expected));
}

}  // namespace

std::string shape_text(const std::vector<std::size_t>& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) text += ", ";
    text += shape[i] == 0 ? "any" : std::to_string(shape[i]);
  }
  return text + (shape.size() == 1 ? ",)" : ")");
}

NpyFile NpyFile::load(const std::string& path, const std::vector<std::size_t>& expected) {
  std::ifstream file(path, std::ios::binary);
  if (!file) bad(path, "cannot be read: " + foundation::why_unreadable(path));
  const std::string header = read_header(file, path);
  const std::string type = value_of(header, "descr", path);
  if (type.rfind("'<f4'", 0) != 0)
    bad(path, "has elements of type " + type.substr(0, type.find(',')) +
                  ", expected '<f4' (float32, little-endian)");
  if (value_of(header, "fortran_order", path).rfind("False", 0) != 0)
    bad(path, "is in Fortran order, expected C order");
  NpyFile array;
  array.shape = parse_shape(value_of(header, "shape", path), path);
  check_shape(array.shape, expected, path);
  std::size_t count = 1;
  for (std::size_t extent : array.shape) {
    if (extent > kMostValues || count * extent > kMostValues) {
      bad(path, "has the shape " + shape_text(array.shape) + ", more than is ever read");
    }
    count *= extent;
  }
  array.values.resize(count);
  if (!file.read(reinterpret_cast<char*>(array.values.data()),
                 static_cast<std::streamsize>(count * sizeof(float))))
    bad(path, "holds fewer than " + std::to_string(count) + " values");
  if (file.get() != std::ifstream::traits_type::eof())
    bad(path, "goes on behind its " + std::to_string(count) + " values");
  return array;
}

}  // namespace tvp::workloads::sdpa
