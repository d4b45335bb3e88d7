#pragma once

#include "internal/risc_attribs.h"
