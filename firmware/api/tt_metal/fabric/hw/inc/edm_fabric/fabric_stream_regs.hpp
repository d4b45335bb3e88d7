#pragma once
#include "fabric/stream_credits.h"
