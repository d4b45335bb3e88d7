#pragma once
// Marks of the profiler Tracy in host programs (tracy/Tracy.hpp, common/TracyColor.hpp). They have
// no effect, and their colors are not evaluated: the platform writes reports and waves of a run.

#define ZoneScoped ((void)0)
#define ZoneScopedN(name) ((void)0)
#define ZoneScopedC(color) ((void)0)
#define ZoneScopedNC(name, color) ((void)0)
#define ZoneName(text, size) ((void)0)
#define ZoneText(text, size) ((void)0)
#define ZoneValue(value) ((void)0)
#define FrameMark ((void)0)
#define FrameMarkNamed(name) ((void)0)
#define TracyMessage(text, size) ((void)0)
#define TracyMessageL(text) ((void)0)
#define TracyPlot(name, value) ((void)0)
#define TracyAlloc(pointer, size) ((void)0)
#define TracyFree(pointer) ((void)0)
