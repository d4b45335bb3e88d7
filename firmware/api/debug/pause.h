#pragma once
// PAUSE() waits for a user at the watcher's console. This platform has no such console, so it has
// no effect.

#define PAUSE() ((void)0)
