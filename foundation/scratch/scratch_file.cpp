#include "foundation/scratch/scratch_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "foundation/host_error.h"

namespace tvp::foundation {

ScratchFile::ScratchFile(std::string path)
    : path_(std::move(path)), file_(OutputFile::create_beside(path_)) {}

ScratchFile::~ScratchFile() {
  if (file_.path().empty()) return;
  unlink(file_.path().c_str());
}

void ScratchFile::publish() {
  file_.close();
  if (std::rename(file_.path().c_str(), path_.c_str()) != 0)
    throw HostError(path_, std::string("cannot be replaced: ") + std::strerror(errno));
  file_ = OutputFile();
}

}  // namespace tvp::foundation
