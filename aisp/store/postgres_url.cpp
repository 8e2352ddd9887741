// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/postgres_url.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace aisp::store {
namespace {

constexpr std::array<std::string_view, 2> kSchemes{"postgres://", "postgresql://"};

/// Where the password lies between user and host: first and one past the last character of it.
struct Range {
  std::size_t first = 0, last = 0;
};

std::size_t scheme_size(std::string_view url) {
  for (const std::string_view scheme : kSchemes) {
    if (url.starts_with(scheme)) return scheme.size();
  }
  return 0;
}

/// Up to the last '@': a password with an '@' or a '/' that was not escaped must not show either.
std::optional<Range> password_of(std::string_view url) {
  const std::size_t begin = scheme_size(url), query = std::min(url.find('?'), url.size());
  const std::size_t at = url.substr(0, query).rfind('@');
  if (begin == 0 || at == std::string_view::npos || at < begin) return std::nullopt;
  const std::size_t colon = url.find(':', begin);
  if (colon == std::string_view::npos || colon > at) return std::nullopt;
  return Range{colon + 1, at};
}

bool is_secret(std::string_view parameter) {
  return parameter.starts_with("password=") || parameter.starts_with("sslpassword=");
}

std::vector<std::string_view> parameters_of(std::string_view url) {
  std::vector<std::string_view> parameters;
  const std::size_t query = url.find('?');
  if (query == std::string_view::npos) return parameters;
  for (std::string_view rest = url.substr(query + 1);;) {
    const std::size_t end = std::min(rest.find('&'), rest.size());
    parameters.push_back(rest.substr(0, end));
    if (end == rest.size()) return parameters;
    rest.remove_prefix(end + 1);
  }
}

std::string decoded(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escaped = text[i] == '%' && i + 2 < text.size() &&
                         std::isxdigit(static_cast<unsigned char>(text[i + 1])) != 0 &&
                         std::isxdigit(static_cast<unsigned char>(text[i + 2])) != 0;
    if (!escaped) {
      plain += text[i];
      continue;
    }
    plain += static_cast<char>(std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16));
    i += 2;
  }
  return plain;
}

}  // namespace

bool is_postgres_url(std::string_view store) { return scheme_size(store) > 0; }

std::string without_password(std::string_view url) {
  const std::size_t query = std::min(url.find('?'), url.size());
  std::string shown(url.substr(0, query));
  if (const auto password = password_of(url))
    shown.erase(password->first - 1, password->last - password->first + 1);
  char separator = '?';
  for (const std::string_view parameter : parameters_of(url)) {
    if (is_secret(parameter)) continue;
    shown += separator;
    shown += parameter;
    separator = '&';
  }
  return shown;
}

std::string without_passwords(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    std::size_t at = text.size();
    for (const std::string_view scheme : kSchemes) at = std::min(at, text.find(scheme));
    shown += text.substr(0, at);
    text.remove_prefix(at);
    const std::size_t end = std::min(text.find_first_of(" \t\r\n'\""), text.size());
    if (end > 0) shown += without_password(text.substr(0, end));
    text.remove_prefix(end);
  }
  return shown;
}

std::vector<std::string> secrets_in(std::string_view url) {
  std::vector<std::string> secrets;
  const auto add = [&](std::string_view secret) {
    if (secret.empty()) return;
    secrets.emplace_back(secret);
    secrets.push_back(decoded(secret));
  };
  if (const auto password = password_of(url))
    add(url.substr(password->first, password->last - password->first));
  for (const std::string_view parameter : parameters_of(url)) {
    if (is_secret(parameter)) add(parameter.substr(parameter.find('=') + 1));
  }
  return secrets;
}

}  // namespace aisp::store
