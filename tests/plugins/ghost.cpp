// SPDX-License-Identifier: Apache-2.0
extern "C" int ghost() { return 1; }
