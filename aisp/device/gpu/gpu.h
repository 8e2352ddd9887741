// SPDX-License-Identifier: Apache-2.0
/// \file
/// A GPU as the harness uses it. Backends offer themselves under a name; a build without any says so when it
/// is asked for one.
///
///   Result<std::unique_ptr<Gpu>> gpu = open_gpu("cuda:0");
///   std::byte* x = (*gpu)->memory().allocate(bytes);
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "aisp/core/ceiling.h"
#include "aisp/core/result.h"
#include "aisp/device/gpu/activity.h"
#include "aisp/device/gpu/counters.h"
#include "aisp/device/gpu/gpu_data.h"
#include "aisp/device/gpu/gpu_memory.h"
#include "aisp/device/gpu/gpu_timing.h"
#include "aisp/device/gpu/sensors.h"

namespace aisp::device {

struct GpuFacts {
  std::string name;  ///< as the driver says it: "NVIDIA H200"
  std::string driver;
  int multiprocessors = 0;
  double memory_bytes = 0;
};

class Gpu {
 public:
  virtual ~Gpu() = default;
  virtual const GpuFacts& facts() const = 0;
  virtual GpuMemory& memory() = 0;
  virtual GpuData& data() = 0;
  virtual GpuTiming& timing() = 0;
  /// Records nothing unless the device was opened for an audit, and says so.
  virtual ActivityRecorder& recorder() = 0;
  /// Not beside a recorder that records.
  virtual CounterReader& counters() = 0;
  virtual SensorReader& sensors() = 0;
  /// What it can do at most, by its name. Throws GpuError. Not beside other work on the device.
  virtual Ceilings measure_ceilings() = 0;
};

/// A recorder slows what it records, for the rest of the process's life: figures and audits are taken by
/// processes of their own.
enum class GpuUse : std::uint8_t { timing, audit };

/// Opens the device of an index, counted from 0.
using GpuOpener = Result<std::unique_ptr<Gpu>> (*)(int index, GpuUse use);

/// A library that is looked for when it is needed, and where it was found, or why not.
struct GpuLibrary {
  std::string name;  ///< with what it is for: "CUPTI (activity records and counters)"
  bool found = false;
  std::string where;
};
using GpuLibraries = std::vector<GpuLibrary> (*)();

/// Before main(), from the backend's own file: `const GpuBackend backend{"cuda", open, libraries};`
struct GpuBackend {
  GpuBackend(std::string_view kind, GpuOpener open, GpuLibraries libraries = nullptr) noexcept;
};

/// Whether this build has a backend of that kind.
bool has_gpu_backend(std::string_view kind);
/// What the backend of that kind loads at run time.
std::vector<GpuLibrary> gpu_libraries(std::string_view kind);

/// By name, "cuda:0"; "cuda" is the first of them. Fails, with what to do about it, where there is none.
Result<std::unique_ptr<Gpu>> open_gpu(std::string_view device, GpuUse use = GpuUse::timing);

}  // namespace aisp::device
