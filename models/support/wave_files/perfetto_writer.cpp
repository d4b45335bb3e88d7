#include "models/support/wave_files/perfetto_writer.h"

#include <zlib.h>

#include "foundation/fault.h"
#include "foundation/utf8.h"
#include "models/support/wave_files/signal_path.h"

namespace tvp::support {

namespace {

// Numbers of fields in perfetto/trace/*.proto.
namespace trace {
constexpr unsigned kPacket = 1;
}
namespace trace_packet {
constexpr unsigned kTimestamp = 8;
constexpr unsigned kSequence = 10;
constexpr unsigned kTrackEvent = 11;
constexpr unsigned kInternedData = 12;
constexpr unsigned kSequenceFlags = 13;
constexpr unsigned kCompressedPackets = 50;
constexpr unsigned kTrackDescriptor = 60;
constexpr std::uint64_t kStateCleared = 1;
constexpr std::uint64_t kNeedsState = 2;
}  // namespace trace_packet
namespace track_event {
constexpr unsigned kType = 9;
constexpr unsigned kNameNumber = 10;
constexpr unsigned kTrack = 11;
constexpr unsigned kCounterValue = 30;
constexpr unsigned kFlowIds = 47;
constexpr unsigned kTerminatingFlowIds = 48;
constexpr std::uint64_t kSliceBegin = 1;
constexpr std::uint64_t kSliceEnd = 2;
constexpr std::uint64_t kInstant = 3;
constexpr std::uint64_t kCounter = 4;
}  // namespace track_event
namespace track_descriptor {
constexpr unsigned kNumber = 1;
constexpr unsigned kName = 2;
constexpr unsigned kProcess = 3;
constexpr unsigned kParent = 5;
constexpr unsigned kCounter = 8;
constexpr unsigned kProcessId = 1;
constexpr unsigned kProcessName = 6;
}  // namespace track_descriptor
namespace interned_data {
constexpr unsigned kEventNames = 2;
constexpr unsigned kNumber = 1;
constexpr unsigned kName = 2;
}  // namespace interned_data

constexpr std::size_t kBlockBytes = 1 << 20;

void put_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

void put(std::string& out, unsigned field, std::uint64_t value) {
  put_varint(out, field << 3);
  put_varint(out, value);
}

void put(std::string& out, unsigned field, const std::string& content) {
  constexpr unsigned kLengthDelimited = 2;
  put_varint(out, field << 3 | kLengthDelimited);
  put_varint(out, content.size());
  out += content;
}

std::string fixed64(unsigned field, std::uint64_t value) {
  constexpr unsigned kFixed64 = 1;
  std::string out;
  put_varint(out, field << 3 | kFixed64);
  for (unsigned i = 0; i < 8; ++i) out += static_cast<char>(value >> (8 * i));
  return out;
}

/// The tile of a row: "chip0 tensix_1_2" of "chip0.tensix_1_2.BRISC.state", "unit5" of
/// "unit5.core.state". Rows of chips and devices have the tile or worker in their second part.
std::size_t group_length(const std::string& path) {
  const std::size_t dot = path.find('.');
  if (dot == std::string::npos) return 0;
  const std::size_t second = path.find('.', dot + 1);
  const bool has_tiles = path.starts_with("chip") || path.starts_with("device");
  return has_tiles && second != std::string::npos ? second : dot;
}

}  // namespace

PerfettoWriter::PerfettoWriter(const std::string& file) : file_(file) {}

std::string PerfettoWriter::packet(const std::string& content) {
  std::string whole, out;
  put(whole, trace_packet::kSequence, 1);
  put(whole, trace_packet::kSequenceFlags,
      is_first_ ? trace_packet::kStateCleared : trace_packet::kNeedsState);
  is_first_ = false;
  whole += content;
  put(out, trace::kPacket, whole);
  return out;
}

void PerfettoWriter::add(const std::string& packets) {
  packets_ += packets;
  if (packets_.size() > kBlockBytes) compress();
}

void PerfettoWriter::compress() {
  if (packets_.empty()) return;
  uLongf bytes = compressBound(packets_.size());
  std::string block(bytes, '\0');
  if (::compress2(reinterpret_cast<Bytef*>(block.data()), &bytes,
                  reinterpret_cast<const Bytef*>(packets_.data()), packets_.size(),
                  Z_BEST_COMPRESSION) != Z_OK)
    throw foundation::Fault(foundation::FaultKind::kInternal, file_.path(),
                            "a block of the trace cannot be compressed");
  block.resize(bytes);
  packets_.clear();
  std::string whole, out;
  put(whole, trace_packet::kCompressedPackets, block);
  put(out, trace::kPacket, whole);
  file_.write(out);
}

std::uint64_t PerfettoWriter::group_of(const std::string& group) {
  std::uint64_t& track = groups_[group];
  if (track != 0) return track;
  track = ++tracks_;
  std::string process, descriptor, content;
  put(process, track_descriptor::kProcessId, groups_.size());
  put(process, track_descriptor::kProcessName, group);
  put(descriptor, track_descriptor::kNumber, track);
  put(descriptor, track_descriptor::kProcess, process);
  put(content, trace_packet::kTrackDescriptor, descriptor);
  add(packet(content));
  return track;
}

std::uint64_t PerfettoWriter::track_of(const std::string& path, bool is_counter) {
  const std::size_t length = group_length(path);
  std::string group = length == 0 ? "system" : path.substr(0, length);
  if (const std::size_t dot = group.find('.'); dot != std::string::npos) group[dot] = ' ';
  const std::uint64_t parent = group_of(group);
  const std::uint64_t track = ++tracks_;
  std::string descriptor, content;
  put(descriptor, track_descriptor::kNumber, track);
  put(descriptor, track_descriptor::kParent, parent);
  put(descriptor, track_descriptor::kName, length == 0 ? path : path.substr(length + 1));
  if (is_counter) put(descriptor, track_descriptor::kCounter, std::string());
  put(content, trace_packet::kTrackDescriptor, descriptor);
  add(packet(content));
  return track;
}

void PerfettoWriter::declare(const SignalInfo& signal) {
  Row row;
  row.leaf = name_of(signal.path);
  row.rest = signal.rest;
  row.width = signal.kind == SignalInfo::Kind::kBits ? signal.width : 0;
  row.track = track_of(signal.path, row.width > 1);
  rows_.push_back(row);
}

std::uint64_t PerfettoWriter::name_number(const std::string& name) {
  std::uint64_t& number = names_[name];
  if (number != 0) return number;
  number = names_.size();
  std::string entry, interned, content;
  put(entry, interned_data::kNumber, number);
  put(entry, interned_data::kName, foundation::valid_utf8(name));
  put(interned, interned_data::kEventNames, entry);
  put(content, trace_packet::kInternedData, interned);
  add(packet(content));
  return number;
}

std::string PerfettoWriter::event(std::uint64_t time_ps, std::uint64_t type, std::uint64_t track,
                                  const std::string& name, const std::string& fields) {
  std::string body, content;
  put(body, track_event::kType, type);
  put(body, track_event::kTrack, track);
  if (!name.empty()) put(body, track_event::kNameNumber, name_number(name));
  body += fields;
  put(content, trace_packet::kTrackEvent, body);
  put(content, trace_packet::kTimestamp, time_ps / 1000);
  return packet(content);
}

/// Ends the current slice of a row and begins another one.
void PerfettoWriter::begin(std::uint64_t time_ps, std::uint32_t signal, const std::string& name) {
  Row& row = rows_[signal];
  if (row.open) row.events += event(time_ps, track_event::kSliceEnd, row.track, "");
  row.open = !name.empty();
  if (row.open) row.events += event(time_ps, track_event::kSliceBegin, row.track, name);
}

void PerfettoWriter::bits(std::uint64_t time_ps, std::uint32_t signal, std::uint64_t value) {
  Row& row = rows_[signal];
  if (row.width == 1) return begin(time_ps, signal, value != 0 ? row.leaf : "");
  std::string fields;
  put(fields, track_event::kCounterValue, value);
  row.events += event(time_ps, track_event::kCounter, row.track, "", fields);
}

void PerfettoWriter::text(std::uint64_t time_ps, std::uint32_t signal, const std::string& value) {
  begin(time_ps, signal, value == rows_[signal].rest ? "" : value);
}

void PerfettoWriter::arrow(const WaveArrow& arrow) {
  const auto track = [&](const std::string& path) {
    std::uint64_t& known = arrow_tracks_[path];
    if (known == 0) known = track_of(path, false);
    return known;
  };
  ++arrows_;
  add(event(arrow.sent_ps, track_event::kInstant, track(arrow.from), arrow.name,
            fixed64(track_event::kFlowIds, arrows_)) +
      event(arrow.arrived_ps, track_event::kInstant, track(arrow.to), arrow.name,
            fixed64(track_event::kTerminatingFlowIds, arrows_)));
}

void PerfettoWriter::close(std::uint64_t time_ps) {
  for (std::uint32_t i = 0; i < rows_.size(); ++i) begin(time_ps, i, "");
  for (const Row& row : rows_) add(row.events);
  compress();
  file_.close();
}

}  // namespace tvp::support
