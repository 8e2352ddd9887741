// SPDX-License-Identifier: Apache-2.0
/// \file
/// JSON from and to every struct that names its fields (core/fields.h). Enumerations are written by name,
/// unknown optionals as null; reading is strict about types and names the field that is wrong.
///
///   Json json = to_json(cell);
///   Result<CellResult> back = from_json<CellResult>(json);
///
/// Include it in .cpp files only: the JSON library is slow to compile.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "aisp/core/config.h"
#include "aisp/core/evidence.h"
#include "aisp/core/record.h"
#include "aisp/core/result.h"
#include "aisp/core/verdict.h"

namespace aisp {

using Json = nlohmann::ordered_json;

template <class T>
concept HasFields = requires(T& value) { T::fields(value, [](const char*, auto&) {}); };

/// How many values each stored enumeration has; name_of() gives their names.
template <class E>
inline constexpr int kEnumCount = 0;
template <>
inline constexpr int kEnumCount<Validity> = 4;
template <>
inline constexpr int kEnumCount<Outcome> = 4;
template <>
inline constexpr int kEnumCount<Policy> = 3;
template <>
inline constexpr int kEnumCount<Level> = 4;
template <>
inline constexpr int kEnumCount<CacheMode> = 3;
template <>
inline constexpr int kEnumCount<Instrument> = 4;
template <>
inline constexpr int kEnumCount<WorkerMode> = 2;
template <>
inline constexpr int kEnumCount<Shape> = 4;
template <>
inline constexpr int kEnumCount<Bound> = 6;
template <>
inline constexpr int kEnumCount<Goal> = 4;
template <>
inline constexpr int kEnumCount<DeviceKind> = 2;
template <>
inline constexpr int kEnumCount<Rung> = 3;

/// Thrown while reading, caught in from_json(); never leaves this header.
struct WireError {
  std::string where;
  std::string what;
};

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};
template <class T>
struct IsPair : std::false_type {};
template <class A, class B>
struct IsPair<std::pair<A, B>> : std::true_type {};

/// Text as JSON can hold it: workload code may print or name anything, and invalid UTF-8 must not lose a
/// result.
std::string printable_utf8(std::string_view text);
/// How many bytes at its beginning are valid UTF-8: all of them, or the place of the first that is not.
std::size_t valid_utf8_bytes(std::string_view text);

/// Without fields of the types in LeftOut, at any depth: to_json<Evidence>(run).
template <class... LeftOut, class T>
Json to_json(const T& value) {
  if constexpr (HasFields<T>) {
    // Names differ, so nobody need look for one before it is added.
    Json::object_t object;
    T::fields(value, [&]<class Field>(const char* name, const Field& field) {
      if constexpr (!(std::is_same_v<Field, LeftOut> || ...))
        object.emplace_back(name, to_json<LeftOut...>(field));
    });
    return object;
  } else if constexpr (IsOptional<T>::value) {
    return value ? to_json<LeftOut...>(*value) : Json(nullptr);
  } else if constexpr (IsVector<T>::value) {
    Json array = Json::array();
    for (const auto& element : value) array.push_back(to_json<LeftOut...>(element));
    return array;
  } else if constexpr (IsPair<T>::value) {
    return Json::array({to_json<LeftOut...>(value.first), to_json<LeftOut...>(value.second)});
  } else if constexpr (std::is_enum_v<T>) {
    return std::string(name_of(value));
  } else if constexpr (std::is_same_v<T, std::string>) {
    return printable_utf8(value);
  } else if constexpr (std::is_floating_point_v<T>) {
    // JSON has no infinities; they are written as text so that they survive the round trip.
    if (std::isfinite(value)) return value;
    return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
  } else {
    return value;
  }
}

template <class T>
void read_json(const Json& json, T& value, const std::string& where) {
  if constexpr (HasFields<T>) {
    if (!json.is_object()) throw WireError{where, "is not an object"};
    T::fields(value, [&](const char* name, auto& field) {
      // A field absent from older data keeps its default: that is how the schema grows.
      if (const auto found = json.find(name); found != json.end())
        read_json(*found, field, where + "." + name);
    });
  } else if constexpr (IsOptional<T>::value) {
    if (json.is_null()) {
      value.reset();
    } else {
      read_json(json, value.emplace(), where);
    }
  } else if constexpr (IsVector<T>::value) {
    if (!json.is_array()) throw WireError{where, "is not an array"};
    value.clear();
    value.reserve(json.size());
    for (const Json& element : json) read_json(element, value.emplace_back(), where + "[]");
  } else if constexpr (IsPair<T>::value) {
    if (!json.is_array() || json.size() != 2) throw WireError{where, "is not a pair"};
    read_json(json[0], value.first, where + "[0]");
    read_json(json[1], value.second, where + "[1]");
  } else if constexpr (std::is_enum_v<T>) {
    if (!json.is_string()) throw WireError{where, "is not a name"};
    const auto& name = json.get_ref<const std::string&>();
    for (int i = 0; i < kEnumCount<T>; ++i) {
      if (name_of(static_cast<T>(i)) == name) {
        value = static_cast<T>(i);
        return;
      }
    }
    throw WireError{where, "has the unknown value '" + name + "'"};
  } else if constexpr (std::is_same_v<T, bool>) {
    if (!json.is_boolean()) throw WireError{where, "is not true or false"};
    value = json.get<bool>();
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (!json.is_string()) throw WireError{where, "is not text"};
    value = json.get<std::string>();
  } else if constexpr (std::is_floating_point_v<T>) {
    if (json.is_string()) {
      const auto& text = json.get_ref<const std::string&>();
      if (text != "nan" && text != "inf" && text != "-inf") throw WireError{where, "is not a number"};
      value = text == "nan" ? std::nan("") : text == "inf" ? HUGE_VAL : -HUGE_VAL;
      return;
    }
    if (!json.is_number()) throw WireError{where, "is not a number"};
    value = json.get<T>();
  } else {
    if (!json.is_number_integer()) throw WireError{where, "is not a whole number"};
    // Out-of-range values would wrap silently; compare through the widest type.
    const bool fits = json.is_number_unsigned() ? std::in_range<T>(json.get<std::uint64_t>())
                                                : std::in_range<T>(json.get<std::int64_t>());
    if (!fits) throw WireError{where, "is out of range"};
    value = json.get<T>();
  }
}

template <class T>
Result<T> from_json(const Json& json) {
  T value{};
  try {
    read_json(json, value, "value");
  } catch (const WireError& error) {
    return Error{ErrorCode::bad_input, error.where + " " + error.what,
                 "the data were not written by this schema"};
  }
  return value;
}

/// Parses text with limits on size and nesting (hostile input must not exhaust the stack).
Result<Json> parse_json(std::string_view text, std::size_t max_bytes = std::size_t{1} << 30,
                        int max_depth = 64);

}  // namespace aisp
