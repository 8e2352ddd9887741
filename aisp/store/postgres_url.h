// SPDX-License-Identifier: Apache-2.0
/// \file
/// The name of a store on a server, and how it is shown: never with its password.
///
///   is_postgres_url("postgres://ann@db.lab/aisp");                  // true; "results.db" is a file
///   without_password("postgres://ann:secret@db.lab/aisp");          // "postgres://ann@db.lab/aisp"
///   without_passwords("aisp run --store=postgres://ann:secret@db.lab/aisp ch07");
///
/// What else a URL may say is libpq's business.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace aisp::store {

bool is_postgres_url(std::string_view store);

/// The URL as it may be printed and stored. Errs on the side of leaving out too much of a malformed one.
std::string without_password(std::string_view url);

/// Every such URL inside a longer text.
std::string without_passwords(std::string_view text);

/// What must appear in no message: the password as it was written and as it is meant.
std::vector<std::string> secrets_in(std::string_view url);

}  // namespace aisp::store
