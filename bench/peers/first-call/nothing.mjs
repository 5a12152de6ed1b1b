// Only what Node itself takes to start and to end.
