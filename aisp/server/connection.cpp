// SPDX-License-Identifier: Apache-2.0
#include "aisp/server/connection.h"

#include <new>

#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>

#include "aisp/server/event_feed.h"
#include "aisp/server/response_text.h"

namespace aisp::server {
namespace {

namespace asio = boost::asio;
using ErrorOr = boost::system::error_code;

constexpr std::size_t kMostWaiting = std::size_t{1} << 20;  ///< bytes of events that a client has not taken
constexpr std::size_t kMostLingered = std::size_t{1} << 20;

struct CountDown {
  void operator()(std::atomic<int>* count) const { --*count; }
};
/// One of those that are counted, until it ends.
using Counted = std::unique_ptr<std::atomic<int>, CountDown>;

}  // namespace

Connection::Connection(Socket socket, Shared& shared)
    : socket_(std::move(socket)),
      shared_(shared),
      deadline_(socket_.get_executor()),
      reader_(shared.options.limits) {
  ++shared_.open;
}

Connection::~Connection() { --shared_.open; }

/// A step that memory is refused to leaves half of a request or of a response behind: no other may follow.
template <class Step>
void Connection::or_close(Step step) {
  try {
    step();
  } catch (const std::bad_alloc&) {
    close();
  }
}

void Connection::begin() {
  ErrorOr ignored;
  (void)socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
  or_close([&] {
    within(shared_.options.patience.request, true);
    read();
  });
}

void Connection::close() {
  if (closed_) return;
  closed_ = true;
  deadline_.cancel();
  ErrorOr ignored;
  (void)socket_.close(ignored);
}

/// Ends the connection when its time is over; `tell`s a client that was too slow.
void Connection::within(std::chrono::milliseconds time, bool tell) {
  deadline_.expires_after(time);
  deadline_.async_wait([self = shared_from_this(), tell, number = ++deadlines_](ErrorOr error) {
    if (error || self->closed_ || number != self->deadlines_) return;
    if (!tell || !self->outgoing_.empty()) return self->close();
    (void)self->socket_.cancel(error);
    self->or_close([&] {
      self->write(
          early_refusal_text(refusal(408, "the request did not come in time", "send all of it at once")),
          false);
    });
  });
}

void Connection::at_leisure() {
  ++deadlines_;
  deadline_.cancel();
}

void Connection::read() {
  socket_.async_read_some(asio::buffer(chunk_), [self = shared_from_this()](ErrorOr error, std::size_t size) {
    if (error == asio::error::operation_aborted) return;  // by the deadline
    if (error) return self->close();
    self->or_close([&] {
      self->reader_.put({self->chunk_.data(), size});
      self->next_request();
    });
  });
}

void Connection::next_request() {
  auto read_one = reader_.next();
  if (!read_one) {
    // The clock of a request runs from its first byte, however many follow one by one.
    const bool begun = reader_.begun();
    if (begun && !timed_) within(shared_.options.patience.request, true);
    timed_ = begun;
    return read();
  }
  timed_ = false;
  at_leisure();
  if (auto* request = std::get_if<Request>(&*read_one)) return answer(std::move(*request));
  write(early_refusal_text(std::get<Response>(std::move(*read_one))), false);
}

void Connection::answer(Request request) {
  ++shared_.answering;
  Counted counted(&shared_.answering);
  asio::post(*shared_.pool,
             [self = shared_from_this(), asked = std::move(request), counted = std::move(counted)]() mutable {
               try {
                 Response response = self->shared_.options.service->answer(asked);
                 std::string text = response_text(response, asked, asked.keep_alive && !response.events);
                 response.body.clear();
                 // Handed over, not shared: a connection ends on the thread that moves bytes.
                 const auto executor = self->socket_.get_executor();
                 asio::post(executor, [self = std::move(self), asked = std::move(asked),
                                       response = std::move(response), text = std::move(text)]() mutable {
                   self->or_close([&] { self->deliver(asked, response, std::move(text)); });
                 });
               } catch (const std::bad_alloc&) {
                 // Whoever asked is let go: nothing else refers to the connection now. Passed on, it would
                 // end the server.
               }
             });
}

void Connection::deliver(const Request& asked, const Response& response, std::string text) {
  if (closed_) return;
  if (!response.events || asked.method == "HEAD")
    return write(std::move(text), asked.keep_alive && !response.events);
  waiting_ = std::move(text);
  listen_for_events(response);
}

void Connection::write(std::string text, bool keep_alive) {
  outgoing_ = std::move(text);
  within(shared_.options.patience.write, false);
  asio::async_write(socket_, asio::buffer(outgoing_),
                    [self = shared_from_this(), keep_alive](ErrorOr error, std::size_t) {
                      self->outgoing_.clear();
                      self->at_leisure();
                      if (error) return self->close();
                      self->or_close([&] {
                        if (!keep_alive) return self->linger();
                        self->within(self->shared_.options.patience.idle, false);
                        self->next_request();
                      });
                    });
}

void Connection::listen_for_events(const Response& response) {
  if (!shared_.feed->add(shared_from_this(), response.after)) {
    waiting_.clear();
    return write(early_refusal_text(refusal(503, "too many listen for events already", "close some pages")),
                 false);
  }
  events_ = true;
  notice_end();
  write_events();
}

void Connection::send(const std::string& text) {
  if (closed_) return;
  if (waiting_.size() + text.size() > kMostWaiting) return close();
  or_close([&] {
    waiting_ += text;
    if (outgoing_.empty()) write_events();
  });
}

void Connection::write_events() {
  if (waiting_.empty() || closed_) return;
  outgoing_.swap(waiting_);
  within(shared_.options.patience.write, false);
  asio::async_write(socket_, asio::buffer(outgoing_),
                    [self = shared_from_this()](ErrorOr error, std::size_t) {
                      self->outgoing_.clear();
                      self->at_leisure();
                      if (error) return self->close();
                      self->or_close([&] { self->write_events(); });
                    });
}

/// A client of events says nothing more; that it went away shows in its end of the stream.
void Connection::notice_end() {
  socket_.async_read_some(asio::buffer(chunk_), [self = shared_from_this()](ErrorOr error, std::size_t) {
    if (error) return self->close();
    self->or_close([&] { self->notice_end(); });
  });
}

/// Closing with bytes unread would reset the connection and may take the response with it.
void Connection::linger() {
  ErrorOr ignored;
  (void)socket_.shutdown(Socket::shutdown_send, ignored);
  within(std::chrono::seconds(1), false);
  const auto drain = [self = shared_from_this()](auto& again) -> void {
    self->socket_.async_read_some(asio::buffer(self->chunk_), [self, again](ErrorOr error, std::size_t size) {
      self->lingered_ += size;
      if (error || self->lingered_ > kMostLingered) return self->close();
      self->or_close([&] { again(again); });
    });
  };
  drain(drain);
}

}  // namespace aisp::server
