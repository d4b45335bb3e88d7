#pragma once

#include <string>
#include <systemc>
#include <vector>

namespace tvp::tests {

/// Keeps the reports of SystemC instead of printing or throwing them. One at a time.
class ReportRecorder {
 public:
  struct Report {
    sc_core::sc_severity severity;
    std::string type;
    std::string text;
  };

  ReportRecorder() {
    reports().clear();
    sc_core::sc_report_handler::set_handler(&ReportRecorder::keep);
  }
  ~ReportRecorder() {
    sc_core::sc_report_handler::set_handler(&sc_core::sc_report_handler::default_handler);
  }
  ReportRecorder(const ReportRecorder&) = delete;
  ReportRecorder& operator=(const ReportRecorder&) = delete;

  /// Reports since the construction or the last clear().
  static std::vector<Report>& reports() {
    static std::vector<Report> reports;
    return reports;
  }
  /// Number of those with the severity whose texts contain all of `words`.
  static unsigned count(sc_core::sc_severity severity, const std::vector<std::string>& words) {
    unsigned found = 0;
    for (const Report& report : reports()) {
      bool all = report.severity == severity;
      for (const std::string& word : words)
        all = all && report.text.find(word) != std::string::npos;
      found += all ? 1 : 0;
    }
    return found;
  }

 private:
  static void keep(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
    if (report.get_severity() == sc_core::SC_FATAL) {
      return sc_core::sc_report_handler::default_handler(report, actions);
    }
    reports().push_back({report.get_severity(), report.get_msg_type(), report.get_msg()});
  }
};

}  // namespace tvp::tests
