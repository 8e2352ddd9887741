// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/explain.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <sstream>

#include "aisp/guards/handbook.h"
#include "aisp/guards/judge.h"

namespace aisp::guards {
namespace {

/// Lower case, with '-' and '_' as spaces: how a name is compared.
std::string plain(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    c = (c == '-' || c == '_') ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return result;
}

bool has_all_words(const std::string& title, const std::string& asked) {
  std::istringstream words(asked);
  std::string word;
  bool any = false;
  while (words >> word) {
    any = true;
    if (title.find(word) == std::string::npos) return false;
  }
  return any;
}

std::vector<const Issue*> issues_matching(std::string_view asked) {
  std::vector<const Issue*> found;
  const std::string wanted = plain(asked);
  for (const Issue& issue : catalogue()) {
    const std::string title = plain(issue.title);
    if (title == wanted) return {&issue};
    if (has_all_words(title, wanted)) found.push_back(&issue);
  }
  return found;
}

std::optional<int> number_in(std::string_view asked) {
  if (asked.starts_with('#')) asked.remove_prefix(1);
  int number = 0;
  const auto [end, error] = std::from_chars(asked.data(), asked.data() + asked.size(), number);
  if (error != std::errc() || end != asked.data() + asked.size()) return std::nullopt;
  return number;
}

/// Breaks at spaces so that no line exceeds 96 characters of its own; later lines are indented like the
/// first.
std::string paragraph(std::string_view label, std::string_view text) {
  constexpr std::size_t kWidth = 96, kIndent = 10;
  std::string result(label);
  if (result.size() >= kIndent) result += "\n" + std::string(kIndent, ' ');  // a label is never cut
  result.resize(std::max(result.size(), kIndent), ' ');
  std::size_t column = kIndent;
  std::istringstream words{std::string(text)};
  std::string word;
  while (words >> word) {
    if (column > kIndent && column + 1 + word.size() > kWidth) {
      result += "\n" + std::string(kIndent, ' ');
      column = kIndent;
    }
    if (column > kIndent) {
      result += ' ';
      ++column;
    }
    result += word;
    column += word.size();
  }
  return result + "\n";
}

}  // namespace

std::string explain(const Issue& issue) {
  std::string text = "#" + std::to_string(issue.number) + "  " + std::string(issue.title) + "  (" +
                     std::string(issue.category) + ")\n\n";
  text += paragraph("What", issue.meaning);
  text += paragraph("Incident", issue.incident);
  text += paragraph("In aisp", issue.defence);
  text += paragraph("Covered", name_of(issue.cover));
  for (const std::string_view id : issue.guards) {
    if (const Guard* guard = find(id))
      text += paragraph("Guard", std::string(id) + ": " + std::string(guard->question));
  }
  return text;
}

std::string explain(const Guard& guard) {
  std::string text = std::string(guard.id) + "\n\n";
  text += paragraph("Question", guard.question);
  for (const auto& [name, point] : handbook_points(guard.id))
    text += paragraph(name == "What to do" ? "To do" : name, point);
  text += paragraph("Unknown", "makes a row unproven under the policy '" +
                                   std::string(name_of(guard.required_from)) + "'" +
                                   (guard.required_from == Policy::strict ? "" : " and stricter ones"));
  for (const int number : guard.issues) {
    if (const Issue* issue = find_issue(number)) {
      text += paragraph("Issue", "#" + std::to_string(number) + " " + std::string(issue->title));
    }
  }
  return text;
}

std::string explain_issue(int number) {
  const Issue* issue = find_issue(number);
  return issue == nullptr ? std::string() : explain(*issue);
}

std::string explain_guard(std::string_view id) {
  const Guard* guard = find(id);
  return guard == nullptr ? std::string() : explain(*guard);
}

std::optional<std::string> explain(std::string_view asked) {
  if (const auto number = number_in(asked)) {
    const Issue* issue = find_issue(*number);
    return issue == nullptr ? std::nullopt : std::optional(explain(*issue));
  }
  const auto guards = all();
  const auto guard = std::ranges::find(guards, plain(asked), [](const Guard& g) { return plain(g.id); });
  if (guard != guards.end()) return explain(*guard);
  const auto found = issues_matching(asked);
  return found.size() == 1 ? std::optional(explain(*found.front())) : std::nullopt;
}

std::vector<std::string> titles_matching(std::string_view asked) {
  std::vector<std::string> titles;
  for (const Issue* issue : issues_matching(asked)) titles.emplace_back(issue->title);
  return titles;
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const Guard& guard : all()) result.emplace_back(guard.id);
  for (const Issue& issue : catalogue()) result.emplace_back(issue.title);
  return result;
}

std::string overview() {
  std::size_t width = 0;
  for (const Guard& guard : all()) width = std::max(width, guard.id.size());
  std::string text;
  for (const Guard& guard : all()) {
    text += std::string(guard.id) + std::string(width + 2 - guard.id.size(), ' ') +
            std::string(guard.question) + "\n";
  }
  text += "\n";
  for (const Issue& issue : catalogue()) {
    const std::string number = "#" + std::to_string(issue.number);
    text += number + std::string(5 - number.size(), ' ') + std::string(issue.title) + "  [" +
            std::string(name_of(issue.cover)) + "]\n";
  }
  return text;
}

}  // namespace aisp::guards
