#pragma once
#include "fabric/tt_fabric_mux_interface.hpp"
