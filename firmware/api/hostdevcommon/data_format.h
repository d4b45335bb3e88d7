#pragma once

#include "firmware/contract/data_format.h"
