// SPDX-License-Identifier: Apache-2.0
#include "aisp/probes/manifest_facts.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "aisp/probes/doctor.h"

namespace aisp::probes {
namespace {

std::optional<std::string> value_of(const std::vector<Fact>& facts, const std::string& name) {
  const auto found = std::ranges::find_if(facts, [&](const Fact& f) { return f.name == name; });
  return found == facts.end() ? std::nullopt : found->value;
}

TEST(ManifestFacts, names_kernel_and_libraries) {
  const std::vector<Fact> facts = manifest_facts();
  for (const char* name : {"kernel", "glibc", "host", "clock", "compiler"})
    EXPECT_FALSE(value_of(facts, name).value_or("").empty()) << name;
  std::vector<std::string> names;
  for (const Fact& fact : facts) names.push_back(fact.name);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end()) << "a fact was named twice";
}

TEST(ManifestFacts, of_the_kernel_command_line_only_what_moves_results_is_kept) {
  EXPECT_EQ(kernel_options("root=/dev/sda1 token=secret isolcpus=2,3 mitigations=off quiet"),
            "isolcpus=2,3 mitigations=off");
  EXPECT_EQ(kernel_options("quiet ip=10.0.0.1"), "none");
  EXPECT_EQ(kernel_options(std::nullopt), std::nullopt) << "unknown is not the same as none";
}

TEST(ManifestFacts, of_the_environment_only_what_tunes_libraries_is_kept) {
  std::string home = "HOME=/root", tuned = "GLIBC_TUNABLES=glibc.malloc.check=1", omp = "OMP_NUM_THREADS=1";
  char* variables[] = {omp.data(), home.data(), tuned.data(), nullptr};
  EXPECT_EQ(library_variables(variables), "GLIBC_TUNABLES=glibc.malloc.check=1; OMP_NUM_THREADS=1");
  std::string preload = "LD_PRELOAD=libx.so", path = "LD_LIBRARY_PATH=/opt/blas";
  char* replaced[] = {path.data(), preload.data(), nullptr};
  EXPECT_EQ(library_variables(replaced), "LD_LIBRARY_PATH=/opt/blas; LD_PRELOAD=libx.so")
      << "another library may have been measured";
  char* plain[] = {home.data(), nullptr};
  EXPECT_EQ(library_variables(plain), "none");
}

TEST(ManifestFacts, the_build_id_of_glibc_is_found) {
  const auto objects = loaded_objects();
  EXPECT_TRUE(std::ranges::any_of(objects, [](const LoadedObject& o) { return o.path.empty(); }));
  const auto id = build_id_of("libc.so.6");
  if (!id) GTEST_SKIP() << "this libc was built without an id";
  EXPECT_EQ(id->size() % 2, 0u);
  EXPECT_GE(id->size(), 16u);
  EXPECT_EQ(id->find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_EQ(build_id_of("no_such_library.so"), std::nullopt);
}

TEST(Doctor, every_finding_is_said_and_every_problem_has_an_action) {
  const std::vector<Advice> advice = examine();
  EXPECT_GE(advice.size(), 12u);
  for (const Advice& a : advice) {
    EXPECT_FALSE(a.subject.empty());
    EXPECT_FALSE(a.finding.empty()) << a.subject;
    if (a.status == Health::warn || a.status == Health::bad) {
      EXPECT_FALSE(a.action.empty()) << a.subject;
    }
  }
}

TEST(Doctor, an_injected_library_is_bad) {
  setenv("NVTX_INJECTION64_PATH", "/tmp/spy.so", 1);
  const std::vector<Advice> advice = examine();
  unsetenv("NVTX_INJECTION64_PATH");
  const auto found =
      std::ranges::find_if(advice, [](const Advice& a) { return a.subject == "injected libraries"; });
  ASSERT_NE(found, advice.end());
  EXPECT_EQ(found->status, Health::bad);
  EXPECT_EQ(name_of(found->status), "bad");
}

}  // namespace
}  // namespace aisp::probes
