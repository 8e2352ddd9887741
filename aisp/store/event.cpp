// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/event.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <random>

#include "aisp/wire/hash.h"
#include "aisp/wire/json.h"

namespace aisp::store {
namespace {

/// Every field as name, length and bytes, so that no two events share a text.
std::string canonical_text(const Event& event) {
  std::string text = "aisp event 1\n";
  const auto add = [&](std::string_view name, const std::string& value) {
    text.append(name).append(" ").append(std::to_string(value.size())).append(" ").append(value).append("\n");
  };
  add("run", event.run);
  add("kind", event.kind);
  add("workload", event.workload);
  add("parameters", event.parameters);
  add("device", event.device);
  add("hardware", event.hardware);
  add("validity", event.validity);
  add("created", event.created);
  add("nonce", event.nonce);
  add("payload", event.payload_hash);
  return text;
}

}  // namespace

void seal(Event& event) {
  for (std::string* text : {&event.run, &event.kind, &event.workload, &event.parameters, &event.device,
                            &event.hardware, &event.validity}) {
    *text = printable_utf8(*text);
    std::ranges::replace(*text, '\0', ' ');  // which PostgreSQL cannot keep
  }
  if (event.created.empty()) event.created = utc_now();
  event.nonce = random_hex(8);
  event.payload = printable_utf8(event.payload.value_or("{}"));
  event.payload_hash = sha256_hex(*event.payload);
  event.id = sha256_hex(canonical_text(event));
}

bool is_intact(const Event& event) {
  if (event.payload && sha256_hex(*event.payload) != event.payload_hash) return false;
  return event.id == sha256_hex(canonical_text(event));
}

std::string chain_hash(std::string_view previous, std::string_view id) {
  return sha256_hex(std::string(previous) + std::string(id));
}

std::string chain_origin() { return sha256_hex("aisp store"); }

std::string utc_now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(now).count();
  const std::time_t seconds = static_cast<std::time_t>(micros / 1000000);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  std::array<char, 40> date{};
  std::array<char, 64> text{};
  std::strftime(date.data(), date.size(), "%Y-%m-%dT%H:%M:%S", &utc);
  std::snprintf(text.data(), text.size(), "%s.%06dZ", date.data(), static_cast<int>(micros % 1000000));
  return text.data();
}

std::string random_hex(int bytes) {
  std::random_device random;  // the kernel's generator: two forked processes never draw the same
  std::string hex;
  for (int i = 0; i < bytes; ++i) {
    constexpr std::string_view kHex = "0123456789abcdef";
    const unsigned byte = random() & 0xff;
    hex += kHex[byte >> 4];
    hex += kHex[byte & 15];
  }
  return hex;
}

}  // namespace aisp::store
