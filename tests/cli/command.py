"""Runs the command `malecon` in the process of the tests."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from dataclasses import dataclass
from unittest import mock

import pytest

from malecon.cli import main


@dataclass
class CommandResult:
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


def malecon(*arguments: str, typed: str = "", **environment: str) -> CommandResult:
    """Run the command in this process, as the script of that name does."""
    out, err = io.StringIO(), io.StringIO()
    settings = {"COLUMNS": "120", "LANG": "C", "LC_ALL": "C.UTF-8", "LANGUAGE": ""} | environment
    with (
        mock.patch.dict(os.environ, settings),
        mock.patch.object(sys, "argv", ["malecon", *arguments]),
        mock.patch.object(sys, "stdin", io.StringIO(typed)),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        pytest.raises(SystemExit) as ended,
    ):
        main()
    return CommandResult(ended.value.code or 0, out.getvalue(), err.getvalue())
