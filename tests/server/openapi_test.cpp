// SPDX-License-Identifier: Apache-2.0
// What the description says of answers and bodies, held against real ones.
#include <map>
#include <set>

#include "tests/server/asking.h"

namespace aisp::server::test {
namespace {

using aisp::store::test::cell_of;

bool is_a(const Json& value, const std::string& type) {
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  if (type == "null") return value.is_null();
  if (type == "boolean") return value.is_boolean();
  if (type == "string") return value.is_string();
  if (type == "array") return value.is_array();
  return type == "object" && value.is_object();
}

/// What of JSON Schema the description uses.
std::string misfit(const Json& value, const Json& schema, const std::string& name = "the document") {
  const Json types = schema["type"].is_array() ? schema["type"] : Json::array({schema["type"]});
  bool fits = false;
  for (const Json& type : types) fits = fits || is_a(value, type.get<std::string>());
  if (!fits) return name + " is no " + types.dump();
  if (schema.contains("const") && schema["const"] != value) return name + " is not " + schema["const"].dump();
  if (!value.is_object() || !schema.contains("properties")) return "";
  for (const Json& each : schema["required"])
    if (!value.contains(each.get<std::string>())) return name + " lacks " + each.dump();
  for (const auto& [member, its] : schema["properties"].items()) {
    if (!value.contains(member)) continue;
    if (const std::string wrong = misfit(value[member], its, member); !wrong.empty()) return wrong;
  }
  return "";
}

class OpenApi : public ::testing::Test {
 protected:
  void SetUp() override {
    asking.keep("20261115-100000-aaaa", {cell_of("ch07/transpose", "n=64", {{"naive", 200}, {"tiled", 50}})});
    asking.keep("20261115-110000-bbbb", {cell_of("ch07/transpose", "n=64", {{"naive", 200}, {"tiled", 40}})});
    api = asking.json("/api/v1/openapi.json");
  }
  Asking asking;
  Json api;
};

TEST_F(OpenApi, DescribesEveryRoute) {
  EXPECT_EQ(api["openapi"], "3.1.0");
  for (const Route& route : asking.service().routes()) {
    std::string path = route.path;
    if (const auto dots = path.find("..."); dots != std::string::npos) path.erase(dots, 3);
    ASSERT_TRUE(api["paths"].contains(path)) << path;
    const std::string method = route.method == "GET" ? "get" : route.method == "POST" ? "post" : "delete";
    ASSERT_TRUE(api["paths"][path].contains(method)) << path;
    EXPECT_FALSE(api["paths"][path][method]["summary"].get<std::string>().empty()) << path;
    std::set<std::string> told;
    for (const Json& parameter : api["paths"][path][method]["parameters"]) told.insert(parameter["name"]);
    for (const Parameter& parameter : route.parameters) EXPECT_TRUE(told.contains(parameter.name)) << path;
  }
}

TEST_F(OpenApi, EveryAnswerIsAsDescribed) {
  const std::map<std::string, std::vector<std::string>> asked{
      {"/api/v1/workloads/{id}", {"/api/v1/workloads/ch07/transpose"}},
      {"/api/v1/guards/{name}", {"/api/v1/guards/output_written"}},
      {"/api/v1/runs", {"/api/v1/runs", "/api/v1/runs?limit=1"}},
      {"/api/v1/runs/{id}", {"/api/v1/runs/latest"}},
      {"/api/v1/runs/{id}/cells/{n}", {"/api/v1/runs/latest/cells/0"}},
      {"/api/v1/cells/{seq}", {"/api/v1/cells/2"}},
      {"/api/v1/history", {"/api/v1/history?hardware=box"}},
      {"/api/v1/analysis/leaderboards",
       {"/api/v1/analysis/leaderboards", "/api/v1/analysis/leaderboards?workload=ch07"}},
      {"/api/v1/compare",
       {"/api/v1/compare?first=20261115-10&second=latest",
        "/api/v1/compare?run=latest&workload=ch07/transpose&first=naive&second=tiled"}}};
  int described = 0;
  for (const auto& [path, operations] : api["paths"].items()) {
    if (!operations.contains("get")) continue;
    const Json content = operations["get"]["responses"]["2XX"]["content"];
    if (!content.contains("application/json")) continue;
    const Json schema = content["application/json"]["schema"];
    EXPECT_GT(schema["properties"].size(), 2u) << path << " says no more than its name";
    const auto found = asked.find(path);
    for (const std::string& target : found == asked.end() ? std::vector{path} : found->second) {
      EXPECT_EQ(misfit(asking.json(target), schema), "") << target;
      ++described;
    }
  }
  EXPECT_GT(described, 25);
}

TEST_F(OpenApi, AMisfitIsSeen) {
  const Json schema =
      api["paths"]["/api/v1/runs"]["get"]["responses"]["2XX"]["content"]["application/json"]["schema"];
  Json runs = asking.json("/api/v1/runs");
  runs["runs"] = "none";
  EXPECT_NE(misfit(runs, schema), "");
  runs.erase("runs");
  EXPECT_NE(misfit(runs, schema), "");
  EXPECT_NE(misfit(asking.json("/api/v1/summary"), schema), "");
}

TEST_F(OpenApi, DefaultsAreOfTheirType) {
  int defaults = 0;
  for (const auto& [path, operations] : api["paths"].items()) {
    for (const auto& [method, operation] : operations.items()) {
      for (const Json& parameter : operation["parameters"]) {
        const Json& schema = parameter["schema"];
        if (!schema.contains("default")) continue;
        EXPECT_TRUE(is_a(schema["default"], schema["type"].get<std::string>())) << path << parameter;
        ++defaults;
      }
    }
  }
  EXPECT_GT(defaults, 10);
}

TEST_F(OpenApi, SpeaksOfParametersAndNotOfFlags) {
  std::map<std::string, std::string> said;  // by path and name
  for (const auto& [path, operations] : api["paths"].items()) {
    for (const auto& [method, operation] : operations.items()) {
      for (const Json& parameter : operation["parameters"])
        if (parameter.contains("description"))
          said[path + " " + parameter["name"].get<std::string>()] = parameter["description"];
      if (!operation.contains("requestBody")) continue;
      for (const auto& [name, its] :
           operation["requestBody"]["content"]["application/json"]["schema"]["properties"].items())
        said[path + " body " + name] = its["description"];
    }
  }
  EXPECT_GT(said.size(), 100u);
  for (const auto& [where, text] : said)
    EXPECT_EQ(text.find("--"), std::string::npos) << where << ": " << text;
  EXPECT_EQ(said["/api/v1/history changed"], "leave out series without a change");
  EXPECT_EQ(said["/api/v1/analysis/whatif vram"],
            "memory for the variant and its tensors, at the most they may take");
}

TEST_F(OpenApi, ARunsBodyIsDescribed) {
  const Json body = api["paths"]["/api/v1/runs"]["post"]["requestBody"];
  EXPECT_EQ(body["required"], true);
  const Json schema = body["content"]["application/json"]["schema"];
  EXPECT_EQ(schema["required"], Json::array({"targets"}));
  EXPECT_EQ(schema["properties"]["targets"]["type"], "array");
  EXPECT_EQ(schema["properties"]["cell-seconds"]["type"], "number");
  EXPECT_EQ(schema["properties"]["attempts"]["type"], "integer");
  EXPECT_TRUE(schema["properties"]["attempts"]["default"].is_number_integer()) << schema["properties"];
  EXPECT_FALSE(schema["properties"].contains("plugin")) << "files are for who sits at the machine";
  EXPECT_FALSE(api["paths"]["/api/v1/runs/current"]["delete"].contains("requestBody"));
}

}  // namespace
}  // namespace aisp::server::test
