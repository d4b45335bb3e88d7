#pragma once
// Includes all headers that print: DPRINT << …, its TileSlice, DEVICE_PRINT.

#include "debug/device_print.h"
#include "debug/dprint_stream.h"
#include "debug/dprint_tile.h"
