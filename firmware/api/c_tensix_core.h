#pragma once

#include "risc_common.h"
