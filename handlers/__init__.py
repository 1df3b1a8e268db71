"""The doors: something from outside becomes a call on the bot."""
