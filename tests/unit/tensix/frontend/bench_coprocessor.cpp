// Speed of the coprocessor in host nanoseconds per Tensix instruction. Frontends and wait gates
// with idle units: one thread that expands MOPs, and three threads that pass work by semaphores.
// Then the matrix unit alone: each kind of arithmetic, and MVMUL with exact sums.
//   bench_coprocessor [--short] [--json FILE]
#include <cstdio>
#include <memory>
#include <random>
#include <string>
#include <systemc>

#include "foundation/regs/tensix_config.h"
#include "models/support/tile_scheduler.h"
#include "models/tensix/coprocessor/matrix/matrix_unit.h"
#include "tests/support/bench_report.h"
#include "tests/unit/tensix/frontend/coprocessor_bench.h"

namespace {

using namespace tvp;
using namespace tvp::tensix::coprocessor;
using namespace tvp::tensix::coprocessor::test;
using tvp::test::BenchReport;
using tvp::test::cpu_seconds;

/// Accepts all instructions and records none.
class Sink : public ExecutionUnit {
 public:
  Issue issue(std::uint32_t, unsigned, Cycle now) override {
    return Issue::started(now + 1, now + 5);
  }
};

/// A core that pushes a program repeatedly.
class Feeder : public support::Agent {
 public:
  Feeder(Coprocessor& to, unsigned thread, std::vector<std::uint32_t> program, unsigned rounds)
      : to_(to), thread_(thread), program_(std::move(program)), left_(rounds) {
    set_next(0);
  }
  void run() override {
    while (left_ != 0 && may_act(next())) {
      if (to_.issue().push(thread_, program_[at_], next(), order())) {
        at_ = (at_ + 1) % program_.size();
        if (at_ == 0) --left_;
      }
      set_next(next() + (at_ == 0 ? 40 : 1));
    }
    if (left_ == 0) set_next(support::kNever);
  }

 private:
  Coprocessor& to_;
  unsigned thread_;
  std::vector<std::uint32_t> program_;
  std::size_t at_ = 0;
  unsigned left_;
};

void add(BenchReport& report, const std::string& name, const Bench& bench, double seconds) {
  double instructions = 0;
  for (unsigned t = 0; t < 3; ++t)
    instructions += static_cast<double>(bench.coprocessor.issue().counters().issued(t));
  const double each_ns = seconds * 1e9 / instructions;
  const double cycle_ns =
      seconds * 1e9 / static_cast<double>(bench.coprocessor.issue().counters().active_cycles());
  std::printf("%-12s %10.0f instructions, %5.1f ns each, %5.1f ns an active cycle\n", name.c_str(),
              instructions, each_ns, cycle_ns);
  report.add(name + " instruction", each_ns, "ns", BenchReport::Better::kLower);
  report.add(name + " active cycle", cycle_ns, "ns", BenchReport::Better::kLower);
}

void one_thread(BenchReport& report) {
  Bench bench("one");
  Sink sink;
  bench.coprocessor.backend().attach(Unit::kMatrix, sink);
  auto& window = bench.coprocessor.windows().mop_config();
  const std::uint32_t words[9] = {8, 16, nop(), nop(), nop(), mvmul(), nop(), mvmul(), mvmul()};
  for (unsigned i = 0; i < 9; ++i) {
    bench.mmio(window, support::BusMaster::kT1, true, 4 * i, words[i], 0);
  }
  Feeder feeder(bench.coprocessor, 1, {op::encode_mop(1, 0, 0)}, report.is_short() ? 200 : 20000);
  bench.scheduler.add(feeder);
  const double start = cpu_seconds();
  bench.run(1000000000);
  add(report, "MOPs", bench, cpu_seconds() - start);
}

void three_threads(BenchReport& report) {
  const unsigned rounds = report.is_short() ? 1000 : 100000;
  Bench bench("three");
  Sink sink;
  for (const Unit unit : {Unit::kMatrix, Unit::kUnpacker0, Unit::kPackers}) {
    bench.coprocessor.backend().attach(unit, sink);
  }
  const std::uint32_t all = 0x1FF;
  Feeder unpack(bench.coprocessor, 0,
                {op::encode_semwait(all, 1, 2), unpacr(0), unpacr(0), op::encode_sempost(1)},
                rounds);
  Feeder math(bench.coprocessor, 1,
              {op::encode_semwait(all, 1, 1), op::encode_semwait(all, 2, 2), mvmul(), mvmul(),
               mvmul(), mvmul(), op::encode_semget(1), op::encode_sempost(2)},
              rounds);
  Feeder pack(bench.coprocessor, 2,
              {op::encode_semwait(all, 2, 1), pacr(15), op::encode_stallwait(all, 0x78),
               op::encode_semget(2)},
              rounds);
  bench.push(0, 0, {op::encode_seminit(2, 0, 3)});
  bench.run(20);
  for (Feeder* feeder : {&unpack, &math, &pack}) bench.scheduler.add(*feeder);
  const double start = cpu_seconds();
  bench.run(1000000000);
  add(report, "semaphores", bench, cpu_seconds() - start);
}

/// A matrix unit whose sources hold numbers between 2^-4 and 2^4.
class MatrixAlone {
 public:
  using Format = regs::config::DataFormat;

