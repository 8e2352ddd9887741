// SPDX-License-Identifier: Apache-2.0
// A plugin that needs libghost.so, which is built beside it and found by nobody.
extern "C" int ghost();
extern "C" int needs_ghost() { return ghost(); }
