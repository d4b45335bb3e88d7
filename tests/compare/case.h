#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/compare/data.h"

namespace tvp::compare {

class Bench;

/// A program with its data. The memory that it leaves is compared.
struct Case {
  std::string name;
  std::function<Bytes(Bench&, Random&)> run;
};

std::vector<Case> movement_cases();
std::vector<Case> tile_cases();
std::vector<Case> vector_cases();

}  // namespace tvp::compare
