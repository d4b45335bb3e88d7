// Tokens go to the chips of their experts, and results come back
// (ttnn/cpp/ttnn/operations/ccl/all_to_all_dispatch and all_to_all_combine), on four chips in a
// line.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "foundation/contract/fabric/router.h"
#include "sw/runtime/host_api.h"
#include "tests/system/published/collectives/published_line.h"

namespace tvp::runtime::published_experts_test {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t kTokens = 4, kAll = kChips * kTokens;  // per chip, in total
constexpr std::uint32_t kExperts = 16, kLocal = kExperts / kChips, kChosen = 8;
constexpr std::uint32_t kHidden = 64, kTokenBytes = 2 * kHidden, kChoiceBytes = 2 * kChosen;
constexpr std::uint32_t kMappingBytes = 2 * kChips, kAligned = 32;
constexpr std::uint32_t kHeader = contract::fabric::kPacketHeaderBytes;
constexpr std::uint32_t kLinear = 1, kL1Alignment = 16;
constexpr CoreCoord kWorker{0, 0};
const std::string kOperations = "ttnn/cpp/ttnn/operations/ccl/";

class PublishedExperts : public PublishedLine {
 protected:
  void SetUp() override {
    PublishedLine::SetUp();
    if (IsSkipped()) return;
    begun_ = mesh_->create_global_semaphore(kWorker, 0);
    done_ = mesh_->create_global_semaphore(kWorker, 0);
    mapping_ = pages(kExperts, kMappingBytes);
    for (std::uint32_t expert = 0; expert < kExperts; ++expert)
      for (std::uint32_t chip = 0; chip < kChips; ++chip)
        places_.push_back(expert / kLocal == chip);
    for (auto& token : chosen_) {
      std::vector<std::uint16_t> experts(kExperts);
      for (std::uint16_t e = 0; e < kExperts; ++e) experts[e] = e;
      std::shuffle(experts.begin(), experts.end(), random_);
      token.assign(experts.begin(), experts.begin() + kChosen);
    }
    for (unsigned chip = 0; chip < kChips; ++chip) mapping_->write(chip, bytes_of(places_));
  }
  static Bytes bytes_of(const std::vector<std::uint16_t>& numbers) {
    Bytes bytes(2 * numbers.size());
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return bytes;
  }
  Bytes some(std::size_t bytes) {
    Bytes made(bytes);
    for (auto& byte : made) byte = static_cast<std::uint8_t>(random_());
    return made;
  }
  std::shared_ptr<MeshBuffer> pages(std::uint32_t many, std::uint32_t bytes) {
    return MeshBuffer::create(
        *mesh_, InterleavedBufferConfig{.size = std::uint64_t{many} * bytes, .page_size = bytes});
  }
  static std::uint32_t address(const std::shared_ptr<MeshBuffer>& buffer) {
    return static_cast<std::uint32_t>(buffer->address());
  }
  static void buffer(Program& program, std::uint8_t index, std::uint32_t pages,
                     std::uint32_t page_bytes) {
    CircularBufferConfig config(pages * page_bytes, {{index, DataFormat::UInt16}});
    CreateCircularBuffer(program, kWorker, config.set_page_size(index, page_bytes));
  }
  /// Connections to the east and to the west, where there is a chip.
  void add_connections(Words& args, Program& program, unsigned chip) {
    for (const bool up : {true, false}) {
      if (up ? chip + 1 == kChips : chip == 0) continue;
      const std::uint32_t first = CreateSemaphore(program, kWorker, 0);
      CreateSemaphore(program, kWorker, 0);
      CreateSemaphore(program, kWorker, 0);
      for (const std::uint32_t word : line_->connection(chip, up, first)) args.push_back(word);
    }
  }
  static std::map<std::string, std::string> places_in_line(unsigned chip) {
    return {{"DEST_CHIP_ID", "{0,1,2,3}"},
            {"DEST_MESH_ID", "{0,0,0,0}"},
            {"DIRECTIONS", std::string("{") + (chip + 1 < kChips ? "true," : "false,") +
                               (chip != 0 ? "true," : "false,") + "false,false}"}};
  }
  void run(const std::vector<Program>& programs) {
    mesh_->enqueue_all(programs);
    mesh_->finish_workers();
  }

