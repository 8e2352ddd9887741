// SPDX-License-Identifier: Apache-2.0
/// \file
/// Answers that are given again while the data behind them are the same. Thread-safe.
#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "aisp/server/message.h"

namespace aisp::server {

class KeptAnswers {
 public:
  explicit KeptAnswers(std::size_t most_bytes = std::size_t{32} << 20) : most_bytes_(most_bytes) {}

  /// nullptr where there is none for this target of this version of the data.
  std::shared_ptr<const Response> find(const std::string& target, const std::string& version);
  /// Those that were used longest ago make room; one that is too large is not kept.
  void keep(const std::string& target, const std::string& version, std::shared_ptr<const Response> response);

 private:
  struct Entry {
    std::string target;
    std::shared_ptr<const Response> response;
  };
  void forget_all();

  std::mutex mutex_;
  std::size_t most_bytes_, bytes_ = 0;
  std::string version_;
  std::list<Entry> entries_;  ///< used last first
  std::map<std::string, std::list<Entry>::iterator, std::less<>> by_target_;
};

}  // namespace aisp::server
