#include "sw/workloads/prefetcher/epilogue.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "firmware/kernels/prefetcher/arguments.h"
#include "sw/runtime/errors.h"

namespace tvp::workloads::prefetcher {

namespace {

struct Function {
  const char* name;
  kernels::prefetcher::Function number;
  double (*value)(double);
  double slope;     ///< largest slope
  double relative;  ///< relative error of the approximation
};

constexpr std::array<Function, 4> kFunctions{{
    {"none", kernels::prefetcher::kIdentity, [](double a) { return a; }, 1, 0},
    {"relu", kernels::prefetcher::kRelu, [](double a) { return std::max(a, 0.0); }, 1, 0},
    {"silu", kernels::prefetcher::kSilu, [](double a) { return a / (1 + std::exp(-a)); }, 1.1,
     4e-5},
    {"gelu", kernels::prefetcher::kGelu,
     [](double a) { return a * 0.5 * std::erfc(-a / std::sqrt(2.0)); }, 1.13, 1e-4},
}};

const Function& function_of(unsigned number) {
  return *std::ranges::find(kFunctions, number, &Function::number);
}

}  // namespace

Epilogue::Epilogue(bool bias, const std::string& function) : bias_(bias), number_(0) {
  const auto found = std::ranges::find(kFunctions, function, &Function::name);
  if (found == kFunctions.end())
    runtime::bad_use("prefetcher.function", function + "; expected none, relu, silu or gelu");
  number_ = found->number;
}

double Epilogue::value(double sum) const { return function_of(number_).value(sum); }

double Epilogue::bound(double sum, double error) const {
  const Function& function = function_of(number_);
  if (is_nothing()) return error;  // the bound includes the rounding of the packers
  const double result = std::abs(value(sum));
  const double before = function.slope * error + function.relative * (result + error);
  return before + 0x1p-8 * (result + before);
}

}  // namespace tvp::workloads::prefetcher
