#include "models/riscv/debug/source_lines.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include <algorithm>
#include <cstdlib>

namespace tvp::riscv {

/// The debug information may also lie in another file: that of a debug link, or those of
/// -gsplit-dwarf.
struct SourceLines::Dwarf {
  Dwfl* files = nullptr;
  ::Dwarf* handle = nullptr;
  explicit Dwarf(const std::string& path) {
    static constexpr Dwfl_Callbacks kCallbacks{.find_elf = dwfl_build_id_find_elf,
                                               .find_debuginfo = dwfl_standard_find_debuginfo,
                                               .section_address = dwfl_offline_section_address,
                                               .debuginfo_path = nullptr};
    files = dwfl_begin(&kCallbacks);
    if (files == nullptr) return;
    Dwfl_Module* const module = dwfl_report_offline(files, path.c_str(), path.c_str(), -1);
    dwfl_report_end(files, nullptr, nullptr);
    Dwarf_Addr bias = 0;
    if (module != nullptr) handle = dwfl_module_getdwarf(module, &bias);
  }
  ~Dwarf() {
    if (files != nullptr) dwfl_end(files);
  }

  /// A compilation unit. `code`: the DIE that describes its code, which may lie in another file.
  struct Unit {
    Dwarf_Die die;
    Dwarf_Die code;
  };
  static Unit unit_with_code(Dwarf_Die& die) {
    Unit unit{die, die};
    Dwarf_Die split;
    if (dwarf_cu_info(die.cu, nullptr, nullptr, nullptr, &split, nullptr, nullptr, nullptr) == 0 &&
        split.cu != nullptr)
      unit.code = split;
    return unit;
  }

  /// Calls `visit` for each compilation unit until it returns true; false if none did.
  template <typename Visit>
  bool any_unit(Visit&& visit) const {
    Dwarf_CU* next = nullptr;
    Dwarf_Die die;
    while (dwarf_get_units(handle, next, &next, nullptr, nullptr, &die, nullptr) == 0) {
      Unit unit = unit_with_code(die);
      if (visit(unit)) return true;
    }
    return false;
  }

