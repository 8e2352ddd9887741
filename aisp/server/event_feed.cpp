// SPDX-License-Identifier: Apache-2.0
#include "aisp/server/event_feed.h"

#include <algorithm>
#include <charconv>
#include <exception>
#include <limits>

#include <boost/asio/post.hpp>

#include "aisp/server/connection.h"

namespace aisp::server {
namespace {

std::optional<std::int64_t> number(const std::string& text) {
  std::int64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return text.empty() || read.ec != std::errc() ? std::nullopt : std::optional(value);
}

}  // namespace

EventFeed::EventFeed(boost::asio::io_context& context, boost::asio::thread_pool& pool,
                     const ServerOptions& options)
    : context_(context), pool_(pool), options_(options), timer_(context) {}

bool EventFeed::add(const std::shared_ptr<Connection>& connection, const std::string& after) {
  std::erase_if(listeners_, [](const Listener& each) { return each.connection.expired(); });
  if (listeners_.size() >= kMostListeners) return false;
  listeners_.push_back({connection, number(after)});
  look();
  return true;
}

void EventFeed::broadcast(const Event& event) {
  for (const Listener& each : listeners_)
    if (const auto connection = each.connection.lock()) connection->send(event_text(event));
}

void EventFeed::stop() {
  stopped_ = true;
  timer_.cancel();
}

void EventFeed::look() {
  if (stopped_ || listeners_.empty()) return;
  wait();
  if (!look_.expired()) return;
  // From where the one stands who is furthest behind; who has no place yet is told the last event.
  std::int64_t after = std::numeric_limits<std::int64_t>::max();
  for (const Listener& each : listeners_) after = std::min(after, each.seen.value_or(after));
  auto look = std::make_shared<int>();
  look_ = look;
  boost::asio::post(pool_, [this, after, look = std::move(look)]() mutable {
    try {
      News news = options_.news(after);
      boost::asio::post(
          context_, [this, after, news = std::move(news), look = std::move(look)] { deliver(news, after); });
    } catch (const std::exception&) {
      // Out of memory, most likely: the next look may have some. Passed on, it would end the server.
    }
  });
}

void EventFeed::deliver(const News& news, std::int64_t after) {
  const auto now = std::chrono::steady_clock::now();
  const bool quiet = now - alive_ >= options_.patience.keep_alive;
  if (quiet) alive_ = now;
  for (Listener& each : listeners_) {
    const auto connection = each.connection.lock();
    if (!connection) continue;
    if (!each.greeted) {
      connection->send(event_text({.kind = "hello", .data = "{\"last\":" + std::to_string(news.last) + "}"}));
      for (const Event& event : options_.greeting()) connection->send(event_text(event));
      each.greeted = true;
    }
    if (!each.seen) each.seen = news.last;
    if (*each.seen < after)
      continue;  // came while this was looked up, and stands further back: the next time
    for (const Event& event : news.events) {
      if (event.id <= *each.seen) continue;
      connection->send(event_text(event));
      each.seen = event.id;
    }
    if (quiet) connection->send(kKeepAlive);
  }
  std::erase_if(listeners_, [](const Listener& each) { return each.connection.expired(); });
}

void EventFeed::wait() {
  timer_.expires_after(options_.patience.poll);
  timer_.async_wait([this](boost::system::error_code error) {
    if (!error) look();
  });
}

}  // namespace aisp::server
