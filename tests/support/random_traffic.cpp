#include "tests/support/random_traffic.h"

#include <algorithm>
#include <cstring>

#include "foundation/hex.h"
#include "tests/support/report_recorder.h"

namespace tvp::tests {

using sc_core::sc_time;
using sc_core::SC_ZERO_TIME;
using Payload = tlm::tlm_generic_payload;
using Status = tlm::tlm_response_status;

namespace {

constexpr std::uint64_t kPageBytes = 4096;
constexpr std::size_t kGuard = 16;  ///< bytes around the data that no target may touch
constexpr std::uint8_t kGuardByte = 0xA5;

TLM_DECLARE_EXTENDED_PHASE(PHASE_OF_ANOTHER_PROTOCOL);

std::string name_of(Status status) {
  Payload payload;
  payload.set_response_status(status);
  return payload.get_response_string();
}

}  // namespace

struct RandomTraffic::Note : tlm::tlm_extension<Note> {
  unsigned value = 0;
  tlm::tlm_extension_base* clone() const override { return new Note(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const Note&>(other);
  }
};

struct RandomTraffic::Transaction : Payload {
  explicit Transaction(tlm::tlm_mm_interface* manager) : Payload(manager) {}
  std::vector<std::uint8_t> bytes;     ///< data between guards
  std::vector<std::uint8_t> expected;  ///< the same after the transaction
  std::vector<std::uint8_t> enables;
  std::vector<std::uint8_t> sent_enables;
  std::set<Status> allowed;
  std::uint64_t first = 0;  ///< address and bytes, even if the attributes are illegal
  unsigned size = 0;
  bool legal = true;
  bool wild = false;
  bool noted = false;
  Note note;
};

RandomTraffic::RandomTraffic(const sc_core::sc_module_name& name, TrafficRules rules,
                             std::uint64_t seed, std::uint64_t count)
    : sc_module(name),
      checker_("checker", [] { return sc_core::sc_time_stamp(); }),
      to_checker_("to_checker"),
      rules_(std::move(rules)),
      seed_(seed),
      count_(count),
      random_(seed) {
  SC_HAS_PROCESS(RandomTraffic);
  checker_.complain = [this](const std::string& text) { complaints_.push_back(text); };
  to_checker_.bind(checker_.from_initiator);
  to_checker_.register_nb_transport_bw(this, &RandomTraffic::backward);
  to_checker_.register_invalidate_direct_mem_ptr(this, &RandomTraffic::invalidate);
  SC_THREAD(run);
  SC_METHOD(end_responses);
  sensitive << end_due_;
  dont_initialize();
}

RandomTraffic::~RandomTraffic() = default;

void RandomTraffic::fail(const std::string& what) {
  ADD_FAILURE() << name() << " (seed " << seed_ << ", transaction " << number_ << ", "
                << sc_core::sc_time_stamp() << "): " << what;
  failed_ = true;
}

/// The checker sees illegal transactions only on the backward path, where it does not know them.
void RandomTraffic::flush_complaints(bool legal) {
  const std::vector<std::string> complaints = std::exchange(complaints_, {});
  if (!legal) return;
  for (const std::string& complaint : complaints) fail(complaint);
}

void RandomTraffic::run() {
  wait(SC_ZERO_TIME);
  prepare();
  while (number_ < count_ && !failed_) {
    ++number_;
    step();
  }
  settle(0);
  finished_ = !failed_;
}

void RandomTraffic::prepare() {
  for (const auto& [address, word] : rules_.setup) {
    write(address, reinterpret_cast<const std::uint8_t*>(&word), sizeof word);
  }
  const std::vector<std::uint8_t> zeros(rules_.longest);
  for (const TrafficRules::Range& range : rules_.memory) {
    for (std::uint64_t done = 0; done < range.bytes; done += zeros.size()) {
      const std::uint64_t part = std::min<std::uint64_t>(range.bytes - done, zeros.size());
      write(range.address + done, zeros.data(), static_cast<unsigned>(part));
    }
  }
}

void RandomTraffic::write(std::uint64_t address, const std::uint8_t* data, unsigned bytes) {
  Transaction& t = make();
  t.bytes.assign(data, data + bytes);
  t.set_command(tlm::TLM_WRITE_COMMAND);
  t.set_address(address);
  t.set_data_ptr(t.bytes.data());
  t.set_data_length(bytes);
  t.set_streaming_width(bytes);
  sc_time delay;
  to_checker_->b_transport(t, delay);
  wait(delay);
  if (!t.is_response_ok())
    fail("first write to " + foundation::hex(address) + ": " + name_of(t.get_response_status()));
  flush_complaints(true);
  t.release();
}

void RandomTraffic::step() {
  const unsigned kind = random_.below(100);
  if (kind < 40 || (kind < 85 && !rules_.approximate)) {
    blocking(make());
  } else if (kind < 85) {
    phased(make());
  } else if (kind < 90) {
    debug();
  } else if (kind < 94) {
    direct();
  } else if (kind < 97 && rules_.illegal && rules_.approximate) {
    wrong_phase();
  } else {
    wait(sc_time(double(random_.below(400)), sc_core::SC_NS));
  }
}

sc_time RandomTraffic::random_delay() {
  const unsigned kind = random_.below(20);
  if (kind < 10) return SC_ZERO_TIME;
  return sc_time::from_value(random_.below(kind < 19 ? 20'000 : 1'000'000));  // ps
}

RandomTraffic::Transaction& RandomTraffic::make() {
  if (free_.empty()) {
    tlm::tlm_mm_interface* const manager = this;
    all_.push_back(std::make_unique<Transaction>(manager));
    free_.push_back(all_.back().get());
  }
  Transaction& t = *free_.back();
  free_.pop_back();
  t.acquire();
  t.legal = true;
  t.wild = false;
  t.noted = false;
  t.allowed.clear();
  t.set_byte_enable_ptr(nullptr);
  t.set_byte_enable_length(0);
  t.set_dmi_allowed(false);
  t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  return t;
}

void RandomTraffic::free(Payload* payload) {
  auto* const t = static_cast<Transaction*>(payload);
  if (t->noted) t->clear_extension(&t->note);
  free_.push_back(t);
}

bool RandomTraffic::in_memory(std::uint64_t address, std::uint64_t bytes) const {
  return std::any_of(rules_.memory.begin(), rules_.memory.end(), [&](const auto& range) {
    return address >= range.address && bytes <= range.bytes &&
           address - range.address <= range.bytes - bytes;
  });
}

std::uint8_t& RandomTraffic::golden(std::uint64_t address) {
  std::vector<std::uint8_t>& page = pages_[address / kPageBytes];
  if (page.empty()) page.resize(kPageBytes);
  return page[address % kPageBytes];
}

void RandomTraffic::choose_address(Transaction& t) {
  const unsigned kind = random_.below(64);
  unsigned size = 1 + random_.below(rules_.longest);
  if (random_.below(4) == 0) size = std::min(1U << random_.below(7), rules_.longest);
  if (random_.below(64) == 0) size = rules_.maximal;
  t.size = size;
  if (kind < 4 && !rules_.absent.empty()) {
    t.first = rules_.absent[random_.below(rules_.absent.size())] + random_.below(128);
    t.size = std::min(size, 128U);
    return;
  }
  t.wild = (kind < 8 && !rules_.wild.empty()) || rules_.memory.empty();
  const auto& ranges = t.wild ? rules_.wild : rules_.memory;
  const TrafficRules::Range& range = ranges[random_.below(ranges.size())];
  t.size = static_cast<unsigned>(std::min<std::uint64_t>(size, range.bytes));
  if (kind < 12 && range.ends && !t.wild) {  // over the end, also that of the address space
    t.first = range.address + range.bytes - random_.below(t.size);
    if (kind == 8) t.first = ~std::uint64_t{0} - random_.below(t.size);
    return;
  }
  const std::uint64_t room = range.bytes - t.size;
  std::uint64_t offset = room == 0 ? 0 : random_.next() % (room + 1);
  const unsigned place = random_.below(8);
  if (place == 0) offset = 0;
  if (place == 1) offset = room;
  if (place == 2) {  // over the edge of a page
    const std::uint64_t edge = offset / kPageBytes * kPageBytes;
    offset = edge - std::min<std::uint64_t>(edge, random_.below(t.size));
  }
  if (place == 3) offset = offset / 4 * 4;
  t.first = range.address + std::min(offset, room);
}

void RandomTraffic::choose_attributes(Transaction& t) {
  choose_address(t);
  const unsigned command = random_.below(32);
  t.set_command(command == 0                                      ? tlm::TLM_IGNORE_COMMAND
                : command < 17 || (t.wild && !rules_.wild_writes) ? tlm::TLM_READ_COMMAND
                                                                  : tlm::TLM_WRITE_COMMAND);
  t.bytes.resize(t.size + 2 * kGuard);
  for (std::uint8_t& byte : t.bytes) byte = static_cast<std::uint8_t>(random_.next());
  std::fill_n(t.bytes.begin(), kGuard, kGuardByte);
  std::fill_n(t.bytes.end() - kGuard, kGuard, kGuardByte);
  t.set_address(t.first);
  t.set_data_ptr(t.bytes.data() + kGuard);
  t.set_data_length(t.size);
  t.set_streaming_width(random_.below(8) == 0 ? t.size + random_.below(100) : t.size);
  t.enables.clear();
  if (random_.below(4) == 0 && (rules_.byte_enables || rules_.illegal)) {
    // The length need not divide that of the data, and may be longer.
    const unsigned length = 1 + random_.below(random_.below(4) == 0 ? 2 * t.size : 9);
    for (unsigned i = 0; i < length; ++i) {
      t.enables.push_back(random_.below(2) == 0 ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED);
    }
    t.set_byte_enable_ptr(t.enables.data());
    t.set_byte_enable_length(length);
    if (!rules_.byte_enables && !t.is_read() && !t.is_write()) {
      t.set_byte_enable_ptr(nullptr);
    } else if (!rules_.byte_enables) {
      t.allowed.insert(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    }
  }
  t.sent_enables = t.enables;
  if (random_.below(2) == 0) {
    t.note.value = static_cast<unsigned>(number_);
    t.noted = true;
    t.set_extension(&t.note);
  }
  if (!t.wild && !in_memory(t.first, t.size)) {
    t.allowed.insert(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
}

void RandomTraffic::make_illegal(Transaction& t) {
  t.legal = false;
  switch (random_.below(6)) {
    case 0:
      // Larger values would be undefined behavior of C++: they need more bits than the enumerators.
      t.set_command(static_cast<tlm::tlm_command>(3));
      t.allowed.insert(tlm::TLM_COMMAND_ERROR_RESPONSE);
      break;
    case 1:
      t.set_data_length(0);
      t.allowed.insert(tlm::TLM_BURST_ERROR_RESPONSE);
      break;
    case 2:
      t.set_streaming_width(random_.below(t.size));
      t.allowed.insert(tlm::TLM_BURST_ERROR_RESPONSE);
      break;
    case 3:
      t.sent_enables = t.enables = {TLM_BYTE_ENABLED};
      t.set_byte_enable_ptr(t.enables.data());
      t.set_byte_enable_length(0);
      t.allowed.insert(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
      break;
    case 4:
      t.set_data_ptr(nullptr);
      t.allowed.insert(tlm::TLM_GENERIC_ERROR_RESPONSE);
      break;
    default:
      t.set_data_ptr(nullptr);
      t.set_data_length(0);
      t.allowed.insert(tlm::TLM_BURST_ERROR_RESPONSE);
      t.allowed.insert(tlm::TLM_GENERIC_ERROR_RESPONSE);
  }
}

/// Fills in what the transaction must return, and updates the copy of the memory.
void RandomTraffic::expect(Transaction& t) {
  const bool ignored = t.get_command() == tlm::TLM_IGNORE_COMMAND;
  if (ignored || t.allowed.empty()) t.allowed.insert(tlm::TLM_OK_RESPONSE);
  t.expected = t.bytes;
  if (t.wild || ignored || !t.allowed.contains(tlm::TLM_OK_RESPONSE)) return;
  for (unsigned i = 0; i < t.size; ++i) {
    if (!t.enables.empty() && t.enables[i % t.enables.size()] != TLM_BYTE_ENABLED) continue;
    if (t.is_write()) {
      golden(t.first + i) = t.bytes[kGuard + i];
    } else {
      t.expected[kGuard + i] = golden(t.first + i);
    }
  }
}

bool RandomTraffic::overlaps_open(const Transaction& t) const {
  return std::any_of(open_.begin(), open_.end(), [&](const Transaction* other) {
    return t.first < other->first + other->size && other->first < t.first + t.size;
  });
}

/// Checks an answer.
void RandomTraffic::finish(Transaction& t) {
  const Status status = t.get_response_status();
  const std::string what = (t.is_write()  ? "write of "
                            : t.is_read() ? "read of "
                                          : "other command of ") +
                           std::to_string(t.get_data_length()) + " bytes at address " +
                           foundation::hex(t.get_address());
  if (t.wild ? status == tlm::TLM_INCOMPLETE_RESPONSE : !t.allowed.contains(status)) {
    fail(what + ": response is " + name_of(status) + " instead of " +
         name_of(t.wild ? tlm::TLM_OK_RESPONSE : *t.allowed.begin()));
  }
  if (status != tlm::TLM_OK_RESPONSE) ++counts_.refused;
  if (t.is_dmi_allowed() && !rules_.dmi) fail(what + ": DMI hint without DMI");
  if (t.noted && t.get_extension<Note>() != &t.note) fail(what + ": an extension was lost");
  if (t.enables != t.sent_enables) fail(what + ": byte enables changed");
  // The data of a read that fails is undefined (IEEE 1666-2011, 14.17).
  const bool undefined = t.is_read() && (t.wild || status != tlm::TLM_OK_RESPONSE);
  if (undefined) {
    std::copy_n(t.bytes.begin() + kGuard, t.size, t.expected.begin() + kGuard);
  }
  if (t.bytes == t.expected) return;
  const auto at = std::mismatch(t.bytes.begin(), t.bytes.end(), t.expected.begin());
  fail(what + ": byte " + std::to_string(at.first - t.bytes.begin() - long(kGuard)) + " is " +
       foundation::hex(*at.first) + " instead of " + foundation::hex(*at.second));
}

void RandomTraffic::blocking(Transaction& t) {
  choose_attributes(t);
  if (rules_.illegal && random_.below(8) == 0) make_illegal(t);
  if (overlaps_open(t)) settle(0);
  expect(t);
  ++counts_.blocking;
  sc_time delay = random_delay();
  const Attributes before(t);
  const sc_time start = sc_core::sc_time_stamp() + delay;
  if (t.legal) {
    to_checker_->b_transport(t, delay);
  } else {
    checker_.to_target->b_transport(t, delay);
    if (const char* what = before.difference(t)) fail(std::string(what) + " changed");
    if (sc_core::sc_time_stamp() + delay < start) fail("b_transport took time back");
  }
  flush_complaints(t.legal);
  finish(t);
  if (random_.below(3) != 0) wait(delay);
  t.release();
}

void RandomTraffic::phased(Transaction& t) {
  choose_attributes(t);
  if (rules_.illegal && random_.below(8) == 0) make_illegal(t);
  if (overlaps_open(t) && !rules_.ordered) settle(0);
  if (open_.size() > 32) settle(16);
  while (requesting_ != nullptr && !failed_) {
    const sc_time start = sc_core::sc_time_stamp();
    wait(rules_.patience, changed_);
    if (requesting_ != nullptr && sc_core::sc_time_stamp() - start >= rules_.patience) {
      fail("no END_REQ within " + rules_.patience.to_string());
    }
  }
  if (failed_) return t.release();
  expect(t);
  ++counts_.phased;
  const sc_time now = sc_core::sc_time_stamp();
  sc_time delay = std::max(random_delay(), std::max(free_from_, now) - now);
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  open_.insert(&t);
  requesting_ = &t;
  t.acquire();
  const tlm::tlm_sync_enum status = t.legal ? to_checker_->nb_transport_fw(t, phase, delay)
                                            : checker_.to_target->nb_transport_fw(t, phase, delay);
  flush_complaints(t.legal);
  const sc_time at = sc_core::sc_time_stamp() + delay;
  if (status != tlm::TLM_ACCEPTED) {
    if (requesting_ == &t) requesting_ = nullptr;
    free_from_ = std::max(free_from_, at);
  }
  if (status == tlm::TLM_COMPLETED) {
    ++counts_.early;
    finish(t);
    if (open_.erase(&t) != 0) t.release();
  } else if (status == tlm::TLM_UPDATED) {
    ++counts_.updated;
    if (phase == tlm::BEGIN_RESP) {
      finish(t);
      begin_response(t, at);
    } else if (phase != tlm::END_REQ) {
      fail(std::string("BEGIN_REQ is answered with ") + phase.get_name());
    }
  }
  t.release();
}

/// The response ends with an END_RESP of the driver at a later call.
void RandomTraffic::begin_response(Transaction& t, const sc_time& at) {
  check_turn(at);
  response_ = &t;
  end_at_ = at + random_delay();
  // Some END_RESPs are sent early, with an annotated delay.
  const sc_time now = sc_core::sc_time_stamp();
  end_due_.notify(random_.below(2) == 0 ? end_at_ - now : at - now);
}

/// One response follows the other.
void RandomTraffic::check_turn(const sc_time& at) {
  if (response_ != nullptr) fail("BEGIN_RESP before the END_RESP of another");
  if (at < responses_from_) fail("BEGIN_RESP before the annotated END_RESP of another");
}

void RandomTraffic::end_responses() {
  if (response_ == nullptr) return;
  Transaction& t = *std::exchange(response_, nullptr);
  tlm::tlm_phase phase = tlm::END_RESP;
  sc_time delay = end_at_ - sc_core::sc_time_stamp();
  responses_from_ = end_at_;
  open_.erase(&t);
  const tlm::tlm_sync_enum status = t.legal ? to_checker_->nb_transport_fw(t, phase, delay)
                                            : checker_.to_target->nb_transport_fw(t, phase, delay);
  flush_complaints(t.legal);
  if (status == tlm::TLM_UPDATED) fail("END_RESP is answered with TLM_UPDATED");
  t.release();
  changed_.notify();
}

tlm::tlm_sync_enum RandomTraffic::backward(Payload& payload, tlm::tlm_phase& phase,
                                           sc_time& delay) {
  auto* const t = static_cast<Transaction*>(&payload);
  if (!open_.contains(t)) {
    fail(std::string(phase.get_name()) + " of a transaction that is not open");
    return tlm::TLM_ACCEPTED;
  }
  flush_complaints(t->legal);
  const sc_time at = sc_core::sc_time_stamp() + delay;
  if (requesting_ == t) {
    requesting_ = nullptr;
    free_from_ = std::max(free_from_, at);
    changed_.notify();
  } else if (phase == tlm::END_REQ) {
    fail("a second END_REQ");
  }
  if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
  finish(*t);
  const unsigned kind = random_.below(3);
  if (kind == 0) {
    begin_response(*t, at);
    return tlm::TLM_ACCEPTED;
  }
  check_turn(at);
  open_.erase(t);
  t->release();
  changed_.notify();
  if (kind == 2) {
    phase = tlm::END_RESP;
    delay += random_delay();
  }
  responses_from_ = sc_core::sc_time_stamp() + delay;
  return kind == 1 ? tlm::TLM_COMPLETED : tlm::TLM_UPDATED;
}

/// Waits until at most `left` transactions are open.
void RandomTraffic::settle(std::size_t left) {
  while (open_.size() > left && !failed_) {
    const std::size_t before = open_.size();
    const sc_time start = sc_core::sc_time_stamp();
    wait(rules_.patience, changed_);
    if (open_.size() == before && sc_core::sc_time_stamp() - start >= rules_.patience) {
      fail("no response within " + rules_.patience.to_string() + " to " + std::to_string(before) +
           " transactions, the first at address " +
           foundation::hex((*open_.begin())->get_address()));
    }
  }
}

void RandomTraffic::debug() {
  Transaction& t = make();
  choose_attributes(t);
  t.enables.clear();
  t.set_byte_enable_ptr(nullptr);
  t.set_byte_enable_length(0);
  const bool broken = rules_.illegal && random_.below(8) == 0;
  if (broken) make_illegal(t);
  if (overlaps_open(t)) settle(0);
  ++counts_.debug;
  const std::vector<std::uint8_t> before = t.bytes;
  const unsigned moved = to_checker_->transport_dbg(t);
  flush_complaints(t.legal);
  if (!rules_.debug && moved != 0) fail("transport_dbg moved bytes of a socket without debug");
  const bool moves = (t.is_read() || t.is_write()) && t.get_data_ptr() != nullptr;
  if (!moves && moved != 0) fail("transport_dbg moved bytes for a payload that moves none");
  if (rules_.debug && !broken && moves && !t.wild && in_memory(t.first, t.size) &&
      moved != t.size) {
    fail("transport_dbg moved " + std::to_string(moved) + " of " + std::to_string(t.size) +
         " bytes at address " + foundation::hex(t.first));
  }
  std::vector<std::uint8_t> after = before;
  for (unsigned i = 0; i < moved && !t.wild && !failed_; ++i) {
    if (t.is_write()) {
      golden(t.first + i) = before[kGuard + i];
    } else {
      after[kGuard + i] = golden(t.first + i);
    }
  }
  if (!t.wild && t.bytes != after) {
    fail("transport_dbg at address " + foundation::hex(t.first) + ": wrong bytes");
  }
  t.release();
}

void RandomTraffic::direct() {
  Transaction& t = make();
  choose_attributes(t);
  if (overlaps_open(t)) settle(0);
  tlm::tlm_dmi dmi;
  const bool granted = to_checker_->get_direct_mem_ptr(t, dmi);
  flush_complaints(t.legal);
  const bool inside = dmi.get_start_address() <= t.first && t.first <= dmi.get_end_address();
  if (!inside) fail("DMI: the answer's range is not about " + foundation::hex(t.first));
  if (granted && !rules_.dmi) fail("DMI: granted by a socket without DMI");
  if (!granted && rules_.dmi && in_memory(t.first, 1)) fail("DMI: refused");
  if (granted && inside && in_memory(t.first, 1)) {
    ++counts_.direct;
    grants_.push_back(dmi);
    std::uint8_t& byte = dmi.get_dmi_ptr()[t.first - dmi.get_start_address()];
    if (byte != golden(t.first)) fail("DMI: wrong byte at " + foundation::hex(t.first));
    byte = golden(t.first) = static_cast<std::uint8_t>(random_.next());
  }
  t.release();
}

void RandomTraffic::invalidate(sc_dt::uint64 start, sc_dt::uint64 end) {
  if (start > end) fail("DMI: an empty range is invalidated");
  std::erase_if(grants_, [&](const tlm::tlm_dmi& grant) {
    return grant.get_start_address() <= end && start <= grant.get_end_address();
  });
}

void RandomTraffic::wrong_phase() {
  Transaction& fresh = make();
  choose_attributes(fresh);
  Payload unmanaged;
  Payload* payload = &fresh;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  bool reported = true;
  switch (random_.below(7)) {
    case 0:
      phase = tlm::END_REQ;
      break;
    case 1:
      phase = tlm::BEGIN_RESP;
      break;
    case 2:
      phase = tlm::END_RESP;
      break;
    case 3:
      payload = &unmanaged;
      unmanaged.set_command(fresh.get_command());
      unmanaged.set_address(fresh.get_address());
      unmanaged.set_data_ptr(fresh.get_data_ptr());
      unmanaged.set_data_length(fresh.get_data_length());
      unmanaged.set_streaming_width(fresh.get_data_length());
      break;
    case 4:  // a second time
      if (open_.empty()) return fresh.release();
      payload = *open_.begin();
      break;
    case 5:  // before the END_REQ of another
      if (requesting_ == nullptr) return fresh.release();
      break;
    default:
      phase = PHASE_OF_ANOTHER_PROTOCOL;
      reported = false;
  }
  const std::size_t before = ReportRecorder::reports().size();
  const std::string name = phase.get_name();
  sc_time delay;
  const tlm::tlm_sync_enum status = checker_.to_target->nb_transport_fw(*payload, phase, delay);
  const auto& reports = ReportRecorder::reports();
  if (reported) ++counts_.wrong_phases;
  if (reports.size() - before != (reported ? 1 : 0)) {
    fail("illegal " + name + ": " + std::to_string(reports.size() - before) + " reports");
  } else if (reported) {
    const std::string text = reports.back().text;
    for (const std::string& word :
         {foundation::hex(payload->get_address()), sc_core::sc_time_stamp().to_string()}) {
      if (text.find(word) == std::string::npos)
        fail("illegal " + name + ": the report does not name " + word + ": " + text);
    }
    ReportRecorder::reports().pop_back();
  }
  if (status == tlm::TLM_UPDATED) fail("illegal " + name + " is answered with TLM_UPDATED");
  fresh.release();
}

}  // namespace tvp::tests
