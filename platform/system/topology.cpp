#include "platform/system/topology.h"

#include <utility>

namespace tvp::platform {

namespace {

constexpr std::pair<const char*, Topology::Kind> kKinds[] = {{"line", Topology::Kind::kLine},
                                                             {"ring", Topology::Kind::kRing},
                                                             {"mesh", Topology::Kind::kMesh},
                                                             {"torus", Topology::Kind::kTorus},
                                                             {"star", Topology::Kind::kStar}};

bool has_one_axis(Topology::Kind kind) {
  return kind != Topology::Kind::kMesh && kind != Topology::Kind::kTorus;
}

}  // namespace

std::optional<Topology::Kind> Topology::kind_of(const std::string& name) {
  for (const auto& [known, kind] : kKinds) {
    if (name == known) return kind;
  }
  return std::nullopt;
}

std::string Topology::kind_names() {
  std::string names;
  for (const auto& [name, kind] : kKinds) names += (names.empty() ? "" : ", ") + std::string(name);
  return names;
}

std::optional<std::string> Topology::complaint(Kind kind, const std::vector<unsigned>& shape) {
  if (has_one_axis(kind) && shape.size() != 1) return "one number, how many chips there are";
  if (shape.empty() || shape.size() > kMostAxes) {
    return "1 to " + std::to_string(kMostAxes) + " numbers, e.g. [rows, columns]";
  }
  unsigned size = 1;
  for (const unsigned length : shape) {
    size *= length;
    if (kind == Kind::kRing && length < 3) {
      return "at least 3 chips: a ring of 2 is a line, its second edge would double the first";
    }
  }
  if (size < 2) return "at least 2 chips";
  return std::nullopt;
}

Topology::Topology(Kind kind, std::vector<unsigned> shape) : kind_(kind), shape_(std::move(shape)) {
  for (const unsigned length : shape_) size_ *= length;
  if (kind_ == Kind::kStar) {
    join_to_center();
  } else {
    join_neighbours();
  }
}

std::string Topology::kind_name() const {
  for (const auto& [name, kind] : kKinds) {
    if (kind == kind_) return name;
  }
  return "";
}

std::vector<unsigned> Topology::place(unsigned position) const {
  std::vector<unsigned> place(shape_.size());
  for (std::size_t axis = shape_.size(); axis-- > 0;) {
    place[axis] = position % shape_[axis];
    position /= shape_[axis];
  }
  return place;
}

unsigned Topology::row(unsigned position) const { return position / columns() % rows(); }
unsigned Topology::column(unsigned position) const { return position % columns(); }
unsigned Topology::rows() const { return shape_.size() < 2 ? 1 : shape_[shape_.size() - 2]; }

void Topology::join_neighbours() {
  const bool wraps = kind_ == Kind::kRing || kind_ == Kind::kTorus;
  for (unsigned position = 0; position < size_; ++position) {
    const std::vector<unsigned> at = place(position);
    unsigned step = size_;
    for (unsigned axis = 0; axis < shape_.size(); ++axis) {
      step /= shape_[axis];
      const bool last = at[axis] + 1 == shape_[axis];
      if (!last) {
        edges_.push_back({.a = position, .b = position + step, .axis = axis, .wraps = false});
      } else if (wraps && shape_[axis] > 2) {
        edges_.push_back(
            {.a = position, .b = position - at[axis] * step, .axis = axis, .wraps = true});
      }
    }
  }
}

void Topology::join_to_center() {
  for (unsigned position = 1; position < size_; ++position) {
    edges_.push_back({.a = 0, .b = position, .axis = 0, .wraps = false});
  }
}

}  // namespace tvp::platform
