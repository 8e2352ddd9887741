// SPDX-License-Identifier: Apache-2.0
/// \file
/// How stored structs name their fields: once, in a static `fields(self, visit)`, from which JSON, hashing
/// and differences are derived (aisp/wire).
///
///   struct Point { double x = 0, y = 0; AISP_FIELDS(x, y) };
///
/// The macro only lists names; a struct without it cannot be stored.
#pragma once

#define AISP_FIELD_1(visit, a) visit(#a, self.a);
#define AISP_FIELD_2(visit, a, ...) \
  visit(#a, self.a);                \
  AISP_FIELD_1(visit, __VA_ARGS__)
#define AISP_FIELD_3(visit, a, ...) \
  visit(#a, self.a);                \
  AISP_FIELD_2(visit, __VA_ARGS__)
#define AISP_FIELD_4(visit, a, ...) \
  visit(#a, self.a);                \
  AISP_FIELD_3(visit, __VA_ARGS__)
#define AISP_FIELD_5(visit, a, ...) \
  visit(#a, self.a);                \
  AISP_FIELD_4(visit, __VA_ARGS__)
#define AISP_FIELD_6(visit, a, ...) \
  visit(#a, self.a);                \
  AISP_FIELD_5(visit, __VA_ARGS__)
#define AISP_FIELD_7(visit, a, ...) \
  visit(#a, self.a);                \
  AISP_FIELD_6(visit, __VA_ARGS__)
#define AISP_FIELD_8(visit, a, ...) \
  visit(#a, self.a);                \
  AISP_FIELD_7(visit, __VA_ARGS__)
#define AISP_FIELD_9(visit, a, ...) \
  visit(#a, self.a);                \
  AISP_FIELD_8(visit, __VA_ARGS__)
#define AISP_FIELD_10(visit, a, ...) \
  visit(#a, self.a);                 \
  AISP_FIELD_9(visit, __VA_ARGS__)
#define AISP_FIELD_11(visit, a, ...) \
  visit(#a, self.a);                 \
  AISP_FIELD_10(visit, __VA_ARGS__)
#define AISP_FIELD_12(visit, a, ...) \
  visit(#a, self.a);                 \
  AISP_FIELD_11(visit, __VA_ARGS__)
#define AISP_FIELD_13(visit, a, ...) \
  visit(#a, self.a);                 \
  AISP_FIELD_12(visit, __VA_ARGS__)
#define AISP_FIELD_14(visit, a, ...) \
  visit(#a, self.a);                 \
  AISP_FIELD_13(visit, __VA_ARGS__)
#define AISP_FIELD_15(visit, a, ...) \
  visit(#a, self.a);                 \
  AISP_FIELD_14(visit, __VA_ARGS__)
#define AISP_FIELD_16(visit, a, ...) \
  visit(#a, self.a);                 \
  AISP_FIELD_15(visit, __VA_ARGS__)
#define AISP_FIELD_17(visit, a, ...) \
  visit(#a, self.a);                 \
  AISP_FIELD_16(visit, __VA_ARGS__)
#define AISP_FIELD_18(visit, a, ...) \
  visit(#a, self.a);                 \
  AISP_FIELD_17(visit, __VA_ARGS__)
#define AISP_FIELD_19(visit, a, ...) \
  visit(#a, self.a);                 \
  AISP_FIELD_18(visit, __VA_ARGS__)
#define AISP_FIELD_20(visit, a, ...) \
  visit(#a, self.a);                 \
  AISP_FIELD_19(visit, __VA_ARGS__)
#define AISP_FIELD_21(visit, a, ...) \
  visit(#a, self.a);                 \
  AISP_FIELD_20(visit, __VA_ARGS__)
#define AISP_FIELD_22(visit, a, ...) \
  visit(#a, self.a);                 \
  AISP_FIELD_21(visit, __VA_ARGS__)
#define AISP_FIELD_23(visit, a, ...) \
  visit(#a, self.a);                 \
  AISP_FIELD_22(visit, __VA_ARGS__)
#define AISP_FIELD_24(visit, a, ...) \
  visit(#a, self.a);                 \
  AISP_FIELD_23(visit, __VA_ARGS__)
#define AISP_FIELD_PICK(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15, _16, _17, _18, \
                        _19, _20, _21, _22, _23, _24, name, ...)                                         \
  name
#define AISP_FIELDS(...)                                                                                     \
  template <class Self, class Visit>                                                                         \
  static void fields(Self& self, Visit&& visit) {                                                            \
    AISP_FIELD_PICK(__VA_ARGS__, AISP_FIELD_24, AISP_FIELD_23, AISP_FIELD_22, AISP_FIELD_21, AISP_FIELD_20,  \
                    AISP_FIELD_19, AISP_FIELD_18, AISP_FIELD_17, AISP_FIELD_16, AISP_FIELD_15,               \
                    AISP_FIELD_14, AISP_FIELD_13, AISP_FIELD_12, AISP_FIELD_11, AISP_FIELD_10, AISP_FIELD_9, \
                    AISP_FIELD_8, AISP_FIELD_7, AISP_FIELD_6, AISP_FIELD_5, AISP_FIELD_4, AISP_FIELD_3,      \
                    AISP_FIELD_2, AISP_FIELD_1)                                                              \
    (visit, __VA_ARGS__)                                                                                     \
  }
