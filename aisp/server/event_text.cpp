// SPDX-License-Identifier: Apache-2.0
#include "aisp/server/event_text.h"

namespace aisp::server {

std::string event_text(const Event& event) {
  std::string text;
  if (event.id != 0) text += "id: " + std::to_string(event.id) + "\n";
  text += "event: " + event.kind + "\ndata: ";
  for (const char c : event.data) text += c == '\r' || c == '\n' ? ' ' : c;
  return text + "\n\n";
}

}  // namespace aisp::server
