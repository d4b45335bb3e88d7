#pragma once
// Tracy's zones of host programs, whose header some kernels include. Without TRACY_ENABLE, which
// kernels never have, they have no effect (Tracy's manual, "Initial client setup").

#define ZoneScoped
#define ZoneScopedN(name)
#define ZoneScopedC(color)
#define ZoneScopedNC(name, color)
#define ZoneNamed(variable, active)
#define ZoneNamedN(variable, name, active)
#define ZoneText(text, size)
#define ZoneName(text, size)
#define ZoneValue(value)
#define FrameMark
#define FrameMarkNamed(name)
#define FrameMarkStart(name)
#define FrameMarkEnd(name)
#define TracyPlot(name, value)
#define TracyMessage(text, size)
#define TracyMessageL(text)
#define TracyAlloc(pointer, size)
#define TracyFree(pointer)
