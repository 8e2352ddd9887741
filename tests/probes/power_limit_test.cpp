// SPDX-License-Identifier: Apache-2.0
#include "aisp/probes/power_limit.h"

#include <gtest/gtest.h>

#include "aisp/probes/device_watch.h"
#include "fake_root.h"

namespace aisp::probes {
namespace {

void package(const FakeRoot& root, int number, const std::string& name, const std::string& microwatts) {
  const std::string zone = "/sys/class/powercap/intel-rapl:" + std::to_string(number) + "/";
  root.write(zone + "name", name + "\n");
  root.write(zone + "constraint_0_name", "long_term\n");
  root.write(zone + "constraint_0_power_limit_uw", microwatts + "\n");
  root.write(zone + "constraint_1_name", "short_term\n");
  root.write(zone + "constraint_1_power_limit_uw", "999000000\n");
}

TEST(CpuPowerLimit, packages_add_up_and_nothing_else_does) {
  const FakeRoot root;
  package(root, 0, "package-0", "350000000");
  package(root, 1, "package-1", "300000000");
  package(root, 2, "psys", "700000000");
  root.write("/sys/class/powercap/intel-rapl:0:0/name", "dram\n");
  EXPECT_EQ(cpu_power_limit_w(root.folder()), 650);
}

TEST(CpuPowerLimit, without_a_limit_nothing_is_known) {
  const FakeRoot root;
  EXPECT_FALSE(cpu_power_limit_w(root.folder()));
  root.write("/sys/class/powercap/intel-rapl:0/name", "package-0\n");  // energy is counted, nothing limited
  EXPECT_FALSE(cpu_power_limit_w(root.folder()));
  package(root, 0, "package-0", "350000000");
  package(root, 1, "package-1", "not a number");
  EXPECT_FALSE(cpu_power_limit_w(root.folder())) << "of half of the machine nothing follows";
}

TEST(PowerLimitRange, keeps_both_ends) {
  PowerLimitRange range;
  range.look(std::nullopt);
  EXPECT_FALSE(range.lowest_w());
  for (const double watts : {500.0, 700.0, 600.0}) range.look(watts);
  EXPECT_EQ(range.lowest_w(), 500);
  EXPECT_EQ(range.highest_w(), 700);
}

class Limited : public device::SensorReader {
 public:
  std::optional<std::string> unavailable() const override { return std::nullopt; }
  device::Sensors read() override { return {}; }
  device::SensorSample sample() override { return {}; }
  std::optional<double> watt_limit() override { return limit; }
  std::optional<double> limit = 700;
};

TEST(DeviceWatch, records_the_range_of_the_devices_limit_in_place_of_the_cpus) {
  Limited sensors;
  DeviceWatch steady, changed, silent;
  for (int look = 0; look < 20; ++look) steady.look(sensors);
  for (int look = 0; look < 20; ++look) {
    sensors.limit = look < 2 ? 700 : 500;
    changed.look(sensors);
  }
  sensors.limit.reset();
  silent.look(sensors);
  Evidence evidence;
  evidence.environment.lowest_power_limit_w = evidence.environment.highest_power_limit_w = 350;
  steady.record(evidence);
  EXPECT_EQ(evidence.environment.lowest_power_limit_w, 700);
  EXPECT_EQ(evidence.environment.highest_power_limit_w, 700);
  changed.record(evidence);
  EXPECT_EQ(evidence.environment.lowest_power_limit_w, 500);
  EXPECT_EQ(evidence.environment.highest_power_limit_w, 700);
  silent.record(evidence);
  EXPECT_FALSE(evidence.environment.lowest_power_limit_w)
      << "the CPU's limit says nothing about the device's";
}

}  // namespace
}  // namespace aisp::probes