  /// The compilation unit of `address`. Without .debug_aranges all units must be searched.
  bool unit_of(Dwarf_Addr address, Unit& unit) const {
    Dwarf_Die die;
    if (dwarf_addrdie(handle, address, &die) != nullptr) {
      unit = unit_with_code(die);
      return true;
    }
    return any_unit([&](Unit& each) {
      unit = each;
      return dwarf_haspc(&each.die, address) == 1 || dwarf_haspc(&each.code, address) == 1;
    });
  }
};

namespace {

/// The source location of the call that was inlined as `inlined`.
SourceLocation call_of(Dwarf_Die& unit, Dwarf_Die& inlined) {
  SourceLocation call;
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  Dwarf_Files* files = nullptr;
  if (dwarf_formudata(dwarf_attr(&inlined, DW_AT_call_file, &attribute), &value) == 0 &&
      dwarf_getsrcfiles(&unit, &files, nullptr) == 0) {
    const char* const file = dwarf_filesrc(files, value, nullptr, nullptr);
    if (file != nullptr) call.file = file;
  }
  if (dwarf_formudata(dwarf_attr(&inlined, DW_AT_call_line, &attribute), &value) == 0) {
    call.line = static_cast<unsigned>(value);
  }
  return call;
}

/// Adds the function of `innermost` to `location`, and those that it is inlined into. The parents
/// come from the code. dwarf_getscopes() would follow the place where an inlined function is
/// defined.
void add_calls(Dwarf_Die& unit, Dwarf_Die& innermost, SourceLocation& location) {
  Dwarf_Die* parents = nullptr;
  const int count = dwarf_getscopes_die(&innermost, &parents);
  std::vector<SourceLocation> chain(1);
  for (int i = 0; i < count; ++i) {
    const int tag = dwarf_tag(&parents[i]);
    if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine) continue;
    const char* const name = dwarf_diename(&parents[i]);
    if (name != nullptr) chain.back().function = name;
    if (tag == DW_TAG_subprogram) break;
    chain.push_back(call_of(unit, parents[i]));
  }
  std::free(parents);
  location.function = chain.front().function;
  location.inlined_into.assign(chain.begin() + 1, chain.end());
}

/// The name of the last function of the unit that begins up to `address`. In files of
/// -gsplit-dwarf functions of RISC-V have no ends: the relocations of the sizes are lost with the
/// object file.
std::string function_from(Dwarf_Die& unit, Dwarf_Addr address) {
  std::string name;
  Dwarf_Addr nearest = 0;
  Dwarf_Die die;
  if (dwarf_child(&unit, &die) != 0) return name;
  do {
    Dwarf_Addr begin = 0;
    if (dwarf_tag(&die) != DW_TAG_subprogram || dwarf_lowpc(&die, &begin) != 0) continue;
    const char* const its_name = dwarf_diename(&die);
    if (its_name == nullptr || begin > address || begin < nearest) continue;
    nearest = begin;
    name = its_name;
  } while (dwarf_siblingof(&die, &die) == 0);
  return name;
}

/// The function that a DIE calls: of an inlined call or a call site; null for other DIEs.
const char* called_by(Dwarf_Die& die) {
  const int tag = dwarf_tag(&die);
  if (tag == DW_TAG_inlined_subroutine) return dwarf_diename(&die);
  if (tag != DW_TAG_call_site && tag != DW_TAG_GNU_call_site) return nullptr;
  Dwarf_Attribute attribute;
  Dwarf_Die origin;
  const unsigned kind = tag == DW_TAG_call_site ? DW_AT_call_origin : DW_AT_abstract_origin;
  if (dwarf_attr(&die, kind, &attribute) == nullptr ||
      dwarf_formref_die(&attribute, &origin) == nullptr)
    return nullptr;
  return dwarf_diename(&origin);
}

/// The address behind a call that is not inlined; 0 if there is none.
Dwarf_Addr return_address(Dwarf_Die& site) {
  Dwarf_Addr address = 0;
  Dwarf_Attribute attribute;
  if (dwarf_attr(&site, DW_AT_call_return_pc, &attribute) != nullptr &&
      dwarf_formaddr(&attribute, &address) == 0)
    return address;
  return dwarf_lowpc(&site, &address) == 0 ? address : 0;
}

/// Calls `visit(name, die)` for each call in code below `parent`. Descriptions of inlined functions
/// themselves have no code.
template <typename Visit>
void each_call(Dwarf_Die& parent, Visit&& visit) {
  Dwarf_Die die;
  if (dwarf_child(&parent, &die) != 0) return;
  do {
    if (dwarf_tag(&die) == DW_TAG_subprogram && dwarf_func_inline(&die) != 0) continue;
    if (const char* const called = called_by(die)) visit(called, die);
    each_call(die, visit);
  } while (dwarf_siblingof(&die, &die) == 0);
}

}  // namespace

bool is_of_library(const std::string& file) {
  for (const char* folder :
       {"firmware/api/", "firmware/llk/", "firmware/boot/", "foundation/contract/",
        "firmware/fabric/", "foundation/regs/", "firmware/collectives/transport/pim_unit.h"})
    if (file.find(folder) != std::string::npos) return true;
  return file.starts_with("/usr/") && file.find("/include/") != std::string::npos;
}

std::string SourceLocation::place_text() const {
  const std::string place = file + ":" + std::to_string(line);
  return function.empty() ? place : function + " (" + place + ")";
}

const SourceLocation* SourceLocation::own() const {
  if (!is_of_library(file)) return this;
  const auto found = std::find_if(inlined_into.begin(), inlined_into.end(),
                                  [](const auto& caller) { return !is_of_library(caller.file); });
  return found == inlined_into.end() ? nullptr : &*found;
}

std::string SourceLocation::own_text() const {
  constexpr unsigned kMostCallers = 3;
  const SourceLocation* const first = own();
  if (first == nullptr) return place_text();
  const auto text_of = [](SourceLocation place) {
    const std::size_t at = place.function.find('<');
    if (at != 0 && at != std::string::npos && !place.function.starts_with("operator"))
      place.function.resize(at);
    return place.place_text();
  };
  std::string text = text_of(*first);
  unsigned callers = 0;
  for (const SourceLocation& caller : inlined_into) {
    if (&caller <= first && first != this) continue;
    if (is_of_library(caller.file) || callers == kMostCallers) continue;
    text += (callers++ == 0 ? ", called in " : " in ") + text_of(caller);
  }
  return text;
}

std::string SourceLocation::called() const {
  const SourceLocation* const kernel = own();
  if (kernel == this) return {};
  if (kernel == nullptr) return inlined_into.empty() ? function : inlined_into.back().function;
  const auto index = static_cast<std::size_t>(kernel - inlined_into.data());
  return index == 0 ? function : inlined_into[index - 1].function;
}

