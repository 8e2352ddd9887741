// SPDX-License-Identifier: Apache-2.0
/// \file
/// Answers that are given again while the data behind them are the same, and made once for all that ask at
/// the same time. Thread-safe.
///
///   if (const auto kept = answers.find(target, version)) return *kept;
///   const auto turn = answers.turn(target);                              // waits while another makes it
///   if (const auto kept = answers.find(target, version)) return *kept;
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "aisp/server/message.h"

namespace aisp::server {

class KeptAnswers {
 public:
  explicit KeptAnswers(std::size_t most_bytes = std::size_t{96} << 20) : most_bytes_(most_bytes) {}

  /// The right to make the answer to a target, given back by its end.
  class Turn {
   public:
    Turn(KeptAnswers& answers, const std::string& target);
    ~Turn() { answers_.end_turn(turn_); }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    KeptAnswers& answers_;
    std::set<std::string>::iterator turn_;
  };
  [[nodiscard]] Turn turn(const std::string& target) { return {*this, target}; }

  /// nullptr where there is none for this target of this version of the data.
  std::shared_ptr<const Response> find(const std::string& target, const std::string& version);
  /// Those that were used longest ago make room. A large one would push out many, and is kept only where
  /// making it took long.
  void keep(const std::string& target, const std::string& version, std::shared_ptr<const Response> response,
            std::chrono::nanoseconds took);

 private:
  static constexpr std::size_t kSmall = std::size_t{512} << 10;
  static constexpr std::chrono::milliseconds kLong{40};
  bool worth_keeping(std::size_t bytes, std::chrono::nanoseconds took) const;
  struct Entry {
    std::string target;
    std::shared_ptr<const Response> response;
  };
  void end_turn(std::set<std::string>::iterator turn);
  void forget_all();

  std::mutex mutex_;
  std::condition_variable ended_;
  std::set<std::string> being_made_;
  std::size_t most_bytes_, bytes_ = 0;
  std::string version_;
  std::list<Entry> entries_;  ///< used last first
  std::map<std::string, std::list<Entry>::iterator, std::less<>> by_target_;
};

}  // namespace aisp::server
