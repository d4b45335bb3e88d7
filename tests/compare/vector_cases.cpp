// Random sequences of vector unit instructions, which a kernel pushes unchanged.

#include "foundation/regs/tensix_opcodes.h"
#include "tests/compare/bench.h"
#include "tests/compare/case.h"

namespace tvp::compare {

namespace t = regs::tensix;
using runtime::DataFormat;
using Words = std::vector<std::uint32_t>;

namespace {

constexpr unsigned kCases = 160;
constexpr unsigned kOperations = 24;
constexpr unsigned kStoreFp32 = 3;
constexpr unsigned kStoreInt32 = 4;

/// Copies a tile of FP32 to Dst, executes words from L1 on the vector unit, and writes the tile
/// back as FP32.
constexpr const char* kSource = R"(
#include "api/compute/compute_kernel_api.h"
void kernel_main() {
  constexpr uint32_t a = 0, out = 16;
  init_sfpu(a, out);
  copy_tile_init(a);
  cb_wait_front(a, 1);
  cb_reserve_back(out, 1);
  tile_regs_acquire();
  copy_tile(a, 0, 0);
#if COMPILE_FOR_TRISC == 1
  namespace llk = tvp::llk;
  llk::stall<llk::kBlockVector, llk::kUntilMatrix>();
  const auto* words = reinterpret_cast<const volatile uint32_t*>(get_arg_val<uint32_t>(0));
  for (uint32_t i = 0; i < get_arg_val<uint32_t>(1); ++i) llk::push(words[i]);
#endif
  tile_regs_commit();
  tile_regs_wait();
  pack_tile(0, out);
  tile_regs_release();
  cb_push_back(out, 1);
}
)";

class Sequence {
 public:
  explicit Sequence(Random& random) : random_(random) {}

  Words draw() {
    // All lanes start enabled. LReg0 to 3 hold data, LReg4 to 7 random bits.
    emit(t::encode_sfpencc(3, 0, 10));
    for (unsigned i = 0; i < 4; ++i) emit(t::encode_sfpload(i, 3 + below(2), 0, 2 * below(30)));
    for (unsigned i = 4; i < 8; ++i) {
      emit(t::encode_sfploadi(i, 10, bits16()));
      emit(t::encode_sfploadi(i, 8, special_upper()));
      if (below(2) != 0) emit(t::encode_sfpxor(i - 4, i));
    }
    for (unsigned i = 0; i < kOperations; ++i) operation();
    emit(t::encode_sfpencc(3, 0, 10));
    for (unsigned i = 0; i < 8; ++i) {
      emit(t::encode_sfpstore(i, i % 2 == 0 ? kStoreFp32 : kStoreInt32, 0, 4 * i));
      emit(t::encode_sfpstore(i, i % 2 == 0 ? kStoreInt32 : kStoreFp32, 0, 4 * i + 2));
    }
    return words_;
  }

 private:
  unsigned below(unsigned bound) { return static_cast<unsigned>(random_() % bound); }
  unsigned reg() { return below(8); }
  unsigned source() { return below(5) == 0 ? 8 + below(3) : reg(); }
  std::uint32_t bits16() { return static_cast<std::uint32_t>(random_() & 0xFFFF); }
  /// Upper half of a number, often of a special one.
  std::uint32_t special_upper() {
    constexpr std::uint32_t kUppers[] = {0x0000, 0x8000, 0x7F80, 0xFF80, 0x007F,
                                         0x8001, 0x3F80, 0x7F7F, 0x0080, 0x7FC0};
    return below(2) == 0 ? bits16() : kUppers[below(std::size(kUppers))];
  }
  /// The modes of ttsim, and the one without a name.
  unsigned swap_mode() {
    constexpr unsigned kModes[] = {0, 1, 2, 3, 9};
    return kModes[below(std::size(kModes))];
  }
  void emit(std::uint32_t word) { words_.push_back(word); }
  void late(std::uint32_t word) {
    emit(word);
    emit(t::encode_sfpnop());
  }

  void operation() {
    switch (below(4)) {
      case 0:
        return arithmetic();
      case 1:
        return integer();
      case 2:
        return fields();
      default:
        return lanes();
    }
  }

