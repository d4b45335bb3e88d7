#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tvp::collectives {

/// An element of an XML file, with its line. Text between elements must be blank.
struct XmlElement {
  std::string name;
  std::uint32_t line = 0;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<XmlElement> children;

  const std::string* attribute(const std::string& key) const;
};

/// The root element. Throws Fault(kDescription) at FILE:LINE for text that does not parse.
XmlElement parse_xml(const std::string& text, const std::string& file);

/// For an attribute in quotes.
std::string xml_escaped(const std::string& text);

}  // namespace tvp::collectives
