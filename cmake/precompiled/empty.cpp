// A precompiled header needs a file that includes it.
