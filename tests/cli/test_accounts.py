"""`malecon setup` and `malecon account`: the host's account, and those of others."""

from __future__ import annotations

import re
from pathlib import Path

from sqlalchemy import select

from malecon.server.storage.database import address_of
from malecon.server.storage.schema import ACTS
from malecon.server.storage.store import Storage
from tests.cli.command import malecon
from tests.server.people import Browser, Player, log_in, serving

SECRET = "tres tristes tigres"


def test_set_up_and_accounts(tmp_path: Path) -> None:
    where = ("--data", str(tmp_path))
    weak = malecon("setup", "--name", "Ana", *where, typed="password\n")
    assert weak.returncode == 2
    assert "too easy" in weak.stderr
    done = malecon("setup", "--name", "Ana", "--site", "Chess Club", *where, typed=f"{SECRET}\n")
    assert done.returncode == 0, done.stderr
    again = malecon("setup", "--name", "Eve", *where, typed=f"{SECRET}\n")
    assert again.returncode == 2
    assert "malecon account moderator" in again.stderr
    added = malecon("account", "add", "Bea", *where)
    assert added.returncode == 0, added.stderr
    code = re.search(r"code ([A-Z0-9-]{23})", added.stdout)
    assert code
    assert malecon("account", "add", "BEA", *where).returncode == 2
    with serving(tmp_path) as client:
        ana, bea = Player(client), Player(client)
        assert log_in(ana, "Ana", SECRET) == 201
        assert client.get("/host", headers=ana.headers).status_code == 200
        assert "Chess Club" in client.get("/").text
        assert log_in(bea, "Bea", "") == 403
        answer = Browser(client).post("/account/recover", name="Bea", code=code[1], new="mi gato come uvas")
        assert answer.status_code == 303
        assert log_in(bea, "Bea", "mi gato come uvas") == 201
        assert client.get("/host", headers=bea.headers).status_code == 403
        assert malecon("account", "moderator", "bea", *where).returncode == 0  # while the server runs
        assert client.get("/host", headers=bea.headers).status_code == 200
        assert malecon("account", "moderator", "bea", "--remove", *where).returncode == 0
        assert client.get("/host", headers=bea.headers).status_code == 403
        reset = malecon("account", "reset", "Bea", *where)
        code = re.search(r"code ([A-Z0-9-]{23})", reset.stdout)
        assert code
        assert Browser(client).post("/account/recover", name="Bea", code=code[1], new=SECRET).status_code == 303
        shown = malecon("account", "list", *where).stdout.splitlines()
        assert [line.split()[0] for line in shown] == ["Bea", "Ana"]
        assert "moderator" in shown[1]
        assert malecon("account", "list", "--search", "an", *where).stdout.count("\n") == 1
    unknown = malecon("account", "reset", "Nobody", *where)
    assert unknown.returncode == 2
    assert "malecon account list" in unknown.stderr
    storage = Storage(address_of(tmp_path))
    acts = storage.scalars(select(ACTS.c.what).order_by(ACTS.c.made))
    storage.close()
    assert acts == ["setup", "added", "moderator", "no_moderator", "reset"]
