"""Tests of the reasons in words."""
