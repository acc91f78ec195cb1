"""Passwords: those that are tried first are refused, and hashes are renewed when their parameters change."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import select

from malecon.kernel.errors import BadSetup
from malecon.server.accounts import passwords
from malecon.server.accounts.accounts import Accounts
from malecon.server.accounts.passwords import check_password, is_common
from malecon.server.storage.schema import ACCOUNTS
from malecon.server.storage.store import Storage


@pytest.mark.parametrize(
    "password",
    [
        *("password", "Password1!", "P@ssw0rd2026", "passwort123", "contraseña1", "12345678", "87654321", "qwertzuiop"),
        *("qwerty123456", "asdfghjkl1", "1q2w3e4r" * 2, "abcdefgh", "abcd1234", "iloveyou2", "Sommer2026!", "welcome1"),
        *("letmein99", "dragon1234", "Santiago2026", "malecon!!", "AnaMaria99", "ana.maria", "abababab", "20261118"),
        *("admin1234", "qwerty!@#", "1qaz2wsx", "football7", "!!!password!!!"),
    ],
)
def test_passwords_that_are_tried_first_are_refused(password: str) -> None:
    assert is_common(password, "Ana María") or len(set(password)) < 4
    with pytest.raises(BadSetup):
        check_password("Ana María", password)


@pytest.mark.parametrize(
    "password",
    [
        *(
            "sugar and rum",
            "a good secret 1",
            "correct horse battery",
            "7gk2-Pq9vz-wm4",
            "ÄpfelUndBirnen",
            "пароль-отличный",
        ),
        *("tres tristes tigres", "kX9#mP2$vL", "mi gato come uvas"),
    ],
)
def test_others_are_accepted(password: str) -> None:
    assert check_password("Ana María", password) == password


def test_a_hash_is_renewed_at_the_next_log_in(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from argon2 import PasswordHasher

    storage = Storage(database)

    def stored() -> str:
        return str(storage.scalar(select(ACCOUNTS.c.password)))

    async def use() -> None:
        accounts = Accounts(storage)
        weak = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
        monkeypatch.setattr(passwords, "_hasher", lambda: weak)
        await accounts.register("", "Ana", "sugar and rum")
        assert "m=8,t=1" in stored()
        monkeypatch.undo()
        await accounts.log_in("Ana", "sugar and rum")
        renewed = stored()
        assert "m=19456,t=2" in renewed
        await accounts.log_in("Ana", "sugar and rum")
        assert stored() == renewed

    asyncio.run(use())
    storage.close()
