#pragma once

#include <set>
#include <string>
#include <vector>

#include "tests/prose/known_names.h"
#include "tests/prose/passage.h"
#include "tests/prose/word_list.h"

namespace tvp::prose {

struct Finding {
  std::string file;
  unsigned line = 0;
  std::string rule;  ///< long, opening, word, name, path or place
  std::string text;
};

/// The rules for prose: one function each.
class ProseCheck {
 public:
  static constexpr std::size_t kMostWords = 30;  ///< a longer sentence is a finding

  ProseCheck(WordList words, std::set<std::string> openings, KnownNames names)
      : words_(std::move(words)), openings_(std::move(openings)), names_(std::move(names)) {}

  /// `folders`: the folders at the top of the tree, by which a path is known.
  std::vector<Finding> check(const std::string& file, const Source& source,
                             const std::set<std::string>& folders) const;

 private:
  struct Sentence {
    std::string text;
    std::vector<std::string> words;  ///< lower case; a code span is one word, "`"
    unsigned line = 0;
  };
  static std::vector<Sentence> sentences(const Passage& passage);
  void check_sentence(const Sentence& sentence, bool is_message, std::vector<Finding>& found) const;
  void check_spans(const Passage& passage, const std::set<std::string>& folders,
                   const class DeclarationCheck* declarations, std::vector<Finding>& found) const;
  bool has_forbidden_opening(const Sentence& sentence, bool is_message) const;

  WordList words_;
  std::set<std::string> openings_;
  KnownNames names_;
};

}  // namespace tvp::prose
