// SPDX-License-Identifier: Apache-2.0
/// \file
/// A client that sends exactly the bytes it is given, as no library would.
///
///   Client client(port);
///   client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
///   EXPECT_EQ(client.receive().status, 200);
#pragma once

#include <chrono>
#include <cstdlib>
#include <string>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace aisp::server::test {

struct Received {
  int status = 0;  ///< 0: the connection ended, or nothing came in time
  std::string head, body;
};

class Client {
 public:
  /// `family`: AF_INET6 for [::1].
  explicit Client(int port, int family = AF_INET) : fd_(socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in old{};
    old.sin_family = AF_INET;
    old.sin_port = htons(static_cast<std::uint16_t>(port));
    old.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    sockaddr_in6 address{};
    address.sin6_family = AF_INET6;
    address.sin6_port = old.sin_port;
    address.sin6_addr = in6addr_loopback;
    connected_ = family == AF_INET6 ? connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0
                                    : connect(fd_, reinterpret_cast<sockaddr*>(&old), sizeof old) == 0;
  }
  ~Client() { close(); }
  Client(Client&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)), connected_(other.connected_), buffer_(std::move(other.buffer_)) {}
  Client& operator=(Client&&) = delete;

  bool connected() const { return connected_; }
  bool send(const std::string& bytes) const {
    std::size_t at = 0;
    while (at < bytes.size()) {
      const ssize_t sent = ::send(fd_, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
      if (sent <= 0) return false;
      at += static_cast<std::size_t>(sent);
    }
    return true;
  }
  void get(const std::string& target, const std::string& fields = "") const {
    send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n" + fields + "\r\n");
  }
  /// One whole response.
  Received receive(std::chrono::seconds patience = std::chrono::seconds(60)) {
    const std::string head = until("\r\n\r\n", patience);
    if (head.empty()) return {};
    Received received{.status = std::atoi(head.c_str() + 9), .head = head};
    const std::size_t length = head.find("Content-Length: ");
    const std::size_t size =
        length == std::string::npos ? 0 : std::strtoul(head.c_str() + length + 16, nullptr, 10);
    while (buffer_.size() < size && more(patience)) {
    }
    received.body = buffer_.substr(0, size);
    buffer_.erase(0, size);
    return received;
  }
  /// What comes up to and with the mark; empty where it does not come.
  std::string until(const std::string& mark, std::chrono::seconds patience = std::chrono::seconds(60)) {
    while (buffer_.find(mark) == std::string::npos)
      if (!more(patience)) return "";
    const std::size_t end = buffer_.find(mark) + mark.size();
    std::string text = buffer_.substr(0, end);
    buffer_.erase(0, end);
    return text;
  }
  /// The server closes the connection.
  bool ended(std::chrono::seconds patience = std::chrono::seconds(60)) {
    while (more(patience)) {
    }
    return over_;
  }
  /// Says no more and listens on: the connection is half open.
  void say_no_more() const { shutdown(fd_, SHUT_WR); }
  /// Without a farewell: the other side meets a reset.
  void reset() {
    const linger abrupt{1, 0};
    setsockopt(fd_, SOL_SOCKET, SO_LINGER, &abrupt, sizeof abrupt);
    close();
  }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

 private:
  bool more(std::chrono::seconds patience) {
    pollfd ready{fd_, POLLIN, 0};
    const int milliseconds = static_cast<int>(std::chrono::milliseconds(patience).count());
    if (poll(&ready, 1, milliseconds) <= 0) return false;
    char chunk[4096];
    const ssize_t size = recv(fd_, chunk, sizeof chunk, 0);
    over_ = size <= 0;
    if (size > 0) buffer_.append(chunk, static_cast<std::size_t>(size));
    return size > 0;
  }
  int fd_;
  bool connected_ = false, over_ = false;
  std::string buffer_;
};

}  // namespace aisp::server::test
