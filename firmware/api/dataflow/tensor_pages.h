#pragma once
// Iterators over pages of a tensor, for loops: for (auto& page : accessor.pages()) …

#include <stddef.h>
#include <stdint.h>

#include <algorithm>  // has the iterators' categories; <iterator> itself brings streams

namespace tensor_accessor {

class Page {
 public:
  Page(uint64_t noc_addr, uint32_t page_id) : noc_addr_(noc_addr), page_id_(page_id) {}
  uint64_t noc_addr() const { return noc_addr_; }
  uint64_t get_noc_addr() const { return noc_addr_; }  // form of 2025
  uint32_t page_id() const { return page_id_; }

 private:
  uint64_t noc_addr_;
  uint32_t page_id_;
};

/// A position that moves on by pages. `Walk` finds the page at a position: bool there(uint32_t
/// position), false if there is none, and Page at(uint32_t position).
template <typename Walk>
class PageIterator {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = Page;
  using difference_type = ptrdiff_t;
  using reference = const Page&;
  using pointer = const Page*;

  PageIterator(const Walk& walk, uint32_t position, uint32_t end)
      : walk_(walk), position_(position), end_(end), page_(0, 0) {
    settle();
  }

  uint32_t page_id() const { return page_.page_id(); }
  reference operator*() const { return page_; }
  pointer operator->() const { return &page_; }
  PageIterator& operator++() { return *this += 1; }
  PageIterator operator++(int) {
    const PageIterator before = *this;
    ++*this;
    return before;
  }
  /// Positions without a page also count. The next page after them is used.
  PageIterator& operator+=(difference_type steps) {
    position_ += static_cast<uint32_t>(steps);
    settle();
    return *this;
  }
  PageIterator operator+(difference_type steps) const {
    PageIterator result = *this;
    return result += steps;
  }
  Page operator[](difference_type steps) const { return *(*this + steps); }
  bool operator==(const PageIterator& other) const { return position_ == other.position_; }
  auto operator<=>(const PageIterator& other) const { return position_ <=> other.position_; }

 private:
  void settle() {
    while (position_ < end_ && !walk_.there(position_)) ++position_;
    if (position_ < end_) {
      page_ = walk_.at(position_);
    } else {
      position_ = end_;
    }
  }

  Walk walk_;
  uint32_t position_;
  uint32_t end_;
  Page page_;
};

template <typename Walk>
class PageRange {
 public:
  using iterator = PageIterator<Walk>;
  using const_iterator = iterator;

  PageRange(const Walk& walk, uint32_t begin, uint32_t end)
      : walk_(walk), begin_(begin), end_(end) {}
  iterator begin() const { return iterator(walk_, begin_, end_); }
  iterator end() const { return iterator(walk_, end_, end_); }
  iterator cbegin() const { return begin(); }
  iterator cend() const { return end(); }

 private:
  Walk walk_;
  uint32_t begin_;
  uint32_t end_;
};

/// All pages by their numbers.
template <typename Accessor>
struct TensorWalk {
  const Accessor& accessor;
  uint8_t noc;
  bool there(uint32_t) const { return true; }
  Page at(uint32_t page_id) const { return {accessor.get_noc_addr(page_id, 0, noc), page_id}; }
};

/// Pages of a shard in their order in it, without padding.
template <typename Accessor>
struct ShardWalk {
  const Accessor& accessor;
  uint32_t shard;
  uint8_t noc;
  bool there(uint32_t position) const {
    uint32_t page_id;
    return accessor.dspec().page_at({shard, position}, page_id);
  }
  Page at(uint32_t position) const {
    uint32_t page_id;
    accessor.dspec().page_at({shard, position}, page_id);
    const uint32_t offset = position * accessor.get_aligned_page_size();
    return {accessor.get_shard_noc_addr(shard, offset, noc), page_id};
  }
};

template <typename Accessor>
using Pages = PageRange<TensorWalk<Accessor>>;
template <typename Accessor>
using ShardPages = PageRange<ShardWalk<Accessor>>;

/// Whole shards as their pages: `first` and every `stride`th after it, below `end`.
template <typename Accessor>
class StridedShardPages {
 public:
  class iterator {
   public:
    using value_type = ShardPages<Accessor>;

    iterator(const StridedShardPages& shards, uint32_t shard) : shards_(&shards), shard_(shard) {}
    value_type operator*() const {
      const Accessor& accessor = shards_->accessor_;
      return {{accessor, shard_, shards_->noc_}, 0, accessor.dspec().shard_volume()};
    }
    iterator& operator++() {
      shard_ += shards_->stride_;
      return *this;
    }
    iterator operator++(int) {
      const iterator before = *this;
      ++*this;
      return before;
    }
    /// The last step may overshoot the end.
    bool operator==(const iterator& other) const {
      return shard_ == other.shard_ || (at_end() && other.at_end());
    }

   private:
    bool at_end() const { return shard_ >= shards_->end_; }

    const StridedShardPages* shards_;
    uint32_t shard_;
  };
  using const_iterator = iterator;

  StridedShardPages(const Accessor& accessor, uint32_t first, uint32_t end, uint32_t stride,
                    uint8_t noc = noc_index)
      : accessor_(accessor), first_(first), end_(end), stride_(stride), noc_(noc) {}
  iterator begin() const { return {*this, first_}; }
  iterator end() const { return {*this, end_}; }
  iterator cbegin() const { return begin(); }
  iterator cend() const { return end(); }

 private:
  const Accessor& accessor_;
  uint32_t first_;
  uint32_t end_;
  uint32_t stride_;
  uint8_t noc_;
};

}  // namespace tensor_accessor
