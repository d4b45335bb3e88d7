#include "platform/checks/coprocessor/operand_formats.h"

#include <algorithm>
#include <string>

#include "foundation/contract/data_format.h"

namespace tvp::checks {

using Kind = ProbeEvent::Kind;

namespace {

struct Format {
  unsigned number;
  const char* name;
  unsigned bits;  ///< width of a datum, with a bit more for a shared exponent
  bool is_float;
};

constexpr unsigned number_of(DataFormat format) { return static_cast<unsigned>(format); }

constexpr Format kFormats[] = {
    {number_of(DataFormat::Float32), "Float32", 32, true},
    {number_of(DataFormat::Float16), "Float16", 16, true},
    {number_of(DataFormat::Bfp8), "Bfp8", 9, true},
    {number_of(DataFormat::Bfp4), "Bfp4", 5, true},
    {number_of(DataFormat::Tf32), "Tf32", 32, false},
    {number_of(DataFormat::Float16_b), "Float16_b", 16, true},
    {number_of(DataFormat::Bfp8_b), "Bfp8_b", 9, true},
    {number_of(DataFormat::Bfp4_b), "Bfp4_b", 5, true},
    {number_of(DataFormat::Int32), "Int32", 32, false},
    {number_of(DataFormat::UInt16), "UInt16", 16, false},
    {number_of(DataFormat::Lf8), "Lf8", 8, false},
    {number_of(DataFormat::Bfp2), "Bfp2", 3, true},
    {number_of(DataFormat::Int8), "Int8", 8, false},
    {number_of(DataFormat::Bfp2_b), "Bfp2_b", 3, true},
    {number_of(DataFormat::UInt32), "UInt32", 32, false},
    {number_of(DataFormat::UInt8), "UInt8", 8, false},
    {number_of(DataFormat::RawUInt8), "RawUInt8", 8, false},
    {number_of(DataFormat::RawUInt16), "RawUInt16", 16, false},
    {number_of(DataFormat::RawUInt32), "RawUInt32", 32, false},
};

const Format* format_of(unsigned number) {
  const auto* found = std::find_if(std::begin(kFormats), std::end(kFormats),
                                   [&](const Format& f) { return f.number == number; });
  return found == std::end(kFormats) ? nullptr : found;
}

/// True if a unit that is configured for `used` takes the bytes of `declared` as they are meant.
bool suits(unsigned declared, unsigned used) {
  if (declared == used) return true;
  const Format* const d = format_of(declared);
  const Format* const u = format_of(used);
  if (d == nullptr || u == nullptr) return true;
  return d->bits == u->bits && !(d->is_float && u->is_float);
}

bool is_packer(BusMaster agent) {
  return agent >= BusMaster::kPacker0 && agent <= BusMaster::kPacker3;
}

}  // namespace

Probe::Kinds OperandFormats::kinds() const {
  if (!tile_.looks_at_l1()) return 0;
  return Probe::bit(Kind::kProgramEnds) | Probe::bit(Kind::kBuffer) | Probe::bit(Kind::kUnpack) |
         Probe::bit(Kind::kWritten);
}

void OperandFormats::on(const ProbeEvent& event) {
  switch (event.kind) {
    case Kind::kProgramEnds:
      return buffers_.clear();
    case Kind::kBuffer: {
      const auto begin = static_cast<std::uint32_t>(event.address);
      if (event.packets != 0 && event.value != 0)
        buffers_.push_back(
            {event.index, begin, begin + event.packets * event.bytes, event.value - 1});
      return;
    }
    case Kind::kUnpack:
      return use(event, event.value - 1);
    default:
      if (is_packer(event.agent) && event.value != 0) use(event, event.value - 1);
  }
}

/// Buffers may share memory.
void OperandFormats::use(const ProbeEvent& event, unsigned format) {
  const Buffer* other = nullptr;
  for (const Buffer& buffer : buffers_) {
    if (event.address < buffer.begin || event.address >= buffer.end) continue;
    if (suits(buffer.format, format)) return;
    other = &buffer;
  }
  if (other != nullptr) [[unlikely]]
    report_use(event, *other, format);
}

void OperandFormats::report_use(const ProbeEvent& event, const Buffer& buffer, unsigned format) {
  const bool packs = event.kind == Kind::kWritten;
  const std::uint32_t pc = packs ? event.offered.pc : event.pc;
  const std::pair place(buffer.index, pc);
  if (std::find(reported_.begin(), reported_.end(), place) != reported_.end()) return;
  reported_.push_back(place);
  const std::string index = std::to_string(buffer.index);
  const bool is_a = event.agent == BusMaster::kUnpacker0;
  const std::string call = packs  ? "pack_reconfig_data_format("
                           : is_a ? "reconfig_data_format_srca("
                                  : "reconfig_data_format_srcb(";
  const BusMaster core = packs ? BusMaster::kT2 : BusMaster::kT0;
  warn(core, "circular buffer " + index + " is " + format_of(buffer.format)->name + ", and " +
                 (packs  ? "the packers are"
                  : is_a ? "the unpacker of SrcA is"
                         : "the unpacker of SrcB is") +
                 " configured for " + format_of(format)->name +
                 ", so the numbers are wrong on silicon, too. Call " + call + index + ") before" +
                 at(core, pc));
}

}  // namespace tvp::checks
