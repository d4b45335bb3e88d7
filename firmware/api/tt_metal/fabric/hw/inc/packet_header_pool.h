#pragma once
#include "fabric/packet_header_pool.h"
