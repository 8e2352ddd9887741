// SPDX-License-Identifier: Apache-2.0
/// \file
/// One page of memory shared by a worker and its coordinator, on which the worker writes whose code it is
/// about to run. A message would wake the coordinator, and the scheduler may well put it on the core where
/// the timed call is just beginning; a page is read only when somebody wants to know: after a crash, or to
/// see a sign of life.
///
///   NoticeBoard board = *NoticeBoard::make();          // coordinator; board.fd() goes to the worker
///   NoticeBoard::attach(4).post("tiled");              // worker
///   board.read().text;                                 // "tiled", also after the worker has died
///
/// A second line, where there is one, says what keeps it while nothing else is heard.
///
/// Not a channel: a notice replaces the one before it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "aisp/core/result.h"

namespace aisp::harness {

struct Notice {
  std::uint32_t number = 0;  ///< grows with every notice; 0 = nothing was posted yet
  std::string text;

  std::string who() const { return text.substr(0, text.find('\n')); }
  std::string what() const { return who().size() < text.size() ? text.substr(who().size() + 1) : ""; }
};

/// Posted when a variant's call has returned, and what it asked of a device is waited for.
inline std::string still_on_device(const std::string& variant) {
  return variant + "\nwhat it started on the device is still running";
}

class NoticeBoard {
 public:
  static Result<NoticeBoard> make();
  /// The board that the coordinator handed over; an older coordinator hands over none.
  static NoticeBoard attach(int fd);

  NoticeBoard(NoticeBoard&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)), page_(std::exchange(other.page_, nullptr)) {}
  NoticeBoard& operator=(NoticeBoard&&) = delete;
  ~NoticeBoard();

  int fd() const { return fd_; }
  /// Keeps the first 255 bytes. False when there is no board.
  bool post(std::string_view text);
  Notice read() const;

 private:
  struct Page;
  NoticeBoard(int fd, Page* page) : fd_(fd), page_(page) {}
  int fd_ = -1;
  Page* page_ = nullptr;
};

}  // namespace aisp::harness
