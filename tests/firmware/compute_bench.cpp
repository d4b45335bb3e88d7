#include "tests/firmware/compute_bench.h"

#include "foundation/regs/tensix_tile.h"
#include "internal/stream_registers.h"

namespace tvp::test {

namespace tile = regs::tensix_tile;
using support::BusMaster;
using support::Cycle;
using support::kNever;
using support::MmioAccess;

namespace {

/// makecontext cannot pass a pointer.
HostCore* entering = nullptr;

constexpr BusMaster kMasters[3] = {BusMaster::kT0, BusMaster::kT1, BusMaster::kT2};

}  // namespace

// ---- HostCore -----------------------------------------------------------------------------------

void HostCore::start(std::function<void()> program, Cycle when) {
  program_ = std::move(program);
  finished_ = false;
  getcontext(&here_);
  here_.uc_stack.ss_sp = stack_.data();
  here_.uc_stack.ss_size = stack_.size();
  here_.uc_link = &caller_;
  makecontext(&here_, &HostCore::enter, 0);
  set_next(when);
}

void HostCore::enter() {
  HostCore* self = entering;
  self->program_();
  self->finished_ = true;
  self->set_next(kNever);
}

void HostCore::run() {
  entering = this;
  llk::backend = this;
  swapcontext(&caller_, &here_);
}

void HostCore::pass_cycle() {
  set_next(next() + 1);
  swapcontext(&here_, &caller_);
}

void HostCore::push(llk::Word instruction) {
  while (!bench_.coprocessor_.issue().push(thread_, instruction, next(), order())) pass_cycle();
  pass_cycle();
}

void HostCore::store(std::uint32_t address, std::uint32_t value) {
  if (address >= tile::kMopConfig && address < tile::kMopConfig + tile::kMopConfigBytes) {
    MmioAccess access;
    access.write = true;
    access.offset = address - tile::kMopConfig;
    access.data = value;
    access.master = kMasters[thread_];
    access.now = next();
    access.order = order();
    bench_.coprocessor_.windows().mop_config().access(access);
    if (access.unmapped) throw std::logic_error("MOP configuration refused a store");
  } else if (address != tile::kCoprocessorDone && address != tile::kMopExpanderDone) {
    throw std::logic_error("the bench has nothing at the address of a store");
  }
  pass_cycle();
}

std::uint32_t HostCore::load(std::uint32_t address) {
  constexpr std::uint32_t kSemaphoresBytes = 8 * 4;
  std::uint32_t value = 0;
  if (address == tile::kCoprocessorDone) {
    while (!bench_.coprocessor_.thread_idle(thread_)) pass_cycle();
  } else if (address == tile::kMopExpanderDone) {
    while (!bench_.coprocessor_.mop_expander_done(thread_)) pass_cycle();
  } else if (address >= tile::kSemaphores && address < tile::kSemaphores + kSemaphoresBytes) {
    MmioAccess access;
    access.master = kMasters[thread_];
    access.now = next();
    access.order = order();
    bench_.coprocessor_.windows().access_semaphore((address - tile::kSemaphores) / 4, access);
    value = access.data;
  } else if (const std::uint16_t* counter = bench_.counter(address)) {
    value = *counter;
  } else {
    throw std::logic_error("the bench has nothing at the address of a load");
  }
  pass_cycle();
  return value;
}

// ---- ComputeBench -------------------------------------------------------------------------------

ComputeBench::ComputeBench(const sc_core::sc_module_name& name)
    : sc_module(name), coprocessor_("coprocessor", "bench", l1_, watch_hub_, faults_, *this) {
  registers_.register_b_transport(this, &ComputeBench::transport);
  coprocessor_.thcon.bind(registers_);
  scheduler_.add(coprocessor_.mover());
  scheduler_.add(coprocessor_.issue());
  for (unsigned t = 0; t < 3; ++t) {
    cores_[t] = std::make_unique<HostCore>(*this, t);
    scheduler_.add(*cores_[t]);
  }
}

void ComputeBench::buffer(const ComputeProgram& program, unsigned id, std::uint32_t address,
                          std::uint32_t tile_bytes, unsigned tiles, unsigned filled) {
  for (const ThreadProgram* thread : program.thread) {
    LocalCBInterface& local = thread->buffers[id].local_cb_interface;
    local = {};
    local.fifo_size = tiles * tile_bytes / 16;
    local.fifo_page_size = tile_bytes / 16;
    local.fifo_num_pages = tiles;
    local.fifo_rd_ptr = local.fifo_wr_ptr = address / 16;
    local.fifo_limit = local.fifo_rd_ptr + local.fifo_size;
  }
  stream_[id] = {static_cast<std::uint16_t>(filled), 0};
}

bool ComputeBench::execute(const ComputeProgram& program) {
  constexpr Cycle kLimit = 1'000'000;
  const Cycle end = now_ + kLimit;
  if (now_ == 0) sc_core::sc_start(sc_core::SC_ZERO_TIME);  // binds the sockets
  for (unsigned t = 0; t < 3; ++t) {
    void (*image)() = program.thread[t]->run;
    cores_[t]->start(
        [image] {
          image();
          llk::wait_coprocessor();
        },
        now_ + 1);
  }
  while (scheduler_.next() < end) {
    const Cycle step = scheduler_.next();
    scheduler_.run(step + 1);
    now_ = step;
    if (cores_[0]->finished() && cores_[1]->finished() && cores_[2]->finished()) return true;
  }
  return false;
}

std::string ComputeBench::waiting() const {
  std::string text;
  for (unsigned t = 0; t < 3; ++t)
    text += "T" + std::to_string(t) + (cores_[t]->finished() ? " finished, " : " running, ") +
            coprocessor_.issue().inspector().waiting_for(t) + "\n";
  return text;
}

std::uint16_t* ComputeBench::counter(std::uint32_t address) {
  for (unsigned buffer = 0; buffer < stream_.size(); ++buffer) {
    if (address == STREAM_REG_ADDR(buffer, STREAM_REMOTE_DEST_BUF_SIZE_REG_INDEX))
      return &stream_[buffer][kReceived];
    if (address == STREAM_REG_ADDR(buffer, STREAM_REMOTE_DEST_BUF_START_REG_INDEX))
      return &stream_[buffer][kAcked];
  }
  return nullptr;
}

void ComputeBench::transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  std::uint16_t* value = counter(static_cast<std::uint32_t>(payload.get_address()));
  if (value == nullptr || !payload.is_write() || payload.get_data_length() != 4) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  const unsigned char* data = payload.get_data_ptr();
  *value = static_cast<std::uint16_t>(data[0] | data[1] << 8);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

}  // namespace tvp::test
