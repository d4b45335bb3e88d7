// Says where it runs.

#include "api/dataflow/dataflow_api.h"
#include "api/debug/dprint.h"

void kernel_main() {
  DPRINT << "hello from core (" << get_absolute_logical_x() << ", " << get_absolute_logical_y()
         << "), my argument is " << get_arg_val<uint32_t>(0) << ENDL();
}
