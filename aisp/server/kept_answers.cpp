// SPDX-License-Identifier: Apache-2.0
#include "aisp/server/kept_answers.h"

namespace aisp::server {

void KeptAnswers::forget_all() {
  by_target_.clear();
  entries_.clear();
  bytes_ = 0;
}

/// Nothing is allocated once the turn is taken: one that is never given back keeps everybody waiting.
KeptAnswers::Turn::Turn(KeptAnswers& answers, const std::string& target) : answers_(answers) {
  std::unique_lock lock(answers.mutex_);
  answers.ended_.wait(lock, [&] {
    const auto [at, inserted] = answers.being_made_.insert(target);
    turn_ = at;
    return inserted;
  });
}

void KeptAnswers::end_turn(std::set<std::string>::iterator turn) {
  {
    const std::lock_guard lock(mutex_);
    being_made_.erase(turn);
  }
  ended_.notify_all();
}

std::shared_ptr<const Response> KeptAnswers::find(const std::string& target, const std::string& version) {
  const std::lock_guard lock(mutex_);
  if (version != version_) return nullptr;
  const auto found = by_target_.find(target);
  if (found == by_target_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->response;
}

bool KeptAnswers::worth_keeping(std::size_t bytes, std::chrono::nanoseconds took) const {
  return bytes <= most_bytes_ / 4 && (bytes <= kSmall || took >= kLong);
}

void KeptAnswers::keep(const std::string& target, const std::string& version,
                       std::shared_ptr<const Response> response, std::chrono::nanoseconds took) {
  const std::size_t size = response->body.size() + target.size();
  if (!worth_keeping(size, took)) return;
  const std::lock_guard lock(mutex_);
  if (version != version_) {
    forget_all();
    version_ = version;
  }
  // Named before it is listed: what is listed is counted, and memory may be refused in between.
  const auto [named, is_new] = by_target_.try_emplace(target, entries_.end());
  if (!is_new) return;
  try {
    entries_.push_front({target, std::move(response)});
  } catch (...) {
    by_target_.erase(named);
    throw;
  }
  named->second = entries_.begin();
  bytes_ += size;
  while (bytes_ > most_bytes_) {
    const Entry& last = entries_.back();
    bytes_ -= last.response->body.size() + last.target.size();
    by_target_.erase(last.target);
    entries_.pop_back();
  }
}

}  // namespace aisp::server