  std::uint32_t begun_ = 0, done_ = 0;
  std::shared_ptr<MeshBuffer> mapping_;
  std::vector<std::uint16_t> places_;  ///< index: expert and chip
  std::vector<std::uint16_t> chosen_[kAll];
  std::mt19937 random_{7};
};

// Every chip gets the tokens of its experts and the choices of all tokens, page by page or in full
// packets.
TEST_F(PublishedExperts, Dispatch) {
  const auto input = pages(kTokens, kTokenBytes), choices = pages(kTokens, kChoiceBytes),
             output = pages(kAll, kTokenBytes), metadata = pages(kAll, kChoiceBytes);
  const std::string kernels = kOperations + "all_to_all_dispatch/device/kernels/dataflow/";
  for (const std::uint32_t page_by_page : {1U, 0U}) {
    Bytes tokens;
    for (unsigned chip = 0; chip < kChips; ++chip) {
      const Bytes here = some(kTokens * kTokenBytes);
      tokens.insert(tokens.end(), here.begin(), here.end());
      input->write(chip, here);
      std::vector<std::uint16_t> chosen;
      for (std::uint32_t t = 0; t < kTokens; ++t)
        chosen.insert(chosen.end(), chosen_[chip * kTokens + t].begin(),
                      chosen_[chip * kTokens + t].end());
      choices->write(chip, bytes_of(chosen));
      output->write(chip, Bytes(kAll * kTokenBytes, 0xEE));
      metadata->write(chip, Bytes(kAll * kChoiceBytes, 0xEE));
    }
    std::vector<Program> programs(kChips);
    for (unsigned chip = 0; chip < kChips; ++chip) {
      Program& program = programs[chip];
      buffer(program, 0, 2, kTokenBytes);
      buffer(program, 1, kTokens, kAligned);
      buffer(program, 2, kExperts, kAligned);
      buffer(program, 3, 2, kHeader);
      buffer(program, 4, kChips, kTokens);
      buffer(program, 5, kAll, kAligned);
      Words args{0, 1, 2, 3, 4, kTokens, kTokens, kExperts, kAll, kAll};
      args.insert(args.end(),
                  {kTokenBytes, kChoiceBytes, kMappingBytes, kTokenBytes, kChoiceBytes});
      args.insert(args.end(), {kChips, kHidden, kAll, kChosen, kExperts, kTokens, 1, kLinear});
      args.insert(args.end(), {0, chip, 1, kChips});
      args.insert(args.end(), {kTokenBytes, kAligned, kAligned, kTokenBytes, kAligned});
      args.insert(args.end(), {kPayload, kL1Alignment, 5, page_by_page, chip});
      for (const auto& tensor : {input, choices, mapping_, output, metadata})
        TensorAccessorArgs(*tensor).append_to(args);
      DataMovementConfig reads{.processor = DataMovementProcessor::RISCV_1,
                               .noc = NOC::NOC_1,
                               .compile_args = args,
                               .defines = {{"AXIS", "-1"}}};
      const auto reader =
          CreateKernel(program, kernels + "reader_all_to_all_dispatch.cpp", kWorker, reads);
      Words words{address(input),  address(choices),  address(mapping_),
                  address(output), address(metadata), done_};
      Words reader_words = words;
      reader_words.insert(reader_words.end(), {0, kTokens});
      SetRuntimeArgs(program, reader, kWorker, reader_words);
      DataMovementConfig writes{.processor = DataMovementProcessor::RISCV_0,
                                .noc = NOC::NOC_0,
                                .compile_args = args,
                                .defines = places_in_line(chip)};
      const auto writer =
          CreateKernel(program, kernels + "writer_all_to_all_dispatch.cpp", kWorker, writes);
      words.insert(words.end(), {begun_, 0, kTokens});
      add_connections(words, program, chip);
      SetRuntimeArgs(program, writer, kWorker, words);
    }
    run(programs);
    for (unsigned chip = 0; chip < kChips; ++chip) {
      const Bytes got = output->read(chip), told = metadata->read(chip);
      for (std::uint32_t t = 0; t < kAll; ++t) {
        const bool here = std::any_of(chosen_[t].begin(), chosen_[t].end(),
                                      [&](std::uint16_t e) { return e / kLocal == chip; });
        const Bytes expected =
            here ? Bytes(tokens.begin() + t * kTokenBytes, tokens.begin() + (t + 1) * kTokenBytes)
                 : Bytes(kTokenBytes, 0xEE);
        EXPECT_TRUE(std::equal(expected.begin(), expected.end(), got.begin() + t * kTokenBytes))
            << page_by_page << ", chip " << chip << ", token " << t;
        EXPECT_EQ(std::memcmp(told.data() + t * kChoiceBytes, chosen_[t].data(), kChoiceBytes), 0)
            << page_by_page << ", chip " << chip << ", token " << t;
      }
    }
  }
}

// The experts' results return to the chip of each token, in the order of its choice.
TEST_F(PublishedExperts, Combine) {
  const auto input = pages(kLocal * kAll, kTokenBytes), metadata = pages(kAll, kChoiceBytes),
             output = pages(kChosen * kTokens, kTokenBytes);
  std::vector<Bytes> made;
  for (unsigned chip = 0; chip < kChips; ++chip) {
    made.push_back(some(kLocal * kAll * kTokenBytes));
    input->write(chip, made.back());
    std::vector<std::uint16_t> chosen;
    for (const auto& token : chosen_) chosen.insert(chosen.end(), token.begin(), token.end());
    metadata->write(chip, bytes_of(chosen));
    output->write(chip, Bytes(kChosen * kTokens * kTokenBytes, 0xEE));
  }
  const std::string kernels = kOperations + "all_to_all_combine/device/kernels/dataflow/";
  std::vector<Program> programs(kChips);
  for (unsigned chip = 0; chip < kChips; ++chip) {
    Program& program = programs[chip];
    buffer(program, 0, kLocal, kTokenBytes);
    buffer(program, 1, 1, 16);
    buffer(program, 2, 1, 16);
    buffer(program, 3, 1, 16);
    buffer(program, 4, 2, kHeader);
    Words args{1,        2,    3,           0,       kLocal,        kAll,         1,
               kExperts, chip, kTokenBytes, kChosen, kMappingBytes, kChoiceBytes, 0};
    for (const auto& tensor : {input, mapping_, metadata})
      TensorAccessorArgs(*tensor).append_to(args);
    const auto reader = CreateKernel(
        program, kernels + "reader_all_to_all_combine.cpp", kWorker,
        DataMovementConfig{
            .processor = DataMovementProcessor::RISCV_1, .noc = NOC::NOC_1, .compile_args = args});
    SetRuntimeArgs(program, reader, kWorker,
                   Words{address(mapping_), address(metadata), address(input), 0, kAll});
    args = {3,       2,      4,      0,    kAll,        1,
            kChosen, kLocal, kChips, chip, kTokenBytes, kL1Alignment,
            1,       kChips, 4096,   chip, kLinear,     0};
    TensorAccessorArgs(*output).append_to(args);
    DataMovementConfig writes{.processor = DataMovementProcessor::RISCV_0,
                              .noc = NOC::NOC_0,
                              .compile_args = args,
                              .defines = places_in_line(chip)};
    const auto writer =
        CreateKernel(program, kernels + "writer_all_to_all_combine.cpp", kWorker, writes);
    Words words{address(output), done_, begun_, 0, kAll};
    add_connections(words, program, chip);
    SetRuntimeArgs(program, writer, kWorker, words);
  }
  run(programs);
  for (unsigned chip = 0; chip < kChips; ++chip) {
    const Bytes got = output->read(chip);
    for (std::uint32_t t = 0; t < kTokens; ++t) {
      const std::uint32_t token = chip * kTokens + t;
      for (std::uint32_t k = 0; k < kChosen; ++k) {
        const std::uint32_t expert = chosen_[token][k];
        const auto from =
            made[expert / kLocal].begin() + (expert % kLocal * kAll + token) * kTokenBytes;
        EXPECT_TRUE(
            std::equal(from, from + kTokenBytes, got.begin() + (k * kTokens + t) * kTokenBytes))
            << "chip " << chip << ", token " << t << ", choice " << k;
      }
    }
  }
}

}  // namespace
}  // namespace tvp::runtime::published_experts_test
