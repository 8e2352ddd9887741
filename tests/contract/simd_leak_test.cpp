// SPDX-License-Identifier: Apache-2.0
// The program runs on any x86-64: wide vector instructions stand only in functions that are called after
// asking the CPU. Proven on the binary, since a compiler may put them where no source shows them (an inline
// function compiled twice, one copy kept).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <string>
#include <utility>

namespace aisp {
namespace {

namespace fs = std::filesystem;

/// Functions that carry a target attribute anywhere in the sources: the namespace of their file, and their
/// name. Another function of that name elsewhere is not marked by it.
using Marked = std::set<std::pair<std::string, std::string>>;
Marked marked_functions() {
  // The attribute, then a return type and the name in front of the first parenthesis.
  static const std::regex kMarked(
      R"re((?:__attribute__\(\([^;{}]*?target\("[^"]*"\)[^;{}()]*\)\)|\[\[gnu::target\("[^"]*"\)\]\])[^;{}()]*?(\w+)\s*\()re");
  static const std::regex kNamespace(R"re(\nnamespace ([\w:]+) \{)re");
  Marked names;
  for (const char* folder : {"aisp", "workloads"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(AISP_SOURCE_DIR) / folder)) {
      if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
      std::ifstream file(entry.path());
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      std::smatch space;
      if (!std::regex_search(text, space, kNamespace)) continue;
      for (std::sregex_iterator at(text.begin(), text.end(), kMarked); at != std::sregex_iterator(); ++at)
        names.emplace(space[1].str(), (*at)[1].str());
    }
  }
  return names;
}

/// "void a::(anonymous namespace)::f<true>(float*)" becomes "f". A lambda has its own name: it does not
/// inherit the attribute of the function around it.
std::string plain_name(std::string symbol) {
  static const std::string kAnonymous = "(anonymous namespace)";
  for (std::size_t at; (at = symbol.find(kAnonymous)) != std::string::npos;)
    symbol.erase(at, kAnonymous.size());
  if (symbol.find("{lambda") != std::string::npos) return symbol;
  std::string name;
  int depth = 0;
  for (const char c : symbol) {
    if (c == '<') ++depth;
    if (depth == 0 && c == '(') break;
    if (depth == 0) name += c;
    if (c == '>') --depth;
  }
  const std::size_t begin = name.find_last_of(": ");
  return begin == std::string::npos ? name : name.substr(begin + 1);
}

bool is_marked(const std::string& symbol, const Marked& marked) {
  const std::string name = plain_name(symbol);
  return std::ranges::any_of(marked, [&](const auto& function) {
    return function.second == name && symbol.find(function.first + "::") != std::string::npos;
  });
}

/// Probes are written in assembly and called by name from a table that asks the CPU.
bool is_probe(const std::string& symbol) {
  return symbol.find("aisp::device::") != std::string::npos &&
         plain_name(symbol).find("_avx") != std::string::npos;
}

/// How many wide instructions each function has: every such mnemonic begins with a v, and no other does in
/// code that runs outside a kernel.
std::map<std::string, int> wide_instructions(const std::string& program) {
  std::map<std::string, int> found;
  const std::string command = "objdump -d -C --no-show-raw-insn '" + program + "' 2>/dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string function;
  char* line = nullptr;
  std::size_t capacity = 0;
  for (ssize_t length; pipe != nullptr && (length = getline(&line, &capacity, pipe.get())) > 0;) {
    const std::string text(line, static_cast<std::size_t>(length) - 1);
    const std::size_t open = text.find(" <");
    if (text.ends_with(">:") && open != std::string::npos) {
      function = text.substr(open + 2, text.size() - open - 4);
      found[function];
    } else if (const std::size_t code = text.find(":\t"); code != std::string::npos) {
      if (code + 2 < text.size() && text[code + 2] == 'v') ++found[function];
    }
  }
  std::free(line);
  return found;
}

TEST(SimdLeak, WideInstructionsStandOnlyInFunctionsMadeForThem) {
#if !defined(__x86_64__)
  GTEST_SKIP() << "not an x86-64";
#endif
  const auto functions = wide_instructions(AISP_PROGRAM);
  if (functions.empty()) GTEST_SKIP() << "no objdump, or it cannot read the program";
  const Marked marked = marked_functions();
  int wide = 0;
  for (const auto& [symbol, count] : functions) {
    if (count == 0) continue;
    ++wide;
    EXPECT_TRUE(is_marked(symbol, marked) || is_probe(symbol))
        << symbol << ": " << count << " wide instructions, and no target attribute";
  }
  EXPECT_GT(wide, 10) << "the search itself finds nothing";
}

TEST(SimdLeak, NamesAreTakenFromSymbols) {
  EXPECT_EQ(plain_name("void a::(anonymous namespace)::f<true, (b)1>(float*) [clone .cold]"), "f");
  EXPECT_EQ(plain_name("a::Kernels::soften(float*, a::State&)"), "soften");
  EXPECT_EQ(plain_name("main"), "main");
  EXPECT_NE(plain_name("a::f(int)::{lambda(int)#1}::operator()(int) const"), "f");
}

TEST(SimdLeak, AMarkedFunctionMarksNoOther) {
  const Marked marked = marked_functions();
  EXPECT_TRUE(is_marked("aisp::reduction_rows::(anonymous namespace)::sum_pages(float const*)", marked));
  EXPECT_FALSE(is_marked("aisp::elsewhere::(anonymous namespace)::sum_pages(float const*)", marked));
  EXPECT_FALSE(is_marked("aisp::reduction_rows::(anonymous namespace)::sum_chain(float const*)", marked));
}

}  // namespace
}  // namespace aisp
