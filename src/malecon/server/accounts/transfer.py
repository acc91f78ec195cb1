"""What others have decided about a person: sanctions of the host, and relations such as blocks.

It follows the person from guest to account. Once the account is deleted, it is kept under a digest of its name, and
holds again for an account of that name.
"""

from __future__ import annotations

import hashlib

from sqlalchemy import Connection, delete, insert, select, update

from malecon.server.names import skeleton
from malecon.server.storage.schema import RELATIONS, SANCTIONS

#: What is stricter comes later.
SANCTION_KINDS = ("muted", "banned")
RELATION_KINDS = ("friend", "muted", "blocked")


def name_mark(name: str) -> str:
    """Return what stands for the person of a deleted account; no person's identifier has a colon."""
    return "name:" + hashlib.blake2b(skeleton(name.casefold()).encode(), digest_size=16).hexdigest()


def transfer_sanctions(connection: Connection, old: str, new: str, name: str | None) -> None:
    """Let the sanction of one identifier hold for another; of two, the stricter."""
    query = select(SANCTIONS).where(SANCTIONS.c.person.in_((old, new)))
    sanctions = {row["person"]: dict(row) for row in connection.execute(query).mappings()}
    if old in sanctions:
        strictest = max(sanctions.values(), key=lambda sanction: SANCTION_KINDS.index(sanction["kind"]))
        connection.execute(delete(SANCTIONS).where(SANCTIONS.c.person.in_((old, new))))
        connection.execute(insert(SANCTIONS), strictest | {"person": new, "name": name})


def transfer_relations(connection: Connection, old: str, new: str) -> None:
    """Give one identifier's relations to another, those to others and those of others; of two, the stricter."""
    ends = RELATIONS.c.person.in_((old, new)) | RELATIONS.c.other.in_((old, new))
    rows = [dict(row) for row in connection.execute(select(RELATIONS).where(ends)).mappings()]
    if not any(old in (row["person"], row["other"]) for row in rows):
        return
    merged: dict[tuple[str, str], str] = {}
    for row in sorted(rows, key=lambda row: RELATION_KINDS.index(row["kind"])):
        person, other = (new if end == old else end for end in (row["person"], row["other"]))
        if person != other:
            merged[person, other] = row["kind"]
    connection.execute(delete(RELATIONS).where(ends))
    if merged:
        connection.execute(
            insert(RELATIONS), [{"person": pair[0], "other": pair[1], "kind": kind} for pair, kind in merged.items()]
        )


def keep_under(connection: Connection, person: str, mark: str) -> None:
    """Keep under a mark what others have decided against a person whose data are deleted, without a name."""
    connection.execute(delete(RELATIONS).where(RELATIONS.c.person == person))
    friendly = (RELATIONS.c.other == person) & (RELATIONS.c.kind == RELATION_KINDS[0])
    connection.execute(delete(RELATIONS).where(friendly))
    if mark == person:
        connection.execute(update(SANCTIONS).where(SANCTIONS.c.person == person).values(name=None))
    else:
        transfer_sanctions(connection, person, mark, None)
        transfer_relations(connection, person, mark)
