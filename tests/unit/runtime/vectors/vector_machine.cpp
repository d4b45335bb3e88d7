#include "tests/unit/runtime/vectors/vector_machine.h"

#include <algorithm>
#include <bit>
#include <sstream>
#include <stdexcept>

#include "foundation/regs/tensix_opcodes.h"

namespace tvp::runtime::vectors::test {

namespace op = regs::tensix;
using Word = std::uint32_t;

namespace {

constexpr unsigned kAll = (1u << VectorMachine::kLanes) - 1;

float number(Word bits) { return std::bit_cast<float>(bits); }
/// SFPMAD.md: no result is a negative zero.
Word bits_of(float value) { return value == 0 ? 0 : std::bit_cast<Word>(value); }
std::int32_t extended12(Word value) { return static_cast<std::int32_t>(value << 20) >> 20; }
Word shifted(Word x, std::int32_t by) { return by >= 0 ? x << (by & 31) : x >> (-by & 31); }

}  // namespace

VectorMachine::VectorMachine(std::string_view assembly) {
  std::istringstream text{std::string(assembly)};
  for (std::string raw; std::getline(text, raw);) {
    std::replace(raw.begin(), raw.end(), ',', ' ');
    std::istringstream words(raw);
    Line line;
    std::string word;
    if (!(words >> word)) continue;
    if (word.back() == ':') {
      line.label = word.substr(0, word.size() - 1);
      word.clear();
      words >> word;
    }
    line.mnemonic = word;
    while (words >> word) line.operands.push_back(word);
    lines_.push_back(std::move(line));
  }
}

std::vector<VectorMachine::Store> VectorMachine::run(std::string_view assembly) {
  VectorMachine machine(assembly);
  machine.jump("work");
  machine.execute();
  return machine.stores_;
}

std::uint32_t VectorMachine::datum(std::uint32_t row, int lane) {
  const Word mixed = (row * 0x9E3779B9u) ^ (static_cast<Word>(lane + 1) * 0x85EBCA6Bu);
  // Rows from 512 on hold floats of small whole numbers.
  return row < 512 ? mixed : bits_of(static_cast<float>(static_cast<int>(mixed >> 13 & 7) - 4));
}

void VectorMachine::jump(const std::string& label) {
  for (next_ = 0; next_ < lines_.size(); ++next_)
    if (lines_[next_].label == label) return;
  throw std::runtime_error("no label " + label);
}

VectorMachine::Vector VectorMachine::constant(unsigned number) {
  Vector v;
  v.undefined = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    Word& bits = v.lanes[static_cast<std::size_t>(lane)];
    bits = number == 10   ? 0x3F800000
           : number == 11 ? 0xBF800000
           : number == 15 ? 2 * static_cast<Word>(lane)
                          : 0;
  }
  return v;
}

std::string VectorMachine::place(Word word, int bit, const std::vector<Field>& fields) {
  for (const Field& field : fields)
    if (field.bit == bit) return field.place;
  return "L" + std::to_string(word >> bit & 15);
}

VectorMachine::Vector VectorMachine::read(Word word, int bit,
                                          const std::vector<Field>& fields) const {
  const std::string from = place(word, bit, fields);
  if (from == too_early_) throw std::runtime_error(from + " is read before it is written");
  if (from[0] == 'L' && std::stoi(from.substr(1)) >= 8)
    return constant(static_cast<unsigned>(std::stoi(from.substr(1))));
  const auto found = places_.find(from);
  return found == places_.end() ? Vector{} : found->second;
}

void VectorMachine::write(Word word, int bit, const std::vector<Field>& fields, const Vector& value,
                          unsigned lanes) {
  Vector& to = places_[place(word, bit, fields)];
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    to.lanes[lane] = value.lanes[lane];
    to.undefined = (to.undefined & ~(1u << lane)) | (value.undefined & 1u << lane);
  }
}

void VectorMachine::issue(Word word, const std::vector<Field>& fields) {
  perform(word, fields);
  too_early_.clear();
  switch (static_cast<op::Opcode>(word >> 24)) {
    case op::Opcode::kSfpmad:
    case op::Opcode::kSfpadd:
    case op::Opcode::kSfpmul:
    case op::Opcode::kSfpmuli:
    case op::Opcode::kSfpaddi:
      too_early_ = place(word, 4, fields);
      break;
    default:
      break;
  }
  // Only registers of the vector unit have latency; integer registers have none.
  if (!too_early_.starts_with('L')) too_early_.clear();
}

