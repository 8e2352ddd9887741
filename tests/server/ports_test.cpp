// SPDX-License-Identifier: Apache-2.0
// Ports that only a privileged process may have.
#include <fstream>
#include <functional>
#include <thread>

#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "aisp/server/server.h"

namespace aisp::server {
namespace {

/// Without any privilege, whoever runs the tests: of this thread alone.
bool without_privileges(const std::function<void()>& work) {
  bool dropped = false;
  std::thread([&] {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {};
    dropped = syscall(SYS_capset, &header, none) == 0;
    if (dropped) work();
  }).join();
  return dropped;
}

TEST(Ports, BelowAThousandBelongToRoot) {
  Service service({.token = {}, .routes = {}, .files = {}, .program_version = {}});
  int first_free = 1024;
  std::ifstream("/proc/sys/net/ipv4/ip_unprivileged_port_start") >> first_free;
  if (first_free < 2) GTEST_SKIP() << "every port is for everybody here";
  const bool dropped = without_privileges([&] {
    const auto low =
        Server::listen({.port = static_cast<std::uint16_t>(first_free - 1), .service = &service});
    ASSERT_FALSE(low);
    EXPECT_EQ(low.error().code, ErrorCode::environment);
    EXPECT_NE(low.error().message.find("Permission denied"), std::string::npos) << low.error().message;
    EXPECT_NE(low.error().hint.find("belong to root"), std::string::npos) << low.error().hint;
  });
  EXPECT_TRUE(dropped);
}

}  // namespace
}  // namespace aisp::server
