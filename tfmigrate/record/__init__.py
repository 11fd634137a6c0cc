"""Recording what a user's own program or tests construct and call. Imports nothing heavy by itself."""
