#include "tests/prose/prose_check.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "tests/prose/declaration.h"

namespace tvp::prose {

namespace {

constexpr std::size_t kLongestExcerpt = 70;  ///< characters of a sentence in a finding

bool is_space(char c) { return c == ' ' || c == '\n' || c == Passage::kBreak; }
bool is_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || (c & 0x80) != 0 || c == '\'' ||
         c == '-' || c == '_';
}
std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool is_abbreviation(const std::string& word) {
  static const std::set<std::string> known{"e.g", "i.e", "vs", "cf", "fig", "no", "sec", "p", "pp"};
  return known.contains(word);
}

/// Second words that make a first word like "Called" a participle without a subject.
bool follows_participle(const std::string& word) {
  static const std::set<std::string> known{"by",   "in",    "from", "at",   "for",   "to",
                                           "with", "when",  "once", "as",   "on",    "only",
                                           "if",   "where", "anew", "here", "after", "before"};
  return known.contains(word);
}

bool is_participle(const std::string& word) {
  static const std::set<std::string> irregular{"being", "having", "using", "held",  "kept",
                                               "made",  "drawn",  "given", "taken", "written",
                                               "sent",  "seen",   "found", "known", "built"};
  return irregular.contains(word) || (word.size() > 4 && word.ends_with("ed") && word != "need" &&
                                      word != "speed" && word != "indeed" && word != "exceed");
}

std::string excerpt(const std::string& text) {
  std::string line = text.substr(0, kLongestExcerpt);
  while (text.size() > line.size() && !line.empty() && (line.back() & 0x80) != 0) line.pop_back();
  for (char& c : line)
    if (is_space(c)) c = ' ';
  return line + (text.size() > line.size() ? "…" : "");
}

}  // namespace

std::vector<ProseCheck::Sentence> ProseCheck::sentences(const Passage& passage) {
  std::vector<Sentence> all;
  const std::string& text = passage.text;
  Sentence now;
  unsigned line = passage.line;
  std::string word;
  bool in_code = false;
  const auto end_word = [&] {
    if (!word.empty()) now.words.push_back(lower(word));
    word.clear();
  };
  const auto end_sentence = [&] {
    end_word();
    if (!now.words.empty()) all.push_back(now);
    now = {};
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (now.text.empty()) {
      if (is_space(c)) {
        line += c == '\n';
        continue;
      }
      now.line = line;
    }
    line += c == '\n';
    now.text += c;
    if (c == '`') {
      if (in_code) word = "`";
      in_code = !in_code;
      continue;
    }
    if (in_code) continue;
    if (c == ']' && at + 1 < text.size() && text[at + 1] == '(') {  // a link's address is no prose
      end_word();
      const auto close = text.find(')', at);
      if (close == std::string::npos) continue;
      at = close;
      continue;
    }
    if (c == Passage::kBreak) {
      end_sentence();
    } else if (is_letter(c) || (c == '.' && at + 1 < text.size() && is_letter(text[at + 1]))) {
      word += c;
    } else if (c == '.' || c == '!' || c == '?') {
      auto next = at + 1;
      while (next < text.size() && (text[next] == ')' || text[next] == '"')) ++next;
      const bool ends = next == text.size() || is_space(text[next]);
      if (ends && !is_abbreviation(lower(word))) end_sentence();
    } else {
      end_word();
    }
  }
  end_sentence();
  return all;
}

bool ProseCheck::has_forbidden_opening(const Sentence& sentence) const {
  const auto& words = sentence.words;
  if (words.size() < 3 || sentence.text.ends_with('?')) return false;
  const std::string two = words[0] + " " + words[1];
  if (openings_.contains("!" + two)) return false;
  if (openings_.contains(words[0]) || openings_.contains(two)) return true;
  return is_participle(words[0]) && follows_participle(words[1]);
}

void ProseCheck::check_sentence(const Sentence& sentence, bool is_message,
                                std::vector<Finding>& found) const {
  const auto add = [&](const char* rule, const std::string& text) {
    found.push_back({"", sentence.line, rule, text});
  };
  if (sentence.words.size() > kMostWords) {
    add("long", std::to_string(sentence.words.size()) + " words in '" + excerpt(sentence.text) +
                    "', expected at most " + std::to_string(kMostWords));
  }
  const bool is_part = is_message && sentence.text.find('@') == 0;
  if (!is_part && has_forbidden_opening(sentence)) {
    add("opening", "'" + excerpt(sentence.text) + "' does not begin with its subject");
  }
  for (std::size_t i = 0; i < sentence.words.size(); ++i) {
    std::size_t length = 0;
    const std::string* instead = words_.replacement(sentence.words, i, length);
    if (instead == nullptr) continue;
    std::string phrase;
    for (std::size_t n = i; n < i + length; ++n) phrase += (n == i ? "" : " ") + sentence.words[n];
    add("word", "'" + phrase + "': write " + *instead);
    i += length - 1;
  }
}

void ProseCheck::check_spans(const Passage& passage, const std::set<std::string>& folders,
                             const DeclarationCheck* declarations,
                             std::vector<Finding>& found) const {
  const std::string& text = passage.text;
  for (auto open = text.find('`'); open != std::string::npos; open = text.find('`', open)) {
    const auto close = text.find('`', open + 1);
    if (close == std::string::npos) return;
    const std::string span = text.substr(open + 1, close - open - 1);
    const auto line =
        passage.line + static_cast<unsigned>(
                           std::count(text.begin(), text.begin() + static_cast<long>(open), '\n'));
    open = close + 1;
    const auto slash = span.find('/');
    const bool is_path = slash != std::string::npos && folders.contains(span.substr(0, slash)) &&
                         span.find_first_of(" *<…{") == std::string::npos &&
                         span.find("NAME") == std::string::npos;
    const std::string path = span.substr(0, span.find_last_not_of('/') + 1);
    if (is_path && !names_.contains(path)) {
      found.push_back({"", line, "path", "'" + span + "' does not exist in the tree"});
    } else if (const std::string name = names_.unknown_in(span); !is_path && !name.empty()) {
      found.push_back(
          {"", line, "name", "'" + name + "' is neither in the tree nor in GLOSSARY.md"});
    } else if (declarations != nullptr && declarations->is_misplaced(span, passage.end)) {
      found.push_back(
          {"", line, "place", "'" + span + "' belongs to a later declaration than the one below"});
    }
  }
}

std::vector<Finding> ProseCheck::check(const std::string& file, const Source& source,
                                       const std::set<std::string>& folders) const {
  std::vector<Finding> found;
  std::optional<DeclarationCheck> declarations;
  if (file.ends_with(".h") || file.ends_with(".hpp") || file.ends_with(".cpp"))
    declarations.emplace(source.code);
  for (const Passage& passage : source.passages) {
    const bool is_message = passage.kind == Passage::Kind::kMessage;
    for (const Sentence& sentence : sentences(passage)) check_sentence(sentence, is_message, found);
    check_spans(passage, folders,
                declarations && passage.kind == Passage::Kind::kComment ? &*declarations : nullptr,
                found);
  }
  for (Finding& finding : found) finding.file = file;
  std::stable_sort(found.begin(), found.end(),
                   [](const Finding& a, const Finding& b) { return a.line < b.line; });
  return found;
}

}  // namespace tvp::prose
