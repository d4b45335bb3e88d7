#pragma once

#include "api/compute/tilize.h"
