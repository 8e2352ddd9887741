// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/buffer.h"

#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <new>
#include <set>
#include <vector>

namespace aisp::device {
namespace {

constexpr DType kTypes[] = {DType::f64, DType::f32, DType::f16, DType::bf16, DType::f8e4m3,
                            DType::i64, DType::i32, DType::i16, DType::i8,   DType::u64,
                            DType::u32, DType::u16, DType::u8};

void flip(std::byte* at) { *at ^= std::byte{0x10}; }

TEST(Buffer, is_aligned_and_writable_to_its_last_byte) {
  for (const std::size_t bytes : {1ul, 63ul, 4096ul, 65537ul, 3ul << 20}) {
    for (const bool huge : {false, true}) {
      Buffer buffer(bytes, {.huge_pages = huge});
      const std::size_t alignment = bytes >= 65536 ? 4096 : 64;
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % alignment, 0u);
      std::memset(buffer.data(), 7, bytes);
      EXPECT_FALSE(buffer.broken_guard().has_value()) << bytes;
    }
  }
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(Buffer(10, {.alignment = 1 << 16}).data()) % (1 << 16), 0u);
}

TEST(Buffer, one_changed_byte_on_either_side_breaks_a_guard) {
  for (const std::size_t bytes : {1ul, 5ul, 64ul, 100'001ul}) {
    Buffer buffer(bytes);
    std::byte* data = buffer.data();
    std::byte* end = data + bytes;
    struct Case {
      std::byte* at;
      const char* said;
    };
    for (const Case& c :
         {Case{data - 1, "nearest 1 before the first"}, Case{data - 64, "nearest 64 before the first"},
          Case{data - 4096, "nearest 4096 before the first"}, Case{end, "nearest 1 after the last"},
          Case{end + 63, "nearest 64 after the last"}, Case{end + 4095, "nearest 4096 after"}}) {
      buffer.arm_guards(42);
      ASSERT_FALSE(buffer.broken_guard().has_value());
      flip(c.at);
      const auto broken = buffer.broken_guard();
      ASSERT_TRUE(broken.has_value()) << c.said;
      EXPECT_NE(broken->find(c.said), std::string::npos) << *broken;
    }
  }
}

TEST(Buffer, guards_restored_with_another_seeds_words_are_still_broken) {
  Buffer honest(64), other(64);
  honest.arm_guards(1);
  other.arm_guards(2);
  std::memcpy(honest.data() + 64, other.data() + 64, 64);
  EXPECT_TRUE(honest.broken_guard().has_value());
}

TEST(Buffer, moving_keeps_the_content_and_empties_the_source) {
  Buffer first(100);
  first.arm_guards(9);
  std::memset(first.data(), 3, 100);
  Buffer second(std::move(first));
  EXPECT_EQ(second.size(), 100u);
  EXPECT_EQ(second.data()[99], std::byte{3});
  EXPECT_FALSE(second.broken_guard().has_value());
  first = Buffer(8);
  EXPECT_EQ(first.size(), 8u);
}

TEST(Buffer, an_impossible_size_throws) { EXPECT_THROW(Buffer(std::size_t{1} << 60), std::bad_alloc); }

TEST(Buffer, far_writes_fault) {
  EXPECT_DEATH(
      {
        Buffer buffer(4096);
        for (std::size_t at = 0; at < (1 << 20); at += 512)
          *reinterpret_cast<volatile char*>(buffer.data() + 4096 + at) = 1;
      },
      "");
}

TEST(Buffer, poison_of_floating_types_is_nan_and_varies) {
  Buffer buffer(4096);
  buffer.poison(DType::f32, 5);
  std::set<std::uint32_t> patterns;
  for (int i = 0; i < 1024; ++i) {
    float value;
    std::memcpy(&value, buffer.data() + 4 * i, 4);
    EXPECT_TRUE(std::isnan(value));
    patterns.insert(std::bit_cast<std::uint32_t>(value));
  }
  EXPECT_GT(patterns.size(), 1000u);
  buffer.poison(DType::f64, 5);
  for (int i = 0; i < 512; ++i) {
    double value;
    std::memcpy(&value, buffer.data() + 8 * i, 8);
    EXPECT_TRUE(std::isnan(value));
  }
  buffer.poison(DType::f16, 5);
  for (int i = 0; i < 2048; ++i) {
    Half half;
    std::memcpy(&half, buffer.data() + 2 * i, 2);
    EXPECT_TRUE(std::isnan(to_float(half)));
  }
  buffer.poison(DType::bf16, 5);
  for (int i = 0; i < 2048; ++i) {
    BFloat16 value;
    std::memcpy(&value, buffer.data() + 2 * i, 2);
    EXPECT_TRUE(std::isnan(to_float(value)));
  }
}

TEST(Buffer, all_poison_is_counted_and_none_when_overwritten) {
  for (const DType type : kTypes) {
    for (const std::size_t elements : {9ul, 16ul, 1003ul}) {
      Buffer buffer(elements * size_of(type));
      buffer.poison(type, 77);
      EXPECT_EQ(buffer.poison_left(type, 77), elements) << name_of(type);
      EXPECT_EQ(buffer.poison_left(type, 77, 5), 5u) << name_of(type);
      EXPECT_LT(buffer.poison_left(type, 78), elements / 8 + 1) << name_of(type);
      std::memset(buffer.data(), 0, buffer.size());
      EXPECT_EQ(buffer.poison_left(type, 77), 0u) << name_of(type);
    }
  }
}

TEST(Buffer, a_hole_left_in_a_written_output_is_counted) {
  for (const DType type : kTypes) {
    const std::size_t size = size_of(type), elements = 5000;
    const std::size_t hole = 8 / size * 3;  // 24 bytes
    for (const std::size_t at :
         {std::size_t{0}, std::size_t{1}, std::size_t{255}, std::size_t{2049}, elements - hole}) {
      Buffer buffer(elements * size);
      buffer.poison(type, 3);
      std::memset(buffer.data(), 1, at * size);
      std::memset(buffer.data() + (at + hole) * size, 1, (elements - at - hole) * size);
      const std::uint64_t left = buffer.poison_left(type, 3);
      // An 8- or 16-bit neighbour may hold its poison by chance; it then counts with the run it touches.
      EXPECT_GE(left, hole) << name_of(type) << " at " << at;
      EXPECT_LE(left, hole + 2) << name_of(type) << " at " << at;
    }
  }
}

TEST(Buffer, one_float_left_unwritten_is_counted) {
  for (const DType type : {DType::f64, DType::f32, DType::f16, DType::bf16}) {
    const std::size_t size = size_of(type), elements = 777;
    for (const std::size_t at : {std::size_t{0}, std::size_t{400}, elements - 1}) {
      Buffer buffer(elements * size);
      buffer.poison(type, 11);
      std::memset(buffer.data(), 0, at * size);
      std::memset(buffer.data() + (at + 1) * size, 0, (elements - at - 1) * size);
      EXPECT_EQ(buffer.poison_left(type, 11), 1u) << name_of(type) << " at " << at;
    }
  }
}

TEST(Buffer, bytes_that_match_by_chance_are_not_counted) {
  // A million zero bytes meet some 4,000 poison bytes that are zero; none of it is an unwritten output.
  Buffer buffer(1 << 20);
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    buffer.poison(DType::u8, seed);
    const auto* bytes = reinterpret_cast<const unsigned char*>(buffer.data());
    std::size_t chance = 0;
    for (std::size_t i = 0; i < buffer.size(); ++i) chance += bytes[i] == 0;
    EXPECT_GT(chance, 3000u);
    std::memset(buffer.data(), 0, buffer.size());
    EXPECT_EQ(buffer.poison_left(DType::u8, seed), 0u);
    EXPECT_EQ(buffer.poison_left(DType::i8, seed), 0u);
  }
}

