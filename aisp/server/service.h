// SPDX-License-Identifier: Apache-2.0
/// \file
/// A request to its response, with no socket in between: gate, routes, files, ETags, headers, metrics.
///
///   Service service({.token = token, .routes = routes, .files = dashboard_files()});
///   Response response = service.answer(request);   // from any thread
#pragma once

#include <chrono>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "aisp/server/embedded.h"
#include "aisp/server/gate.h"
#include "aisp/server/kept_answers.h"
#include "aisp/server/message.h"
#include "aisp/server/metrics.h"
#include "aisp/server/router.h"

namespace aisp::server {

struct ServiceOptions {
  std::string token;  ///< empty: nothing can be changed
  std::vector<Route> routes;
  std::span<const Embedded> files;
  /// Changes with the data that routes answer from; what was kept for another version is forgotten.
  std::function<std::string()> version = [] { return std::string(); };
  std::function<std::vector<Gauge>()> gauges = [] { return std::vector<Gauge>(); };
  std::string program_version;
};

class Service {
 public:
  explicit Service(ServiceOptions options);

  /// Throws only where memory is refused to the refusal as well.
  Response answer(const Request& request);
  const std::vector<Route>& routes() const { return router_.routes(); }

 private:
  using Clock = std::chrono::steady_clock;
  struct Answered {
    Response response;
    std::string route;  ///< for the metrics
  };
  Answered route(const Request& request);
  Response answer_or_throw(const Request& request, Clock::time_point begun);
  Response failed(Response refused, Clock::time_point begun);
  Response answer_route(const Router::Found& found);
  std::vector<Route> with_own(std::vector<Route> routes);

  ServiceOptions options_;
  Gate gate_;
  Router router_;
  KeptAnswers kept_;
  Metrics metrics_;
};

}  // namespace aisp::server
