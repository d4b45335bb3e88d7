#pragma once

#include <set>
#include <string>
#include <vector>

#include "tests/mutation/mutation.h"

namespace tvp::mutation {

/// A small change of one call of the kernel or PIM API in a kernel. Its rule is "delete", "swap",
/// "count", "index", "size" or "core".
struct KernelMutation {
  Mutation change;
  std::string call;               ///< "cb_push_back"
  std::string other{};            ///< the call that is swapped with it
  std::set<std::size_t> lines{};  ///< lines of the changed statement
  /// The call with an endless loop before it. A run that passes with it does not reach the call.
  Mutation trap{};
  std::set<std::size_t> around{};  ///< lines of the statements before and after it
  /// Names, without folders, of the program's files that include the changed one. A report about
  /// their code is about the same kernel.
  std::set<std::string> includers{};
  std::set<std::string> included{};  ///< names of the program's files that the changed one includes
};

/// The rules in the order in which a random sample takes their changes. A missing call is the most
/// frequent mistake.
std::vector<std::string> kernel_rules();

/// All changes of the calls in a kernel:
/// * delete: the statement of a call is missing.
/// * swap: two adjacent calls that use the same object are in the wrong order.
/// * count: an integer argument, a number of pages or a page's number is one larger or smaller.
/// * index: the call names another circular buffer or semaphore of the file.
/// * size: a transfer has half of its bytes.
/// * core: a coordinate, or the number of a unit, is one larger.
/// Lines keep their numbers, except behind swapped statements of several lines.
std::vector<KernelMutation> kernel_mutations_of(const std::string& file, const std::string& source);

}  // namespace tvp::mutation