void VectorMachine::perform(Word word, const std::vector<Field>& fields) {
  const auto opcode = static_cast<op::Opcode>(word >> 24);
  const Word mod = word & 15;
  const auto at = [&](int bit) { return read(word, bit, fields); };
  /// Computes lane by lane from up to four sources. Undefined lanes of a source are undefined in
  /// the result.
  const auto compute = [&](int to, std::initializer_list<int> from, auto function) {
    std::vector<Vector> sources;
    Vector result;
    result.undefined = 0;
    for (const int bit : from) {
      sources.push_back(at(bit));
      result.undefined |= sources.back().undefined;
    }
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      std::array<Word, 4> x{};
      for (std::size_t i = 0; i < sources.size(); ++i) x[i] = sources[i].lanes[lane];
      result.lanes[lane] = function(x, static_cast<int>(lane));
    }
    write(word, to, fields, result, flags_);
    return result;
  };
  const auto set_flags = [&](const Vector& v, auto test) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if ((flags_ >> lane & 1) == 0) continue;
      if (!test(static_cast<std::int32_t>(v.lanes[lane]))) flags_ &= ~(1u << lane);
    }
  };
  const Word imm12 = word >> 12 & 0xFFF, imm16 = word & 0xFFFF;
  using X = std::array<Word, 4>;
  switch (opcode) {
    case op::Opcode::kSfpnop:
      return;
    case op::Opcode::kSfpload:
      compute(20, {}, [&](X, int lane) { return datum(word & 0x3FF, lane); });
      return;
    case op::Opcode::kSfpstore:
      stores_.push_back({word & 0x3FF, flags_, at(20)});
      return;
    case op::Opcode::kSfploadi: {
      const Word mode = word >> 16 & 15;
      if (mode == 8 || mode == 10) {
        compute(20, {20}, [&](X x, int) {
          return mode == 8 ? (x[0] & 0xFFFF) | imm16 << 16 : (x[0] & 0xFFFF0000) | imm16;
        });
        return;
      }
      if (mode == 1) throw std::runtime_error("SFPLOADI of FP16");
      compute(20, {}, [&](X, int) {
        return mode == 0   ? imm16 << 16
               : mode == 2 ? imm16
                           : static_cast<Word>(static_cast<std::int32_t>(imm16 << 16) >> 16);
      });
      return;
    }
    case op::Opcode::kSfpmov:
      if (mod == 2) return write(word, 4, fields, at(8), kAll);
      compute(4, {8}, [&](X x, int) { return mod == 1 ? x[0] ^ 0x80000000 : x[0]; });
      return;
    case op::Opcode::kSfpand:
      compute(4, {8, 4}, [](X x, int) { return x[0] & x[1]; });
      return;
    case op::Opcode::kSfpor:
      compute(4, {8, 4}, [](X x, int) { return x[0] | x[1]; });
      return;
    case op::Opcode::kSfpxor:
      compute(4, {8, 4}, [](X x, int) { return x[0] ^ x[1]; });
      return;
    case op::Opcode::kSfpnot:
      compute(4, {8}, [](X x, int) { return ~x[0]; });
      return;
    case op::Opcode::kSfplz:
      compute(4, {8}, [](X x, int) { return static_cast<Word>(std::countl_zero(x[0])); });
      return;
    case op::Opcode::kSfpshft:
      if ((mod & 1) == 0) {
        compute(4, {8, 4}, [](X x, int) { return shifted(x[1], static_cast<std::int32_t>(x[0])); });
      } else {
        compute(4, {4}, [&](X x, int) { return shifted(x[0], extended12(imm12)); });
      }
      return;
    case op::Opcode::kSfpiadd: {
      const Vector r =
          (mod & 1) != 0
              ? compute(4, {8},
                        [&](X x, int) { return x[0] + static_cast<Word>(extended12(imm12)); })
              : compute(4, {8, 4},
                        [&](X x, int) { return (mod & 2) != 0 ? x[0] - x[1] : x[0] + x[1]; });
      if ((mod & 4) == 0) set_flags(r, [&](std::int32_t x) { return (x < 0) != ((mod & 8) != 0); });
      return;
    }
    case op::Opcode::kSfpsetcc:
      return set_flags(at(8), [&](std::int32_t x) {
        return mod == 0 ? x < 0 : mod == 2 ? x != 0 : mod == 4 ? x >= 0 : x == 0;
      });
    case op::Opcode::kSfpmad:
    case op::Opcode::kSfpadd:
    case op::Opcode::kSfpmul:
      compute(4, {16, 12, 8},
              [](X x, int) { return bits_of(number(x[0]) * number(x[1]) + number(x[2])); });
      return;
    // For tables, a function of all registers that they read is enough to detect a wrong one.
    case op::Opcode::kSfplut:
    case op::Opcode::kSfplutfp32: {
      const bool whole = opcode == op::Opcode::kSfplutfp32;
      Vector result;
      result.undefined = 0;
      for (int reg = 0; reg < (whole ? 8 : 4); ++reg) {
        const Vector from = read(static_cast<Word>(reg), 0, {});
        result.undefined |= from.undefined;
        for (std::size_t lane = 0; lane < kLanes; ++lane)
          result.lanes[lane] = 31 * result.lanes[lane] + from.lanes[lane];
      }
      return write(word, whole ? 4 : 20, fields, result, flags_);
    }
    case op::Opcode::kSfpmuli:
      compute(4, {4}, [&](X x, int) {
        return bits_of(number(x[0]) * number((word >> 8 & 0xFFFF) << 16) + 0.0F);
      });
      return;
    case op::Opcode::kSfpaddi:
      compute(4, {4},
              [&](X x, int) { return bits_of(number(x[0]) + number((word >> 8 & 0xFFFF) << 16)); });
      return;
    case op::Opcode::kSfppushc:
      stack_.push_back(flags_);
      return;
    case op::Opcode::kSfppopc:
      flags_ = stack_.back();
      stack_.pop_back();
      return;
    case op::Opcode::kSfpcompc:
      flags_ = (stack_.empty() ? kAll : stack_.back()) & ~flags_;
      return;
    default:
      throw std::runtime_error("an instruction with opcode " + std::to_string(word >> 24));
  }
}

