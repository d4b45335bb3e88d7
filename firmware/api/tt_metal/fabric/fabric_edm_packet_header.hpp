#pragma once
#include "fabric/fabric_edm_packet_header.hpp"
