"""Answers in advance and standing orders: which decisions they make, and when they are no longer valid."""
