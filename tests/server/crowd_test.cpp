// SPDX-License-Identifier: Apache-2.0
// Thousands of connections that ask nothing, against a server with its default limits.
#include <algorithm>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "aisp/server/server.h"
#include "tests/server/client.h"

namespace aisp::server::test {
namespace {

using std::chrono::seconds;
using std::chrono::steady_clock;

/// As many descriptors as this process may have, while this lives.
class ManyDescriptors {
 public:
  ManyDescriptors() {
    getrlimit(RLIMIT_NOFILE, &before_);
    rlimit most = before_;
    most.rlim_cur = most.rlim_max;
    setrlimit(RLIMIT_NOFILE, &most);
  }
  ~ManyDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }
  ManyDescriptors(const ManyDescriptors&) = delete;
  ManyDescriptors& operator=(const ManyDescriptors&) = delete;
  static std::size_t limit() {
    rlimit now{};
    getrlimit(RLIMIT_NOFILE, &now);
    return now.rlim_cur;
  }

 private:
  rlimit before_{};
};

/// Its status, told within seconds although the machine may be busy.
int answered(Client& client) {
  const auto begun = steady_clock::now();
  const int status = client.receive(seconds(30)).status;
  EXPECT_LT(steady_clock::now() - begun, seconds(5));
  return status;
}

int asked(Client& client) {
  client.get("/api/v1/plain");
  return answered(client);
}

void crowd(int port) {
  Client early(port);
  EXPECT_EQ(asked(early), 200);
  // The server keeps descriptors for those it lets in, and for a moment for those it turns away.
  const std::size_t limit = ManyDescriptors::limit();
  ASSERT_GT(limit, 1000U);
  const std::size_t count = std::min<std::size_t>(10000, limit - 500);
  std::vector<Client> idle;
  for (std::size_t i = 0; i < count; ++i) {
    idle.emplace_back(port);
    ASSERT_TRUE(idle.back().connected()) << i;
    if (i % 1000 == 999) {
      EXPECT_EQ(asked(early), 200) << "whoever is in stays in, after " << i;
    }
  }
  EXPECT_EQ(asked(early), 200);
  Client late(port);
  EXPECT_EQ(answered(late), 503) << "told at once, not left waiting";
}

TEST(Crowd, OfIdleConnectionsKeepsNobodyWaiting) {
  const ManyDescriptors many;
  Service service({.token = {},
                   .routes = {{.method = "GET",
                               .path = "/api/v1/plain",
                               .summary = "answers",
                               .answer = [](const Asked&) { return Response{.body = "{}"}; }}},
                   .files = {},
                   .program_version = {}});
  const ServerOptions options{.port = 0, .service = &service};
  EXPECT_EQ(options.connections, 256) << "the default is what is tried";
  const auto listening = Server::listen(options);
  ASSERT_TRUE(listening) << listening.error().message;
  Server& server = **listening;
  std::thread thread([&] { server.run(); });
  crowd(server.port());
  int last = 0;
  for (int i = 0; i < 1000 && last != 200; ++i) {
    Client client(server.port());
    last = asked(client);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_EQ(last, 200) << "there is room again";
  server.stop();
  thread.join();
}

}  // namespace
}  // namespace aisp::server::test
