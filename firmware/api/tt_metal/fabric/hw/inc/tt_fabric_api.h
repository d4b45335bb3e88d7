#pragma once
#include "fabric/tt_fabric_api.h"