  void arithmetic() {
    switch (below(6)) {
      case 0:
        return late(t::encode_sfpmad(source(), source(), source(), reg(), 0));
      case 1:
        return late(t::encode_sfpadd(10, source(), source(), reg(), 0));
      case 2:
        return late(t::encode_sfpmul(source(), source(), 9, reg(), 0));
      case 3:
        return late(t::encode_sfpaddi(special_upper(), reg(), 0));
      case 4:
        return late(t::encode_sfpmuli(special_upper(), reg(), 0));
      default:
        return late(t::encode_sfpswap(reg(), reg(), swap_mode()));
    }
  }

  void integer() {
    const unsigned imm = below(4096);
    switch (below(9)) {
      case 0:
        return emit(t::encode_sfpand(reg(), reg()));
      case 1:
        return emit(t::encode_sfpor(reg(), reg()));
      case 2:
        return emit(t::encode_sfpxor(reg(), reg()));
      case 3:
        return emit(t::encode_sfpnot(source(), reg()));
      case 4:
        return emit(t::encode_sfplz(source(), reg(), below(2) == 0 ? 0 : 4));
      case 5:
        return emit(t::encode_sfpabs(source(), reg(), below(2)));
      case 6:
        return emit(t::encode_sfpiadd(imm, source(), reg(), 5));
      case 7:
        return emit(t::encode_sfpiadd(0, source(), reg(), below(2) == 0 ? 4 : 6));
      default:
        return emit(t::encode_sfpshft((below(63) - 31) & 0xFFF, 0, reg(), 1));
    }
  }

  void fields() {
    const unsigned imm = below(256);
    const unsigned by_imm = below(2);
    switch (below(10)) {
      case 0:
        return emit(t::encode_sfpexexp(source(), reg(), below(2)));
      case 1:
        return emit(t::encode_sfpexman(source(), reg(), below(2)));
      case 2:
        return emit(t::encode_sfpsetexp(by_imm * imm, source(), reg(), by_imm));
      case 3:
        return emit(t::encode_sfpsetman(0, source(), reg(), 0));
      case 4:
        return emit(t::encode_sfpsetsgn(by_imm * below(2), source(), reg(), by_imm));
      case 5:  // the bits above the immediate extend its sign
        return emit(t::encode_sfpdivp2(imm, source(), reg(), by_imm) |
                    (imm >= 128 ? 0xF00000u : 0u));
      case 6:
        return emit(t::encode_sfpcast(source(), reg(), 0));
      case 7:
        return emit(t::encode_sfpstochrnd(0, 0, 0, source(), reg(), 0, 1));
      case 8:
        return emit(t::encode_sfpstochrnd(0, 0, 0, source(), reg(), 0, 2 + below(2)));
      default:
        return emit(t::encode_sfpstochrnd(0, 0, 0, source(), reg(), 0, 6 + below(2)));
    }
  }

  void lanes() {
    switch (below(6)) {
      case 0:
        return emit(t::encode_sfpmov(source(), reg(), below(3)));
      case 1:
        return emit(t::encode_sfptransp(0));
      case 2:
        return emit(t::encode_sfpsetcc(0, source(), 0, 2 * below(4)));
      case 3:
        return emit(t::encode_sfpencc(3, 0, 10));
      case 4:
        return emit(t::encode_sfploadi(reg(), below(2) == 0 ? 8 : 10, bits16()));
      default:
        return emit(t::encode_sfploadi(reg(), below(3) * 2, bits16()));
    }
  }

  Random& random_;
  Words words_;
};

}  // namespace

std::vector<Case> vector_cases() {
  std::vector<Case> cases;
  for (unsigned i = 0; i < kCases; ++i) {
    const Data data = kAllData[i % std::size(kAllData)];
    const auto run = [data](Bench& bench, Random& random) {
      const Words words = Sequence(random).draw();
      Bytes bytes(words.size() * 4);
      for (std::size_t k = 0; k < bytes.size(); ++k)
        bytes[k] = static_cast<std::uint8_t>(words[k / 4] >> 8 * (k % 4));
      const auto program = bench.in_l1({0, 0}, bytes);
      return bench.run(
          {.source = kSource,
           .fp32_dst = true,
           .fidelity = runtime::MathFidelity::HiFi4,
           .operands = {{DataFormat::Float32, draw_tile(DataFormat::Float32, data, random)}},
           .result = DataFormat::Float32,
           .result_tiles = 1,
           .args = {static_cast<std::uint32_t>(program->address()),
                    static_cast<std::uint32_t>(words.size())}});
    };
    cases.push_back({"vector." + std::string(name_of(data)) + "." + std::to_string(i), run});
  }
  return cases;
}

}  // namespace tvp::compare