std::vector<VectorMachine::Field> VectorMachine::fields_of(const std::vector<std::string>& operands,
                                                           std::size_t first) {
  std::vector<Field> fields;
  for (std::size_t i = first; i < operands.size(); ++i) {
    const std::size_t equals = operands[i].find('=');
    fields.push_back(
        {std::stoi(operands[i].substr(1, equals - 1)), operands[i].substr(equals + 1)});
  }
  return fields;
}

void VectorMachine::execute() {
  for (int steps = 0; steps < 100000; ++steps) {
    const Line& line = lines_.at(next_++);
    const auto& o = line.operands;
    const std::string& m = line.mnemonic;
    if (m == "ret") return;
    if (m.empty() || m == ".loc" || m == ".file" || m == ".type") continue;
    if (m == ".word") {
      const auto word = static_cast<Word>(std::stoul(o[0], nullptr, 0));
      issue(word >> 2 | word << 30, {});
    } else if (m == "sfpi.issue") {
      issue(static_cast<Word>(std::stoul(o[0])), fields_of(o, 1));
    } else if (m == "sfpi.store") {  // the core stores the word to a port
      issue(static_cast<Word>(scalars_.at(o[1])), fields_of(o, 4));
    } else if (m == "sfpi.constant") {
      places_[o[1]] = constant(static_cast<unsigned>(std::stoi(o[0])));
    } else if (m == "sfpi.get") {
      places_[o[1]] = places_["L" + o[0]];
    } else if (m == "sfpi.set") {
      places_["L" + o[0]] = places_[o[1]];
    } else if (m == "sfpi.undefined") {
      places_[o[0]] = Vector{};
    } else if (m == "sfpi.assign") {
      const Vector from = places_[o[1]];
      write(0, 0, {{0, o[0]}}, from, flags_);
    } else if (m == "mv" || m == "lw") {
      places_[o[0]] = places_[o[1]];
    } else if (m == "sw" && !o[1].ends_with("(sp)")) {
      issue(static_cast<Word>(scalars_.at(o[0])), {});
    } else if (m == "sw") {
      places_[o[1]] = places_[o[0]];
    } else if (m == "li") {
      scalars_[o[0]] = std::stoi(o[1]);
    } else if (m == "addi") {
      scalars_[o[0]] = scalars_[o[1]] + std::stoi(o[2]);
    } else if (m == "add") {
      scalars_[o[0]] = scalars_[o[1]] + scalars_[o[2]];
    } else if (m == "j") {
      jump(o[0]);
    } else if (m == "bnez" || m == "beqz") {
      if ((scalars_[o[0]] != 0) == (m == "bnez")) jump(o[1]);
    } else {
      throw std::runtime_error("unknown line " + m);
    }
  }
  throw std::runtime_error("does not end");
}

}  // namespace tvp::runtime::vectors::test
