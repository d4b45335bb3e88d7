#pragma once
// The link status of an ethernet core, which kernels read from the watcher. The platform reports
// links that go down (`ethernet.faults`).

#define WATCHER_CHECK_ETH_LINK_STATUS()
#define WATCHER_ETH_LINK_STATUS_ENABLED 0