TEST(Buffer, checksum_sees_every_byte_and_paired_sign_flips) {
  for (const std::size_t bytes : {1ul, 8ul, 63ul, 64ul, 100ul, 1000ul}) {
    Buffer buffer(bytes);
    buffer.poison(DType::u8, 1);
    const std::uint64_t before = buffer.checksum();
    EXPECT_EQ(buffer.checksum(), before);
    for (std::size_t i = 0; i < bytes; ++i) {
      flip(buffer.data() + i);
      EXPECT_NE(buffer.checksum(), before) << i << " of " << bytes;
      flip(buffer.data() + i);
    }
    EXPECT_EQ(buffer.checksum(), before);
  }
  Buffer buffer(4096);
  const std::uint64_t before = buffer.checksum();
  for (const std::size_t distance : {8, 64, 128, 512}) {
    buffer.data()[7] ^= std::byte{0x80};
    buffer.data()[7 + distance] ^= std::byte{0x80};
    EXPECT_NE(buffer.checksum(), before);
    buffer.data()[7] ^= std::byte{0x80};
    buffer.data()[7 + distance] ^= std::byte{0x80};
  }
}

TEST(Buffer, what_is_hidden_reads_as_zeros_and_comes_back_unchanged) {
  for (const bool huge : {false, true}) {
    for (const std::size_t bytes : {std::size_t{100}, std::size_t{3} << 20}) {
      Buffer buffer(bytes, {.huge_pages = huge});
      const auto* first = reinterpret_cast<const volatile unsigned char*>(buffer.data());
      buffer.poison(DType::u8, 3);
      buffer.data()[0] = std::byte{42};
      const std::uint64_t before = buffer.checksum();
      buffer.hide();
      EXPECT_EQ(int{*first}, 0);
      buffer.data()[bytes - 1] = std::byte{1};  // lost, and no fault
      buffer.show();
      EXPECT_EQ(int{*first}, 42);
      EXPECT_EQ(buffer.checksum(), before);
      EXPECT_FALSE(buffer.broken_guard());
    }
  }
}

TEST(Buffer, where_pages_cannot_be_moved_what_is_hidden_cannot_be_accessed) {
  Buffer buffer(std::size_t{64} << 20);
  buffer.data()[0] = std::byte{42};
  const pid_t child = fork();
  if (child == 0) {
    const rlimit none_left{1, 1};  // of address space
    setrlimit(RLIMIT_AS, &none_left);
    buffer.hide();
    std::byte copy{};
    const iovec here{&copy, 1};
    const iovec there{buffer.data(), 1};
    const bool readable = process_vm_readv(getpid(), &here, 1, &there, 1, 0) == 1;
    buffer.show();
    _exit(!readable && buffer.data()[0] == std::byte{42} ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

}  // namespace
}  // namespace aisp::device
