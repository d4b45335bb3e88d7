#pragma once

#include "experimental/circular_buffer.h"
