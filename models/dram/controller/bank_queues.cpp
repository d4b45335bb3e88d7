#include "models/dram/controller/bank_queues.h"

namespace tvp::dram {

BankQueues::BankQueues(unsigned banks, unsigned reads, unsigned writes, unsigned bank_depth)
    : bank_depth_(bank_depth), slots_(reads + writes + 2 * banks * bank_depth) {
  sides_[0].capacity = reads;
  sides_[1].capacity = writes;
  for (Side& side : sides_) {
    side.lists.resize(banks);
    side.active.reserve(banks);
  }
  for (unsigned i = static_cast<unsigned>(slots_.size()); i-- > 0;) {
    slots_[i].next = free_;
    free_ = i;
  }
}

unsigned BankQueues::add(const MemoryRequest& request, MemCycle arrival) {
  const unsigned index = free_;
  Slot& slot = slots_[index];
  free_ = slot.next;
  Side& side = sides_[request.write];
  List& list = side.lists[request.bank];
  slot = Slot{};
  slot.request = request;
  slot.arrival = arrival;
  slot.order = next_order_++;
  slot.previous = list.tail;
  if (list.tail == kNone) {
    list.head = index;
    list.active_at = static_cast<unsigned>(side.active.size());
    side.active.push_back(request.bank);
  } else {
    slots_[list.tail].next = index;
  }
  list.tail = index;
  if (++list.count > bank_depth_) ++side.overflow;
  ++side.total;
  return index;
}

void BankQueues::remove(unsigned index) {
  Slot& slot = slots_[index];
  Side& side = sides_[slot.request.write];
  List& list = side.lists[slot.request.bank];
  (slot.previous == kNone ? list.head : slots_[slot.previous].next) = slot.next;
  (slot.next == kNone ? list.tail : slots_[slot.next].previous) = slot.previous;
  if (list.count-- > bank_depth_) --side.overflow;
  --side.total;
  if (list.count == 0) {
    const unsigned moved = side.active.back();
    side.active[list.active_at] = moved;
    side.lists[moved].active_at = list.active_at;
    side.active.pop_back();
  }
  slot.order = 0;
  slot.next = free_;
  free_ = index;
}

unsigned BankQueues::find_row(unsigned bank, bool write, std::uint64_t row) const {
  unsigned slot = sides_[write].lists[bank].head;
  for (unsigned seen = 0; slot != kNone && seen < bank_depth_; ++seen) {
    if (slots_[slot].request.row == row && !waits(slots_[slot])) return slot;
    slot = slots_[slot].next;
  }
  return kNone;
}

unsigned BankQueues::find_burst(unsigned bank, bool write, std::uint64_t row,
                                unsigned column) const {
  for (unsigned slot = sides_[write].lists[bank].tail; slot != kNone;
       slot = slots_[slot].previous) {
    const MemoryRequest& request = slots_[slot].request;
    if (request.row == row && request.column == column) return slot;
  }
  return kNone;
}

}  // namespace tvp::dram
