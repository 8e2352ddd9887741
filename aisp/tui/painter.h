// SPDX-License-Identifier: Apache-2.0
/// \file
/// The terminal: shows lines, tells keys. All of ncurses is behind it. While a Painter lives the terminal is
/// its own; however the program ends, by a crash too, it is given back as it was.
///
///   Result<Painter> painter = Painter::open(colours);
///   painter->show(draw(state, painter->size()));
///   while (const auto key = painter->key()) ...
///
/// One at a time.
#pragma once

#include <optional>

#include "aisp/core/result.h"
#include "aisp/tui/key.h"
#include "aisp/tui/line.h"

namespace aisp::tui {

class Painter {
 public:
  /// Exit code 4 where there is no terminal, or no description of it.
  static Result<Painter> open(bool colours);
  Painter(Painter&& other) noexcept;
  Painter& operator=(Painter&&) = delete;
  ~Painter();

  Size size() const;
  /// The terminal has another size now.
  void resized();
  void show(const Lines& lines);
  /// Nothing when no key waits.
  std::optional<Key> key();

 private:
  Painter(bool colours, bool utf8) : colours_(colours), utf8_(utf8) {}
  int attributes_of(Style style) const;

  bool open_ = true;
  bool colours_, utf8_;
};

/// For terminals that show ASCII alone: the few signs that pages use have a like, all others are "?". As many
/// columns as before.
std::string in_ascii(std::string_view text);

}  // namespace aisp::tui
