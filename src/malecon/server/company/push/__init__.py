"""Web Push: people are told on their devices while no page of ours is open.

A device's browser vouches for an address at its maker's push service; what is sent there only the device can read.
"""
