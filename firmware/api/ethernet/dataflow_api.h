#pragma once
// The API of ethernet tiles in addition to that of all data-movement cores.

#include "ethernet/channels.h"
#include "ethernet/eth_l1_address_map.h"
#include "ethernet/sending.h"
