// SPDX-License-Identifier: Apache-2.0
#include "aisp/probes/kernel_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>

namespace aisp::probes {

std::optional<std::string> read_text(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  std::string text;
  char part[4096];
  ssize_t length = 0;
  while (text.size() < (1u << 20) && (length = read(file, part, sizeof part)) > 0)
    text.append(part, static_cast<std::size_t>(length));
  close(file);
  if (length < 0) return std::nullopt;
  return text;
}

std::optional<std::string> read_line(const std::string& path) {
  auto text = read_text(path);
  if (!text) return std::nullopt;
  text->resize(std::min(text->size(), text->find('\n')));
  while (!text->empty() && std::isspace(static_cast<unsigned char>(text->back()))) text->pop_back();
  return text;
}

std::optional<std::uint64_t> read_number(const std::string& path) {
  const auto line = read_line(path);
  if (!line) return std::nullopt;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(line->data(), line->data() + line->size(), value);
  if (error != std::errc{} || end != line->data() + line->size()) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> counter_in(const std::string& path, std::string_view key) {
  const auto text = read_text(path);
  if (!text) return std::nullopt;
  for (std::size_t at = 0; at < text->size();) {
    const std::size_t end = std::min(text->size(), text->find('\n', at));
    std::string_view line(text->data() + at, end - at);
    at = end + 1;
    if (!line.starts_with(key)) continue;
    line.remove_prefix(key.size());
    if (line.empty() || (line[0] != ' ' && line[0] != ':' && line[0] != '\t')) continue;
    line.remove_prefix(std::min(line.size(), line.find_first_of("0123456789")));
    std::uint64_t value = 0;
    if (std::from_chars(line.data(), line.data() + line.size(), value).ec == std::errc{}) return value;
  }
  return std::nullopt;
}

std::optional<std::string> chosen_in(const std::string& path) {
  const auto line = read_line(path);
  if (!line) return std::nullopt;
  const auto open_at = line->find('['), close_at = line->find(']');
  if (open_at == std::string::npos || close_at == std::string::npos || close_at < open_at)
    return std::nullopt;
  return line->substr(open_at + 1, close_at - open_at - 1);
}

std::vector<std::string> numbered_entries(const std::string& directory, std::string_view prefix) {
  std::vector<std::string> names;
  DIR* entries = opendir(directory.c_str());
  if (entries == nullptr) return names;
  while (const dirent* entry = readdir(entries)) {
    const std::string_view name = entry->d_name;
    if (name.starts_with(prefix) && name.size() > prefix.size() &&
        std::isdigit(static_cast<unsigned char>(name[prefix.size()])))
      names.emplace_back(name);
  }
  closedir(entries);
  std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  return names;
}

}  // namespace aisp::probes
