#include "platform/system/board.h"

#include "platform/system/free_board.h"
#include "platform/system/galaxy_board.h"
#include "platform/system/n300_board.h"

namespace tvp::platform {

namespace {

std::vector<std::unique_ptr<Board>> all_boards() {
  std::vector<std::unique_ptr<Board>> boards;
  boards.push_back(std::make_unique<FreeBoard>());
  boards.push_back(std::make_unique<N300Board>());
  boards.push_back(std::make_unique<GalaxyBoard>());
  return boards;
}

}  // namespace

std::unique_ptr<Board> make_board(const std::string& name) {
  for (auto& board : all_boards()) {
    if (board->name() == name) return std::move(board);
  }
  return nullptr;
}

std::string board_names() {
  std::string names;
  for (const auto& board : all_boards()) names += (names.empty() ? "" : ", ") + board->name();
  return names;
}

}  // namespace tvp::platform
