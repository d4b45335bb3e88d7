#pragma once
// Whether the link of an ethernet core is up, which kernels ask of the watcher. Links that go down
// (`ethernet.faults`) are told of by the platform.

#define WATCHER_CHECK_ETH_LINK_STATUS()
#define WATCHER_ETH_LINK_STATUS_ENABLED 0
