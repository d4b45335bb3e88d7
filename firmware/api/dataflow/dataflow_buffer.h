#pragma once

#include "api/dataflow/circular_buffer.h"
