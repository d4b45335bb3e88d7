#pragma once
// What kernels of ethernet tiles have beside the API of all data-movement cores.

#include "ethernet/channels.h"
#include "ethernet/eth_l1_address_map.h"
#include "ethernet/sending.h"
