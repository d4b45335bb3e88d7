#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <optional>
#include <string>

#include "foundation/fault.h"

namespace tvp::test {

/// The text of the fault that `action` throws, or `otherwise` if it throws none. A fault must be of
/// `kind`, if that is given.
template <typename Action>
std::string fault_of(const Action& action, std::optional<foundation::FaultKind> kind = {},
                     const std::string& otherwise = "no fault") {
  try {
    action();
  } catch (const foundation::Fault& fault) {
    if (kind) {
      EXPECT_EQ(fault.kind(), *kind) << fault.what();
    }
    return fault.what();
  }
  return otherwise;
}

/// Success if `action` throws a fault of `kind` whose text contains all of `parts`.
template <typename Action>
testing::AssertionResult faults(const Action& action, std::optional<foundation::FaultKind> kind,
                                std::initializer_list<std::string> parts) {
  try {
    action();
  } catch (const foundation::Fault& fault) {
    const std::string text = fault.what();
    if (kind && fault.kind() != *kind)
      return testing::AssertionFailure() << "a fault of another kind: " << text;
    for (const std::string& part : parts)
      if (text.find(part) == std::string::npos)
        return testing::AssertionFailure() << "no \"" << part << "\" in: " << text;
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << "no fault";
}

/// `action` is refused as bad input, with a text that contains `text`.
#define EXPECT_REFUSED(action, text) \
  EXPECT_TRUE(                       \
      ::tvp::test::faults([&] { action; }, ::tvp::foundation::FaultKind::kDescription, {text}))

}  // namespace tvp::test
