#pragma once
// PAUSE() waits for a user at the watcher's console; nobody is there.

#define PAUSE() ((void)0)
