#pragma once

#include "dataflow/noc.h"
