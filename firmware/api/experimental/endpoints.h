#pragma once

#include "experimental/noc.h"
