// SPDX-License-Identifier: Apache-2.0
/// \file
/// Finds the route of a request, and says what is wrong with one that has none.
#pragma once

#include <variant>
#include <vector>

#include "aisp/server/route.h"
#include "aisp/server/target.h"

namespace aisp::server {

class Router {
 public:
  explicit Router(std::vector<Route> routes);
  Router(const Router&) = delete;  // its entries point into it
  Router& operator=(const Router&) = delete;

  struct Found {
    const Route* route;
    Asked asked;
  };
  /// 404, 405 or 400 where there is none. HEAD is answered by the routes of GET.
  std::variant<Found, Response> find(const Request& request, const Target& target) const;

  const std::vector<Route>& routes() const { return routes_; }

 private:
  struct Entry {
    const Route* route;
    std::vector<std::string> pattern;
  };
  std::vector<Route> routes_;
  std::vector<Entry> entries_;
};

}  // namespace aisp::server
