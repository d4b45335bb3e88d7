#include "sw/runtime/compiler/kernel_names.h"

#include <cctype>
#include <set>

#include "sw/runtime/errors.h"

namespace tvp::runtime {
namespace {

/// Names of one namespace of the header.
class Namespace {
 public:
  Namespace(std::string kernel, const std::string& name)
      : kernel_(std::move(kernel)), name_(name), text_("namespace " + name + " {\n") {}

  void add(const std::string& type, const std::string& name, std::uint32_t value) {
    check(name);
    text_ += "constexpr " + type + " " + name + "{" + std::to_string(value) + "u};\n";
  }
  void add_tensor(const std::string& name, std::uint32_t compile_arg, std::uint32_t byte) {
    check(name);
    text_ += "using " + name + "_t = ::tensor_accessor::TensorAccessorBindingToken<" +
             std::to_string(compile_arg) + "u, " + std::to_string(byte) + "u>;\nconstexpr " + name +
             "_t " + name + "{};\n";
  }
  void add_sequence(const std::string& name, const std::vector<std::string>& tensors) {
    std::string list;
    for (const std::string& tensor : tensors) {
      if (!names_.contains(tensor))
        bad_use(kernel_, "tensor::" + tensor + " in tensor::" + name + " is no tensor with a name");
      list += (list.empty() ? "" : ", ") + tensor;
    }
    check(name);
    text_ += "constexpr auto " + name + " = std::make_tuple(" + list + ");\n";
  }
  void add_scratchpad(const std::string& name, std::uint32_t common_arg, std::uint32_t bytes) {
    check(name);
    text_ += "constexpr ::ScratchpadBindingToken " + name + "{" + std::to_string(common_arg) +
             "u, " + std::to_string(bytes) + "u};\n";
  }
  std::string text() const { return names_.empty() ? std::string() : text_ + "}\n"; }
  /// With get_token_if_present<"name">(), with which kernels of summer 2026 test for a name. `type`
  /// is the type of its token.
  std::string text_and_lookup(const std::string& type) const {
    std::string lookup =
        "template <::tvp::names::Name kName>\nconstexpr auto get_token_if_present() {\n";
    for (const std::string& name : names_)
      lookup += "  if constexpr (kName == ::tvp::names::Name(\"" + name + "\")) return &" + name +
                "; else\n";
    return text_ + lookup + "  return ::tvp::names::Absent<" + type + ">{};\n}\n}\n";
  }

 private:
  void check(const std::string& name) {
    bool good = !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0;
    for (const char c : name)
      good = good && (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_');
    if (!good) bad_use(kernel_, name_ + "::" + name + " is no name that a kernel can use");
    if (!names_.insert(name).second) bad_use(kernel_, name_ + "::" + name + " is named twice");
  }

  std::string kernel_;
  std::string name_;
  std::string text_;
  std::set<std::string> names_;
};

std::string behind(const char* function, const char* reads, std::size_t named) {
  return std::string("FORCE_INLINE uint32_t ") + function + "(uint32_t i) { return " + reads +
         "<uint32_t>(" + std::to_string(named) + " + i); }\n";
}

}  // namespace

bool KernelNames::empty() const {
  return runtime_args.empty() && common_runtime_args.empty() && compile_args.empty() &&
         buffers.empty() && semaphores.empty() && pipes.empty() && tensors.empty() &&
         tensor_sequences.empty() && scratchpads.empty();
}

std::string KernelNames::header(const std::string& kernel) const {
  Namespace args(kernel, "args");
  Namespace dfb(kernel, "dfb");
  Namespace sem(kernel, "sem");
  Namespace pipe(kernel, "pipe");
  Namespace ta(kernel, "ta");
  Namespace scratch(kernel, "scratch");
  std::uint32_t byte = 0;
  for (const std::string& name : runtime_args) {
    args.add("experimental::RtaArg<uint32_t>", name, byte);
    byte += 4;
  }
  byte = 0;
  for (const std::string& name : common_runtime_args) {
    args.add("experimental::CrtaArg<uint32_t>", name, byte);
    byte += 4;
  }
  for (const auto& [name, value] : compile_args)
    args.add("experimental::CtaVal<uint32_t>", name, value);
  for (const auto& [name, index] : buffers) dfb.add("DFBAccessor", name, index);
  for (const auto& [name, id] : semaphores) sem.add("uint32_t", name, id);
  for (const auto& [name, number] : pipes) pipe.add("PrefetcherPipeBindingToken", name, number);
  for (const auto& [name, compile_arg] : tensors) {
    ta.add_tensor(name, compile_arg, byte);
    byte += 4;
  }
  for (const auto& [name, list] : tensor_sequences) ta.add_sequence(name, list);
  for (const auto& [name, bytes] : scratchpads) {
    scratch.add_scratchpad(name, byte / 4, bytes);
    byte += 4;
  }
  std::string includes = "#include \"api/experimental/kernel_args.h\"\n";
  includes += "#include \"api/dataflow/circular_buffer.h\"\n";
  includes += "#include \"api/dataflow/tensor_binding_token.h\"\n";
  if (!tensors.empty())
    includes +=
        "#if !defined(COMPILE_FOR_TRISC)\n"
        "#include \"api/dataflow/tensor_accessor.h\"\n"
        "#endif\n";
  includes += "#include \"api/scratchpad.h\"\n";
  // Since summer 2026 tensors are in tensor::, before that in ta::.
  const std::string tensor = "namespace tensor {\nusing namespace ::ta;\n}\n";
  return includes + args.text() + pipe.text() + dfb.text_and_lookup("::DFBAccessor") +
         sem.text_and_lookup("uint32_t") +
         ta.text_and_lookup("::tensor_accessor::NullTensorBindingToken") + tensor +
         scratch.text_and_lookup("::ScratchpadBindingToken") +
         behind("get_vararg", "get_arg_val", runtime_args.size()) +
         behind("get_common_vararg", "get_common_arg_val",
                common_runtime_args.size() + tensors.size() + scratchpads.size());
}

}  // namespace tvp::runtime
