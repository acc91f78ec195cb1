"""Notifications: messages to devices (Web Push), web hooks, and the number of games that wait for a person."""
