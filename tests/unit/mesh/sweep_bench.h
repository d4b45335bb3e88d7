#pragma once

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "models/mesh/traffic/load_sweep.h"

namespace tvp::mesh {

struct Setting {
  std::string key;
  std::string value;
};

/// One or several loads on 8 x 8 routers.
struct Sweep {
  template <typename... Settings>
  explicit Sweep(const Settings&... settings) {
    set("mesh.width", "8");
    set("mesh.height", "8");
    set("traffic.warmup_cycles", "2000");
    set("traffic.measure_cycles", "4000");
    set("traffic.drain_cycles", "2000");
    (set(settings.key, settings.value), ...);
  }
  void set(const std::string& key, const std::string& value) {
    for (foundation::SettingGroup* group :
         std::initializer_list<foundation::SettingGroup*>{&mesh, &traffic}) {
      for (foundation::SettingBase* setting : group->settings()) {
        if (group->name() + "." + setting->info().name == key) return setting->set(value);
      }
    }
    throw std::out_of_range(key);
  }
  std::vector<LoadPoint> run() {
    support::Calendar calendar({1, 1});
    LoadSweep sweep(mesh, traffic, calendar);
    sweep.start();
    calendar.run_until(support::kNever);
    EXPECT_TRUE(sweep.done());
    sweep.check_at_end();
    return sweep.points();
  }
  /// Highest rate of ejected flits per node and cycle at any load.
  double throughput() {
    set("traffic.load", "0.6");
    return run().at(0).accepted;
  }
  /// The highest of loads `step` apart at which the network is not saturated.
  double saturation(double step) {
    double load = 0;
    while (load + step < 1) {
      set("traffic.load", std::to_string(load + step));
      const LoadPoint point = run().at(0);
      if (point.is_saturated) break;
      load += step;
    }
    return load;
  }
  MeshConfig mesh;
  MeshTrafficConfig traffic;
};

}  // namespace tvp::mesh
