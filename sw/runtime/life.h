#pragma once

#include <memory>

namespace tvp::runtime {

/// Lifetime of an object that others refer to and may outlive. They keep a watch and test it before
/// use.
class Life {
 public:
  using Watch = std::weak_ptr<const void>;
  Life() : token_(std::make_shared<char>()) {}
  Watch watch() const { return token_; }
  void end() { token_.reset(); }

 private:
  std::shared_ptr<const void> token_;
};

}  // namespace tvp::runtime