std::string SourceLocation::text() const {
  const SourceLocation* const kernel = own();
  const bool kernel_first = kernel != nullptr && kernel != this;
  std::string text = kernel_first ? kernel->place_text() + ": " : std::string();
  text += place_text();
  for (const SourceLocation& caller : inlined_into)
    if (!kernel_first || &caller != kernel) text += ", inlined into " + caller.place_text();
  return text;
}

SourceLines::SourceLines(std::string path) : path_(std::move(path)) {}
SourceLines::~SourceLines() = default;

const std::optional<SourceLocation>& SourceLines::lookup(std::uint32_t address) {
  const auto known = found_.find(address);
  return known != found_.end() ? known->second : found_[address] = find(address);
}

bool SourceLines::open() {
  if (!opened_) dwarf_ = std::make_unique<Dwarf>(path_);
  opened_ = true;
  return dwarf_->handle != nullptr;
}

const std::optional<SourceLocation>& SourceLines::declaration(const std::string& function) {
  const auto known = declarations_.find(function);
  return known != declarations_.end() ? known->second : declarations_[function] = find(function);
}

std::optional<SourceLocation> SourceLines::find(const std::string& function) {
  std::optional<SourceLocation> found;
  if (!open()) return found;
  dwarf_->any_unit([&](Dwarf::Unit& unit) {
    Dwarf_Die die;
    if (dwarf_child(&unit.code, &die) != 0) return false;
    do {
      const char* const name = dwarf_diename(&die);
      if (dwarf_tag(&die) != DW_TAG_subprogram || name == nullptr || function != name) continue;
      const char* const file = dwarf_decl_file(&die);
      int line = 0;
      if (file == nullptr || dwarf_decl_line(&die, &line) != 0) continue;
      // The last one is the definition, which follows the declarations of headers.
      found = SourceLocation{.function = function,
                             .file = file,
                             .line = static_cast<unsigned>(line),
                             .inlined_into = {}};
    } while (dwarf_siblingof(&die, &die) == 0);
    return found.has_value();
  });
  return found;
}

std::vector<SourceLocation> SourceLines::calls_of(const std::string& function) {
  std::vector<SourceLocation> calls;
  if (!open()) return calls;
  dwarf_->any_unit([&](Dwarf::Unit& unit) {
    each_call(unit.code, [&](const char* name, Dwarf_Die& die) {
      if (function != name) return;
      if (dwarf_tag(&die) == DW_TAG_inlined_subroutine) {
        SourceLocation call = call_of(unit.code, die);
        if (!call.file.empty() && !is_of_library(call.file)) calls.push_back(std::move(call));
        return;
      }
      const Dwarf_Addr behind = return_address(die);
      const auto place = behind == 0 ? std::nullopt : find(static_cast<std::uint32_t>(behind - 1));
      if (place && place->own() != nullptr) calls.push_back(*place->own());
    });
    return false;
  });
  return calls;
}

bool SourceLines::calls(const std::string& function) {
  if (!called_) {
    called_.emplace();
    if (open())
      dwarf_->any_unit([&](Dwarf::Unit& unit) {
        each_call(unit.code, [&](const char* name, Dwarf_Die&) { called_->insert(name); });
        return false;
      });
  }
  return called_->count(function) != 0;
}

std::optional<SourceLocation> SourceLines::find(std::uint32_t address) {
  if (!open()) return std::nullopt;
  Dwarf::Unit unit;
  if (!dwarf_->unit_of(address, unit)) return std::nullopt;
  Dwarf_Line* const line = dwarf_getsrc_die(&unit.die, address);
  const char* const file = line == nullptr ? nullptr : dwarf_linesrc(line, nullptr, nullptr);
  if (file == nullptr) return std::nullopt;
  SourceLocation location;
  location.file = file;
  int number = 0;
  if (dwarf_lineno(line, &number) == 0) location.line = static_cast<unsigned>(number);

  Dwarf_Die* scopes = nullptr;
  const int count = dwarf_getscopes(&unit.code, address, &scopes);
  if (count > 0) add_calls(unit.code, scopes[0], location);
  if (location.function.empty()) location.function = function_from(unit.code, address);
  std::free(scopes);
  return location;
}

}  // namespace tvp::riscv
