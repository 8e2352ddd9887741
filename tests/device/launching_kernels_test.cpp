// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/gpu/launching_kernels.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace aisp::device {
namespace {

using Calls = std::vector<std::pair<std::int32_t, std::int32_t>>;

/// A module as a linker leaves it: names of functions, and who calls whom by their numbers from 1.
class Module {
 public:
  Module(const std::vector<std::string>& names, const Calls& calls, bool with_graph = true) {
    std::string texts(1, '\0');
    std::vector<Elf64_Sym> symbols(1);
    for (const std::string& name : names) {
      Elf64_Sym symbol{};
      symbol.st_name = static_cast<Elf64_Word>(texts.size());
      symbols.push_back(symbol);
      texts += name + '\0';
    }
    append(Elf64_Ehdr{});
    std::vector<Elf64_Shdr> sections(1);
    sections.push_back(section(SHT_STRTAB, texts.data(), texts.size()));
    sections.push_back(section(SHT_SYMTAB, symbols.data(), symbols.size() * sizeof(Elf64_Sym)));
    sections.back().sh_link = 1;
    if (with_graph) sections.push_back(section(SHT_LOPROC + 1, calls.data(), calls.size() * 8));
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_shoff = bytes_.size();
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = static_cast<Elf64_Half>(sections.size());
    for (const Elf64_Shdr& each : sections) append(each);
    std::memcpy(bytes_.data(), &header, sizeof header);
  }
  std::vector<std::byte>& bytes() { return bytes_; }

 private:
  template <class Value>
  void append(const Value& value) {
    append(&value, sizeof value);
  }
  void append(const void* data, std::size_t size) {
    const auto* from = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), from, from + size);
  }
  Elf64_Shdr section(std::uint32_t type, const void* data, std::size_t size) {
    Elf64_Shdr header{};
    header.sh_type = type;
    header.sh_offset = bytes_.size();
    header.sh_size = size;
    append(data, size);
    return header;
  }

  std::vector<std::byte> bytes_;
};

using Names = std::set<std::string>;

TEST(LaunchingKernels, WhoLaunchesAGraphOrAKernelIsFoundAndNobodyElse) {
  Module module({"plain", "relaunch", "tail", "parent", "cudaGraphLaunch", "__cudaCDP2LaunchDeviceV2"},
                {{0, -1}, {3, 2}, {2, 5}, {4, 6}, {0, -2}, {1, 1}});
  EXPECT_EQ(launching_kernels(module.bytes()), (Names{"relaunch", "tail", "parent"}))
      << "tail launches through a function of its own";
}

TEST(LaunchingKernels, WithoutTheRuntimeNobodyLaunches) {
  Module module({"plain", "helper"}, {{1, 2}});
  EXPECT_EQ(launching_kernels(module.bytes()), Names{});
}

TEST(LaunchingKernels, WhatCannotBeReadIsUnknown) {
  EXPECT_FALSE(launching_kernels({}));
  EXPECT_FALSE(
      launching_kernels(std::as_bytes(std::span("this is no code at all, but long enough for a header"))));
  Module without({"parent", "cudaGraphLaunch"}, {}, false);
  EXPECT_FALSE(launching_kernels(without.bytes())) << "somebody launches, and nobody says who";
  Module beyond({"parent", "cudaGraphLaunch"}, {{1, 7}});
  EXPECT_FALSE(launching_kernels(beyond.bytes()));
}

// Code comes from whoever wrote the workload: nothing is read where there is nothing.
TEST(LaunchingKernels, NoPrefixIsReadBeyondItsEnd) {
  Module module({"parent", "cudaGraphLaunch"}, {{1, 2}});
  for (std::size_t size = 0; size < module.bytes().size(); ++size) {
    const std::vector<std::byte> part(module.bytes().begin(),
                                      module.bytes().begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(launching_kernels(part)) << size;
  }
}

}  // namespace
}  // namespace aisp::device
