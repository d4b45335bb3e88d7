#pragma once
#include "fabric/edm_fabric_worker_adapters.hpp"
