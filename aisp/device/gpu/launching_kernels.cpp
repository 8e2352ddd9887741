// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/gpu/launching_kernels.h"

#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace aisp::device {
namespace {

constexpr std::uint32_t kCallGraph = SHT_LOPROC + 1;  // .nv.callgraph

/// As the device's runtime calls what launches: `kernel<<<>>>` in device code, and cudaGraphLaunch().
bool launches(const std::string& name) {
  return name.starts_with("cudaGraphLaunch") || name.starts_with("__cudaCDP2Launch") ||
         name.starts_with("__cuda_syscall_cnpv2Launch");
}

/// Reads beyond the end are refused: the code comes from whoever wrote the workload.
class Code {
 public:
  explicit Code(std::span<const std::byte> bytes) : bytes_(bytes) {}

  /// False for anything but a 64-bit ELF file with a table of sections.
  bool open() {
    Elf64_Ehdr header;
    if (!get(0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_shentsize != sizeof(Elf64_Shdr))
      return false;
    sections_.resize(header.e_shnum);
    for (std::size_t i = 0; i < sections_.size(); ++i)
      if (!get(header.e_shoff + i * sizeof(Elf64_Shdr), sections_[i])) return false;
    return !sections_.empty();
  }

  const std::vector<Elf64_Shdr>& sections() const { return sections_; }

  template <class Entry>
  std::optional<std::vector<Entry>> entries(const Elf64_Shdr& section) const {
    if (section.sh_size > bytes_.size()) return std::nullopt;
    std::vector<Entry> all(section.sh_size / sizeof(Entry));
    for (std::size_t i = 0; i < all.size(); ++i)
      if (!get(section.sh_offset + i * sizeof(Entry), all[i])) return std::nullopt;
    return all;
  }

  /// Of a section that holds texts.
  std::string text(std::size_t section, std::size_t at) const {
    if (section >= sections_.size() || at >= sections_[section].sh_size) return "";
    const std::size_t begin = sections_[section].sh_offset + at;
    if (begin >= bytes_.size()) return "";
    const auto* first = reinterpret_cast<const char*>(bytes_.data()) + begin;
    return {first, strnlen(first, bytes_.size() - begin)};
  }

 private:
  template <class Value>
  bool get(std::size_t at, Value& value) const {
    if (at > bytes_.size() || sizeof(Value) > bytes_.size() - at) return false;
    std::memcpy(&value, bytes_.data() + at, sizeof(Value));
    return true;
  }

  std::span<const std::byte> bytes_;
  std::vector<Elf64_Shdr> sections_;
};

std::optional<std::vector<std::string>> symbols_of(const Code& code) {
  std::vector<std::string> names;
  for (const Elf64_Shdr& section : code.sections()) {
    if (section.sh_type != SHT_SYMTAB) continue;
    const auto entries = code.entries<Elf64_Sym>(section);
    if (!entries) return std::nullopt;
    for (const Elf64_Sym& entry : *entries) names.push_back(code.text(section.sh_link, entry.st_name));
  }
  return names;
}

/// By numbers of symbols. Pairs with a negative number separate the kinds of entries from each other.
struct Edge {
  std::int32_t caller = 0, callee = 0;
};

/// Nothing where the linker wrote none.
std::optional<std::vector<Edge>> call_graph_of(const Code& code) {
  for (const Elf64_Shdr& section : code.sections())
    if (section.sh_type == kCallGraph) return code.entries<Edge>(section);
  return std::nullopt;
}

}  // namespace

std::optional<std::set<std::string>> launching_kernels(std::span<const std::byte> bytes) {
  Code code(bytes);
  if (!code.open()) return std::nullopt;
  const auto symbols = symbols_of(code);
  if (!symbols) return std::nullopt;
  if (std::ranges::none_of(*symbols, launches)) return std::set<std::string>{};
  const auto edges = call_graph_of(code);
  if (!edges) return std::nullopt;

  const auto count = static_cast<std::int64_t>(symbols->size());
  const auto name = [&](std::int32_t number) -> const std::string& {
    return (*symbols)[static_cast<std::size_t>(number)];
  };
  std::set<std::string> found;
  for (bool more = true; more;) {
    more = false;
    for (const auto& [caller, callee] : *edges) {
      if (caller < 0 || callee < 0) continue;
      if (caller >= count || callee >= count) return std::nullopt;
      if (launches(name(callee)) || found.contains(name(callee)))
        more = found.insert(name(caller)).second || more;
    }
  }
  return found;
}

}  // namespace aisp::device