  MatrixAlone(Format format, bool dst32, const FloatSums& sums)
      : unit_("matrix", *registers_, config_, faults_, sums) {
    set(regs::config::alu::kSrcAFormat, static_cast<std::uint32_t>(format));
    set(regs::config::alu::kSrcBFormat, static_cast<std::uint32_t>(format));
    set(regs::config::alu::kFp32Enabled, dst32);
    std::mt19937 random(1);
    for (SrcFile* file : {&registers_->srca, &registers_->srcb}) {
      for (SrcBank& bank : file->bank) bank.give(SrcClient::kMatrixUnit, 0);
      for (auto& row : file->bank[0].rows) {
        for (std::uint32_t& cell : row) cell = (random() & 0x7F800) | (123 + random() % 8);
      }
    }
  }
  /// Host seconds.
  double execute(std::uint32_t word, unsigned times) {
    const double start = cpu_seconds();
    for (unsigned i = 0; i < times; ++i) {
      now_ += 5;
      unit_.issue(word, 0, now_);
      if (i % 64 == 0) registers_->dst.undefine_storage(0, 16);  // otherwise sums grow forever
    }
    return cpu_seconds() - start;
  }

 private:
  void set(regs::config::Field field, std::uint32_t value) {
    auto& word = config_.bank[0][field.addr32];
    word = field.insert(word, value);
  }

  std::unique_ptr<RegisterFiles> registers_ = std::make_unique<RegisterFiles>();
  BackendConfig config_;
  foundation::StopOnFault faults_;
  MatrixUnit unit_;
  Cycle now_ = 0;
};

void matrix_unit(BenchReport& report) {
  using Format = regs::config::DataFormat;
  const unsigned times = report.is_short() ? 1000 : 500000;
  const auto measure = [&](const std::string& name, std::uint32_t word, bool dst32,
                           const FloatSums& sums) {
    MatrixAlone alone(Format::kBf16, dst32, sums);
    const double each_ns = alone.execute(word, times) * 1e9 / times;
    std::printf("%-20s %10u instructions, %6.1f ns each\n", name.c_str(), times, each_ns);
    report.add(name, each_ns, "ns", BenchReport::Better::kLower);
  };
  const FloatSums& aligned = FloatSums::aligned();
  measure("MVMUL to BF16", op::encode_mvmul(0, 0, 0, 0, 0), false, aligned);
  measure("MVMUL to FP32", op::encode_mvmul(0, 0, 0, 0, 0), true, aligned);
  measure("GAPOOL to FP32", op::encode_gapool(0, 0, 0, 0), true, aligned);
  measure("ELWADD to BF16", op::encode_elwadd(0, 0, 0, 0, 0, 0, 0), false, aligned);
  measure("ELWSUB to FP32", op::encode_elwsub(0, 0, 1, 0, 0, 0, 0), true, aligned);
  measure("ELWMUL to FP32", op::encode_elwmul(0, 0, 0, 0, 0, 0), true, aligned);
  measure("MVMUL to BF16, exact", op::encode_mvmul(0, 0, 0, 0, 0), false, FloatSums::exact());
  measure("MVMUL to FP32, exact", op::encode_mvmul(0, 0, 0, 0, 0), true, FloatSums::exact());
  measure("ELWADD to BF16, exact", op::encode_elwadd(0, 0, 0, 0, 0, 0, 0), false,
          FloatSums::exact());
  measure("ELWMUL to FP32, exact", op::encode_elwmul(0, 0, 0, 0, 0, 0), true, FloatSums::exact());
}

}  // namespace

int sc_main(int argc, char** argv) {
  BenchReport report("coprocessor", argc, argv);
  one_thread(report);
  three_threads(report);
  matrix_unit(report);
  return report.finish();
}
