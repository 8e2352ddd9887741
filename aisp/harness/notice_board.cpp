// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/notice_board.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace aisp::harness {

struct NoticeBoard::Page {
  std::atomic<std::uint32_t> number;
  std::atomic<std::uint32_t> length;
  char text[255];
};

Result<NoticeBoard> NoticeBoard::make() {
  const int fd = memfd_create("aisp-notices", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  // Workload code has the descriptor too. A page cut off under the reader's hands would kill the reader.
  constexpr int kFixedSize = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  if (fd < 0 || ftruncate(fd, sizeof(Page)) != 0 || fcntl(fd, F_ADD_SEALS, kFixedSize) != 0) {
    const Error error{ErrorCode::environment,
                      std::string("no shared page for a worker: ") + std::strerror(errno),
                      "raise the limit of open files"};
    if (fd >= 0) ::close(fd);
    return error;
  }
  NoticeBoard board = attach(fd);
  if (board.page_ == nullptr) return Error{ErrorCode::environment, "no shared page for a worker", ""};
  return board;
}

NoticeBoard NoticeBoard::attach(int fd) {
  void* page = mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  return {fd, page == MAP_FAILED ? nullptr : static_cast<Page*>(page)};
}

NoticeBoard::~NoticeBoard() {
  if (page_ != nullptr) munmap(page_, sizeof(Page));
  if (fd_ >= 0) ::close(fd_);
}

bool NoticeBoard::post(std::string_view text) {
  if (page_ == nullptr) return false;
  const auto length = static_cast<std::uint32_t>(std::min(text.size(), sizeof page_->text));
  std::memcpy(page_->text, text.data(), length);
  page_->length.store(length, std::memory_order_relaxed);
  page_->number.fetch_add(1, std::memory_order_release);
  return true;
}

Notice NoticeBoard::read() const {
  if (page_ == nullptr) return {};
  const std::uint32_t number = page_->number.load(std::memory_order_acquire);
  // The other side may have written anything here.
  const std::size_t length =
      std::min<std::size_t>(page_->length.load(std::memory_order_relaxed), sizeof page_->text);
  return {number, number == 0 ? std::string() : std::string(page_->text, length)};
}

}  // namespace aisp::harness
