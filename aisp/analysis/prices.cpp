// SPDX-License-Identifier: Apache-2.0
#include "aisp/analysis/prices.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace aisp::analysis {

bool contains_word(std::string_view text, std::string_view word) {
  const auto same = [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); };
  const auto goes_on = [&](std::size_t at) {
    return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])) != 0;
  };
  if (word.empty()) return false;
  for (std::size_t at = 0; at + word.size() <= text.size(); ++at) {
    if (!std::ranges::equal(text.substr(at, word.size()), word, same)) continue;
    if ((at == 0 || !goes_on(at - 1)) && !goes_on(at + word.size())) return true;
  }
  return false;
}

Result<std::vector<Price>> price_table(const std::vector<std::string>& own) {
  std::vector<Price> prices{{"B200", 5.00}, {"H100", 3.50}, {"A100", 2.00},
                            {"L40S", 1.50}, {"A10G", 1.00}, {"T4", 0.50}};
  for (const std::string& entry : own) {
    const std::size_t equals = entry.rfind('=');
    double dollars = 0;
    const char* end = entry.data() + entry.size();
    const auto read = equals == std::string::npos
                          ? std::from_chars_result{entry.data(), std::errc::invalid_argument}
                          : std::from_chars(entry.data() + equals + 1, end, dollars);
    if (equals == 0 || read.ec != std::errc() || read.ptr != end || !std::isfinite(dollars) || dollars < 0) {
      return Error{ErrorCode::usage, "'" + entry + "' is not a price",
                   "write a word of the machine's name and dollars for an hour: H200=4.10"};
    }
    const Price price{entry.substr(0, equals), dollars, false};
    const auto known = std::ranges::find_if(prices, [&](const Price& each) {
      return each.machine.size() == price.machine.size() && contains_word(each.machine, price.machine);
    });
    if (known == prices.end()) {
      prices.push_back(price);
    } else {
      *known = price;
    }
  }
  return prices;
}

const Price* price_of(std::string_view hardware, const std::vector<Price>& prices) {
  const Price* best = nullptr;
  for (const Price& price : prices) {
    if (!contains_word(hardware, price.machine)) continue;
    if (best == nullptr || price.machine.size() > best->machine.size()) best = &price;
  }
  return best;
}

}  // namespace aisp::analysis
