#pragma once

#include <optional>
#include <string>
#include <system_error>

#include "foundation/output_file.h"
#include "foundation/process.h"
#include "tests/support/test_folder.h"

namespace tvp::report {

/// The document after a browser has executed the scripts of a page in a window of this width; empty
/// without a browser.
inline std::optional<std::string> document_of(const std::string& page, unsigned width = 800) {
  const test::TestFolder folder("page");
  foundation::write_file(folder.file("page.html"), page);
  try {
    foundation::Process browser(
        {.command = {"chromium", "--headless", "--no-sandbox", "--disable-gpu",
                     "--disable-dev-shm-usage", "--window-size=" + std::to_string(width) + ",600",
                     "--dump-dom", "file://" + folder.file("page.html")},
         .environment = {"HOME=" + folder.path()},
         .errors = "/dev/null"});
    browser.finish(50);
    return browser.said();
  } catch (const std::system_error&) {
    return std::nullopt;
  }
}

}  // namespace tvp::report
