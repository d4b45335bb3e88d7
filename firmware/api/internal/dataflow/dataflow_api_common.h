#pragma once

#include "dataflow/dataflow_api.h"
