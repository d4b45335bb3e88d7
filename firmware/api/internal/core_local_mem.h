#pragma once
// L1 as an array, for all cores.

#include <stdint.h>

#include <compare>

/// L1 of this tile as an array of T.
template <typename T, typename AddressType = uintptr_t>
class CoreLocalMem {
 public:
  using difference_type = int32_t;

  CoreLocalMem(AddressType address) : address_(address) {}
  CoreLocalMem(T* pointer) : address_(reinterpret_cast<AddressType>(pointer)) {}

  T* get_unsafe_ptr() const { return reinterpret_cast<T*>(address_); }
  AddressType get_address() const { return address_; }
  T& operator[](uint32_t index) const { return get_unsafe_ptr()[index]; }
  T& operator*() const { return *get_unsafe_ptr(); }
  T* operator->() const { return get_unsafe_ptr(); }

  CoreLocalMem& operator+=(difference_type count) {
    address_ += static_cast<AddressType>(count) * sizeof(T);
    return *this;
  }
  CoreLocalMem& operator-=(difference_type count) { return *this += -count; }
  CoreLocalMem& operator++() { return *this += 1; }
  CoreLocalMem& operator--() { return *this -= 1; }
  CoreLocalMem operator++(int) {
    const CoreLocalMem before = *this;
    ++*this;
    return before;
  }
  CoreLocalMem operator--(int) {
    const CoreLocalMem before = *this;
    --*this;
    return before;
  }
  CoreLocalMem operator+(difference_type count) const { return CoreLocalMem(*this) += count; }
  CoreLocalMem operator-(difference_type count) const { return CoreLocalMem(*this) -= count; }
  difference_type operator-(const CoreLocalMem& other) const {
    return static_cast<difference_type>(address_ - other.address_) /
           static_cast<difference_type>(sizeof(T));
  }
  auto operator<=>(const CoreLocalMem&) const = default;
  explicit operator bool() const { return address_ != 0; }

  /// For tools that check accesses to locked memory, which do not exist here.
  struct Lock {
    ~Lock() {}
  };
  [[nodiscard]] Lock scoped_lock(uint32_t = 1) const { return {}; }

 private:
  AddressType address_;
};
