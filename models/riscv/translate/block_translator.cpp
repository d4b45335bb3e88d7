#include "models/riscv/translate/block_translator.h"

#include "models/riscv/translate/node_writer.h"

namespace tvp::riscv {

bool BlockTranslator::begin() {
  if (enter_ != nullptr) return true;
  if (!on_) return false;
  if (!code_.reserve(kBytes)) return give_up();
  std::uint8_t* const to = code_.open(kMostOfNode);
  if (to == nullptr) return give_up();
  NodeWriter writer(to, kMostOfNode, s_, calls_);
  const NodeWriter::Common at = writer.write_common();
  if (!code_.close(writer.getSize())) return give_up();
  exit_ = to + at.exit;
  absent_ = to + at.absent;
  leave_ = to + at.leave;
  enter_ =
      reinterpret_cast<void (*)(TranslatedRun*)>(reinterpret_cast<std::uintptr_t>(to + at.enter));
  common_ = code_.used();
  return true;
}

/// The host refuses memory. Code that was already written may no longer be executable.
bool BlockTranslator::give_up() {
  gives_up_ = true;
  return on_ = false;
}

bool BlockTranslator::translate(BlockNode& node) {
  if (!on_ || node.last_access == BlockNode::kAlways || !begin() || is_full()) return false;
  std::uint8_t* const to = code_.open(kMostOfNode);
  if (to == nullptr) return give_up();
  const std::size_t bytes = write(node, to);
  if (!code_.close(bytes)) return give_up();
  if (bytes == 0) return false;
  node.translated = to;
  return true;
}

/// Returns the bytes of its code; 0 if there is not enough room.
std::size_t BlockTranslator::write(BlockNode& node, std::uint8_t* to) {
  try {
    NodeWriter writer(to, kMostOfNode, s_, calls_);
    writer.write(node, exit_, absent_);
    return writer.getSize();
  } catch (const Xbyak::Error& error) {
    if (static_cast<int>(error) != Xbyak::ERR_CODE_IS_TOO_BIG) throw;
    return 0;
  }
}

void BlockTranslator::forget() {
  if (code_.is_reserved()) code_.forget_behind(common_);
}

}  // namespace tvp::riscv
