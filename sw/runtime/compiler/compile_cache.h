#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sw/runtime/compiler/cache_limit.h"
#include "sw/runtime/compiler/cache_scratch.h"
#include "sw/runtime/compiler/tool_process.h"

namespace tvp::runtime {

/// Images of the cross compiler by the content of their inputs. The command and the text of its
/// input are the key of an entry. The entry lists the image and every file that the compiler read,
/// with their hashes. It is valid only while all of them are unchanged. A damaged entry is compiled
/// again. The folder stays below a limit (CacheLimit) and keeps all images that this object has
/// returned. Failures of the machine (a full disk, a folder that cannot be written, a compiler that
/// is killed) throw HostError.
class CompileCache {
 public:
  /// One run of a tool that writes one file in its working folder.
  struct Job {
    enum class Tool {
      kCompiler,  ///< takes -o, and lists with -MD the files that it has read
      kLinker,    ///< takes -o
      kObjcopy,   ///< takes the output as its last argument
    };
    std::string name;                  ///< name of the source, for messages
    std::vector<std::string> command;  ///< command without the output option
    std::string key_text;              ///< other inputs of the output
    std::vector<std::string> inputs;   ///< files that the tool reads but does not list
    Tool tool = Tool::kCompiler;
    /// For a compiler that stops at its assembly: rewrites the assembly, then runs the command that
    /// continues with the result. A std::runtime_error counts as an error of the source.
    std::function<std::string(const std::string&)> rewrite;
    std::vector<std::string> second_command;
    /// A header that the command includes first and that may be precompiled. In this case the
    /// compiler does not list the files that it includes.
    std::string first_header;
    std::shared_ptr<const std::vector<std::string>> first_files;
    bool counted = true;  ///< false for images that only make others faster
  };
  struct Image {
    std::string path;
    std::string hash;  ///< hash of its content
  };

  /// Creates a missing `folder`. Throws HostError if it cannot be created, Fault(kDescription) for
  /// an invalid limit in the environment.
  explicit CompileCache(const std::string& folder);
  /// $TENSIX_VP_CACHE, or ~/.cache/tensix-vp. Throws Fault(kDescription) if the user has no home
  /// folder.
  static std::string default_folder();

  const std::string& folder() const { return folder_; }
  /// Sets a function that is called several times a second while a compiler runs. An exception from
  /// it ends the compilation.
  void set_waiting(std::function<void()> waiting) { waiting_ = std::move(waiting); }
  /// Sets a function that is called with the jobs before they run.
  void set_preparing(std::function<void(const std::vector<const Job*>&)> preparing) {
    preparing_ = std::move(preparing);
  }
  /// Returns the images in order. Runs the compiler, several at a time, for missing or stale ones.
  /// Throws CompileError with the compiler's text.
  std::vector<Image> build(const std::vector<Job>& jobs);
  /// Wall time of compilers and of keeping the folder below its limit.
  double seconds() const { return seconds_; }
  unsigned compiled() const { return compiled_; }

  /// Returns a folder that holds exactly `files` (path in it to text), named by their content.
  std::string generated(const std::map<std::string, std::string>& files);
  /// True if the job's image exists and is up to date.
  bool has(const Job& job) const;
  /// Files that the compiler read for the image.
  std::vector<std::string> files_of(const Image& image) const;
  /// Links `path`, in a generated folder, to the image, or removes the link.
  void link_to(const Image& image, const std::string& path);
  void unlink_from(const std::string& path) const;

 private:
  struct Running;

  std::string hash_of_file(const std::string& path) const;
  /// Returns the hash of the entry's image; nothing if it is missing, stale or damaged.
  std::optional<std::string> current_image(const std::string& entry) const;
  /// Returns the existing images in order; `missing` gets the others.
  std::vector<Image> look_up(const std::vector<Job>& jobs,
                             std::map<std::string, const Job*>& missing) const;
  Running start(const Job& job);
  /// Starts again for a source whose only errors are its hints (unroll_hints.h).
  Running preprocess(const Running& first);
  Running compile_without_hints(const Running& first);
  /// Starts the second command on the result of the first.
  Running go_on(const Running& first);
  /// Waits for one and removes it from `running`.
  Running finish_one(std::vector<Running>& running) const;
  /// Makes the tool's result in `folder` the entry.
  void keep(const std::string& folder, const std::string& entry, const Job& job,
            std::int64_t started_ns);
  void write_manifest(const std::string& folder, const Job& job, std::int64_t started_ns) const;
  /// Makes `folder` the entry in one step, unless `good` returns true for an existing one.
  void publish(const std::string& folder, const std::string& entry,
               const std::function<bool()>& good);
  void replace(const std::string& folder, const std::string& entry);
  std::string new_scratch();
  /// Protects the entry from removal by this process and others.
  void mark(const std::string& entry) const;
  void hold_limit();
  void add_seconds_since(std::chrono::steady_clock::time_point begin);

  std::string folder_;
  std::function<void()> waiting_ = [] {};
  std::function<void(const std::vector<const Job*>&)> preparing_ =
      [](const std::vector<const Job*>&) {};
  double seconds_ = 0;
  unsigned compiled_ = 0;
  std::unique_ptr<CacheScratch> scratch_;  ///< null for a read-only cache
  CacheLimit limit_;
  bool held_limit_ = false;
  /// Path to stamp and hash.
  mutable std::map<std::string, std::pair<std::string, std::string>> file_hashes_;
};

}  // namespace tvp::runtime
