// SPDX-License-Identifier: Apache-2.0
// The program. Linked into `aisp` and, as aisp::main, into benchmark programs of their own.
#include "aisp/cli/command.h"

int main(int argc, char** argv) { return aisp::cli::main(argc, argv); }
