#include "sw/collectives/spread.h"
