// For hosts other than x86-64.
#include "models/riscv/translate/block_translator.h"

namespace tvp::riscv {

bool BlockTranslator::begin() { return on_ = false; }
bool BlockTranslator::translate(BlockNode&) { return false; }
void BlockTranslator::forget() {}

}  // namespace tvp::riscv
