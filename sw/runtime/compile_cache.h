#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tvp::runtime {

/// Images of the cross compiler by the content that they were made from: the command with the text
/// of its input names an entry; the entry lists every file that the compiler read with its hash,
/// and is used only while all of them are unchanged.
class CompileCache {
 public:
  /// One run of the compiler: `command` makes `output_name` in its working folder and the
  /// dependency file "dependencies.d".
  struct Job {
    std::string name;                  ///< of the source, for messages
    std::vector<std::string> command;  ///< without -o and -MF
    std::string key_text;              ///< what else the output depends on
    std::vector<std::string> inputs;   ///< files read that the dependency file does not name
  };

  /// `folder` is made when missing.
  explicit CompileCache(std::string folder);
  /// $TENSIX_VP_CACHE, or ~/.cache/tensix-vp.
  static std::string default_folder();

  const std::string& folder() const { return folder_; }
  /// Paths of the images, in order. Runs the compiler, several at a time, for those that are
  /// missing or stale. Throws CompileError with the compiler's text.
  std::vector<std::string> build(const std::vector<Job>& jobs);
  /// Wall time spent with the compiler running.
  double seconds() const { return seconds_; }
  unsigned compiled() const { return compiled_; }

  /// Of the content, as it is now.
  std::string hash_of_file(const std::string& path) const;
  /// A folder that holds exactly `files` (path in it to text), named by their content.
  std::string generated(const std::map<std::string, std::string>& files);

 private:
  bool up_to_date(const std::string& entry) const;
  void write_manifest(const std::string& entry, const Job& job) const;
  /// Makes `folder` the entry, atomically.
  void publish(const std::string& folder, const std::string& entry) const;

  std::string folder_;
  double seconds_ = 0;
  unsigned compiled_ = 0;
  /// Path to stamp and hash.
  mutable std::map<std::string, std::pair<std::string, std::string>> file_hashes_;
};

}  // namespace tvp::runtime
