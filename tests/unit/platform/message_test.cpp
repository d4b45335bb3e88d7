#include "platform/ranks/message.h"

#include "tests/support/fault_of.h"

namespace tvp::platform {
namespace {

using foundation::FaultKind;

TEST(Message, KeepsValuesInOrder) {
  Message sent;
  sent.put(std::uint8_t{7}).put_text("a text").put(std::uint64_t{1} << 40).put_bytes("xyz", 3);
  Message received(sent.bytes());
  EXPECT_EQ(received.get<std::uint8_t>(), 7);
  EXPECT_EQ(received.get_text(), "a text");
  EXPECT_EQ(received.get<std::uint64_t>(), std::uint64_t{1} << 40);
  EXPECT_EQ(*received.take(3), 'x');
  EXPECT_TRUE(received.at_end());
}

TEST(Message, RefusesToReadBeyondItsEnd) {
  Message message;
  message.put(std::uint32_t{100}).put_bytes("short", 5);
  EXPECT_TRUE(test::faults([&] { message.get_text(); }, FaultKind::kInternal,
                           {"a message of 9 bytes ends too early", "expected 100 more at 4"}));
}

}  // namespace
}  // namespace tvp::platform
