#include "sw/workloads/device_workload.h"

namespace tvp::workloads {

namespace {

/// Also counts compile time of runs that end with a fault or a hang.
class CompileTime {
 public:
  CompileTime(runtime::MeshDevice& mesh, Context& context) : mesh_(mesh), context_(context) {}
  ~CompileTime() { context_.compile_seconds += mesh_.compile_seconds(); }
  CompileTime(const CompileTime&) = delete;
  CompileTime& operator=(const CompileTime&) = delete;

 private:
  runtime::MeshDevice& mesh_;
  Context& context_;
};

}  // namespace

Result DeviceWorkload::run(Context& context) {
  check();
  runtime::MeshDevice::Options options;
  options.print = context.print;
  adjust(context.library, options);
  runtime::MeshDevice mesh(context.library, options);
  const CompileTime compile_time(mesh, context);
  Result result;
  result.passed = true;
  run_on(mesh, context.seed, result);
  return result;
}

}  // namespace tvp::workloads
