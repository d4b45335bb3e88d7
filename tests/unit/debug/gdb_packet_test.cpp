// The frames of the remote serial protocol, and the numbers in them.
#include "platform/debug/gdb_packet.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

namespace tvp::debug {
namespace {

using Kind = PacketDecoder::Kind;
using Items = std::vector<std::pair<Kind, std::string>>;

Items decode(PacketDecoder& decoder, const std::string& bytes) {
  decoder.feed(bytes);
  Items items;
  while (const auto item = decoder.next()) items.emplace_back(item->kind, item->payload);
  return items;
}
Items decode(const std::string& bytes) {
  PacketDecoder decoder;
  return decode(decoder, bytes);
}

TEST(Packet, FramesAndChecksumsAreThoseOfTheManual) {
  EXPECT_EQ(encode_packet(""), "$#00");
  EXPECT_EQ(encode_packet("OK"), "$OK#9a");
  EXPECT_EQ(encode_packet("g"), "$g#67");
  // # is 0x23: escaped as } and 0x03. 0x7d + 0x03 = 0x80.
  EXPECT_EQ(encode_packet("#"), std::string("$}\x03#80"));
  EXPECT_EQ(encode_packet("a}$*"), std::string("$a}\x5d}\x04}\x0a#43"));
}

TEST(Packet, EveryByteSurvivesTheWay) {
  std::string all;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  EXPECT_EQ(decode(encode_packet(all)), (Items{{Kind::kPacket, all}}));
}

TEST(Packet, ItemsComeInOrderHoweverTheBytesArrive) {
  const std::string stream = "+$OK#9a-\x03$g#67";
  const Items expected{{Kind::kAck, ""},
                       {Kind::kPacket, "OK"},
                       {Kind::kNack, ""},
                       {Kind::kInterrupt, ""},
                       {Kind::kPacket, "g"}};
  EXPECT_EQ(decode(stream), expected);
  PacketDecoder decoder;
  Items one_by_one;
  for (const char c : stream) {
    for (auto& item : decode(decoder, std::string(1, c))) one_by_one.push_back(std::move(item));
  }
  EXPECT_EQ(one_by_one, expected);
}

TEST(Packet, DamagedOnesAreRefusedAndTheNextOneIsFound) {
  EXPECT_EQ(decode("$OK#9b$g#67"), (Items{{Kind::kBadChecksum, ""}, {Kind::kPacket, "g"}}));
  EXPECT_EQ(decode("$OK#zz$g#67"), (Items{{Kind::kBadChecksum, ""}, {Kind::kPacket, "g"}}));
  // The end of the first one is lost.
  EXPECT_EQ(decode("$m1234$g#67"), (Items{{Kind::kBadChecksum, ""}, {Kind::kPacket, "g"}}));
  EXPECT_EQ(decode("noise$g#67"), (Items{{Kind::kPacket, "g"}}));
  EXPECT_EQ(decode("$g#6"), Items{});
  EXPECT_EQ(decode(encode_packet("}")), (Items{{Kind::kPacket, "}"}}));
  // An escape without a following byte.
  EXPECT_EQ(decode("$}#7d"), (Items{{Kind::kPacket, "}"}}));
}

TEST(Packet, EndlessOnesAreCutOff) {
  PacketDecoder decoder;
  Items items;
  for (int i = 0; i < 20; ++i) {
    for (auto& item : decode(decoder, (i == 0 ? "$" : "") + std::string(4096, 'x'))) {
      items.push_back(std::move(item));
    }
  }
  ASSERT_FALSE(items.empty());
  EXPECT_EQ(items.front().first, Kind::kBadChecksum);
  const std::string largest(PacketDecoder::kMaxPayload, 'x');
  EXPECT_EQ(decode(encode_packet(largest)).at(0).first, Kind::kPacket);
  EXPECT_EQ(decode(encode_packet(largest + "x")).at(0).first, Kind::kBadChecksum);
}

// A peer may send any amount at a time. Rescanning all of it for each packet would take hours.
TEST(Packet, MegabytesThatComeAtOnceAreDecodedInOnePass) {
  constexpr std::size_t kCount = 4U << 20;
  PacketDecoder decoder;
  decoder.feed(std::string(kCount, '+') + encode_packet("m1000,4"));
  for (std::size_t i = 0; i < kCount; ++i) ASSERT_EQ(decoder.next()->kind, Kind::kAck);
  EXPECT_EQ(decoder.next()->payload, "m1000,4");
  EXPECT_FALSE(decoder.next());
}

TEST(Packet, RandomBytesNeverStopTheDecoder) {
  std::mt19937 random(1);
  const std::string alphabet = "$#}+-\x03*0123456789abcdefgz";
  PacketDecoder decoder;
  for (int i = 0; i < 100'000; ++i) {
    decoder.feed(std::string(1, alphabet[random() % alphabet.size()]));
    while (decoder.next()) {
    }
  }
  decoder.feed("#00$#00");
  Items items = decode(decoder, encode_packet("alive"));
  ASSERT_FALSE(items.empty());
  EXPECT_EQ(items.back(), (std::pair{Kind::kPacket, std::string("alive")}));
}

TEST(Packet, HexadecimalNumbers) {
  EXPECT_EQ(to_hex(std::string("\x01\xab\x00", 3)), "01ab00");
  EXPECT_EQ(from_hex("01aBff"), std::string("\x01\xab\xff"));
  EXPECT_EQ(from_hex("012"), std::nullopt);
  EXPECT_EQ(from_hex("0g"), std::nullopt);
  std::string_view text = "1fz";
  EXPECT_EQ(take_hex(text), 0x1fU);
  EXPECT_EQ(text, "z");
  EXPECT_EQ(take_hex(text), std::nullopt);
  text = "ffffffffffffffff";
  EXPECT_EQ(take_hex(text), ~std::uint64_t{0});
  text = "10000000000000000";
  EXPECT_EQ(take_hex(text), std::nullopt);
}

}  // namespace
}  // namespace tvp::debug
