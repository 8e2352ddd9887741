# SPDX-License-Identifier: Apache-2.0
# The front door. Every target does all set-up that it needs; `make help` lists them.
SHELL := /bin/bash
JOBS ?= $(shell nproc)
SETUP ?= ./setup.sh
PREFIX ?= /usr/local
# What `make bench` spends on measuring, in all and per cell.
BUDGET ?= 240
CELL_SECONDS ?= 3
FUZZ_SECONDS ?= 30
SOAK_FUZZ_SECONDS ?= 600
# More for CMake, for example CMAKE_FLAGS=-DAISP_WERROR=ON.
CMAKE_FLAGS ?=

.DEFAULT_GOAL := help
.PHONY: help setup build bench test check format coverage asan tsan fuzz soak web release install clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## Install what building and testing need (root or sudo)
	@$(SETUP) build test

build: ## Build the program: build/cpu/aisp
	@$(SETUP) build
	@cmake --preset cpu --log-level=WARNING $(if $(wildcard build/cpu/CMakeCache.txt),,-DAISP_TESTS=OFF) $(CMAKE_FLAGS)
	@cmake --build --preset cpu -j $(JOBS) --target aisp

bench: build ## Build and run the quick suite on this CPU; ends in a table and an HTML report
	@tools/bench.sh build/cpu/aisp build/report.html --time-budget $(BUDGET) --cell-seconds $(CELL_SECONDS)

test: ## Build everything and run all tests
	@$(SETUP) build test
	@cmake --preset cpu --log-level=WARNING -DAISP_TESTS=ON $(CMAKE_FLAGS)
	@cmake --build --preset cpu -j $(JOBS)
	@JOBS=$(JOBS) tools/run_tests.sh

check: ## Format, clang-tidy, layering, lone headers, shellcheck (CHECKS=analyzer: paths through each function, long)
	@$(SETUP) build test
	@JOBS=$(JOBS) tools/check.sh $(CHECKS)

format: ## Format the C++ sources in place
	@git ls-files '*.cpp' '*.h' '*.cu' '*.cuh' | xargs clang-format-19 -i

coverage: ## Run the tests counting executed lines; report in build/coverage/html
	@$(SETUP) build test
	@cmake --preset coverage --log-level=WARNING $(CMAKE_FLAGS)
	@cmake --build --preset coverage -j $(JOBS)
	@JOBS=$(JOBS) tools/coverage.sh

asan: ## Run the tests under the address and undefined-behaviour sanitizers
	@$(SETUP) build test
	@cmake --preset asan --log-level=WARNING $(CMAKE_FLAGS)
	@cmake --build --preset asan -j $(JOBS)
	@ctest --preset asan -j $(JOBS)

tsan: ## Run the tests under the thread sanitizer
	@$(SETUP) build test
	@cmake --preset tsan --log-level=WARNING $(CMAKE_FLAGS)
	@cmake --build --preset tsan -j $(JOBS)
	@ctest --preset tsan -j $(JOBS)

fuzz: ## Run every fuzzer for FUZZ_SECONDS (30)
	@$(SETUP) build test
	@cmake --preset fuzz --log-level=WARNING $(CMAKE_FLAGS)
	@cmake --build --preset fuzz -j $(JOBS)
	@tools/fuzz.sh build/fuzz $(FUZZ_SECONDS)

web: ## Check the dashboard: types, its committed build, every page in Chromium
	@$(SETUP) build test web
	@cmake --preset cpu --log-level=WARNING -DAISP_TESTS=ON $(CMAKE_FLAGS)
	@cmake --build --preset cpu -j $(JOBS) --target aisp plugin_dishonest plugin_names made_store
	@tools/web.sh build/cpu/aisp build/cpu/tests/plugins

soak: ## The long proofs: kill -9 rounds, long fuzzing, detection experiments; logs under results/
	@$(SETUP) build test compare
	@JOBS=$(JOBS) FUZZ_SECONDS=$(SOAK_FUZZ_SECONDS) tools/soak.sh

release: ## Build the binary to hand out, with CUDA where nvcc is found: build/release/aisp
	@$(SETUP) build
	@set -o pipefail; cmake --preset release $(CMAKE_FLAGS) | grep '^-- CUDA'
	@cmake --build --preset release -j $(JOBS)
	@tools/needed.sh build/release/aisp

install: build ## Install the program and the package for out-of-tree workloads below PREFIX (/usr/local)
	@cmake --build --preset cpu -j $(JOBS)
	@cmake --install build/cpu --prefix $(PREFIX)

clean: ## Remove what the targets above built
	@rm -rf build/cpu build/asan build/tsan build/fuzz build/tidy build/coverage build/release build/accuracy build/ci build/web build/without_cuda build/report.html
