#include "platform/debug/documents.h"

#include <iterator>

#include "platform/debug/gdb_packet.h"

namespace tvp::debug {

namespace {

const char* const kRegisterNames[] = {"zero", "ra", "sp",  "gp",  "tp", "t0", "t1", "t2",
                                      "fp",   "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
                                      "a6",   "a7", "s2",  "s3",  "s4", "s5", "s6", "s7",
                                      "s8",   "s9", "s10", "s11", "t3", "t4", "t5", "t6"};

std::string register_type(const std::string& name) {
  if (name == "ra") return "code_ptr";
  if (name == "sp" || name == "gp" || name == "tp" || name == "fp") return "data_ptr";
  return "int";
}

/// The meaning of a register in calls, which lldb needs and gdb ignores.
std::string generic_name(const std::string& name) {
  if (name == "ra" || name == "sp" || name == "fp") return " generic=\"" + name + "\"";
  if (name.size() == 2 && name[0] == 'a')
    return " generic=\"arg" + std::to_string(name[1] - '0' + 1) + "\"";
  return {};
}

std::string attribute(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

}  // namespace

std::string target_document() {
  std::string text =
      "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target version=\"1.0\">"
      "<architecture>riscv:rv32</architecture><osabi>none</osabi><feature "
      "name=\"org.gnu.gdb.riscv.cpu\">";
  // lldb unwinds with the numbers of debug information (RISC-V ELF psABI, DWARF Register Numbers).
  for (unsigned i = 0; i < std::size(kRegisterNames); ++i) {
    const std::string name = kRegisterNames[i], number = std::to_string(i);
    text += "<reg name=\"" + name + "\" bitsize=\"32\" type=\"" + register_type(name) +
            "\" gcc_regnum=\"" + number + "\" dwarf_regnum=\"" + number + "\"" +
            generic_name(name) + "/>";
  }
  return text +
         "<reg name=\"pc\" bitsize=\"32\" type=\"code_ptr\" "
         "generic=\"pc\"/></feature></target>";
}

std::string thread_element(const std::string& id, const std::string& name,
                           const std::string& state) {
  return "<thread id=\"" + id + "\" name=\"" + attribute(name) + "\">" + attribute(state) +
         "</thread>";
}

// GDB adds the section address of this document to the address in the file.
std::string libraries_document(const std::vector<Target::Library>& libraries) {
  std::string text = "<library-list>";
  for (const Target::Library& library : libraries) {
    text += "<library name=\"" + attribute(library.file) + "\">";
    for (unsigned i = 0; i < library.sections; ++i) text += "<section address=\"0\"/>";
    text += "</library>";
  }
  return text + "</library-list>";
}

// Each file needs a link map of its own; nothing is relocated.
std::string svr4_libraries_document(const std::vector<Target::Library>& libraries) {
  std::string text = "<library-list-svr4 version=\"1.0\">";
  unsigned number = 0;
  for (const Target::Library& library : libraries) {
    text += "<library name=\"" + attribute(library.file) + "\" lm=\"" + std::to_string(++number) +
            "\" l_addr=\"0\" l_ld=\"0\" lmid=\"0\"/>";
  }
  return text + "</library-list-svr4>";
}

std::string document_part(const std::string& document, std::string_view part) {
  const auto offset = take_hex(part);
  if (!offset || part.empty() || part.front() != ',') return "E01";
  part.remove_prefix(1);
  const auto length = take_hex(part);
  if (!length || !part.empty()) return "E01";
  if (*offset >= document.size()) return "l";
  const std::string piece = document.substr(*offset, *length);
  return (*offset + piece.size() < document.size() ? "m" : "l") + piece;
}

}  // namespace tvp::debug
