"""What the player of a seat has decided in advance: answers to questions that will be asked, and standing orders.

Plans are secret: nothing of them is sent to anybody but the player of the seat before they become moves.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import msgspec

from malecon.kernel.questions import Order


@dataclass(frozen=True)
class Answer:
    """An answer given before its seat was asked: at that version of the table, for what `seen` is a digest of."""

    question: str
    move: str
    version: int
    seen: str


@dataclass(frozen=True)
class Plans:
    """The answers and orders of a seat, of each question one at most."""

    answers: tuple[Answer, ...] = ()
    orders: tuple[Order, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.answers or self.orders)

    def answer_to(self, question: str) -> Answer | None:
        return next((answer for answer in self.answers if answer.question == question), None)

    def with_answer(self, question: str, answer: Answer | None) -> Plans:
        """Return the plans with another answer to a question, or with none."""
        kept = (other for other in self.answers if other.question != question)
        return Plans((*kept, *_present(answer)), self.orders)

    def with_order(self, kinds: Iterable[str], order: Order | None) -> Plans:
        """Return the plans with another order, or none, in place of those of these kinds."""
        replaced = set(kinds)
        kept = (other for other in self.orders if other.kind not in replaced)
        return Plans(self.answers, (*kept, *((order,) if order is not None else ())))


def _present(answer: Answer | None) -> tuple[Answer, ...]:
    return () if answer is None else (answer,)


NO_PLANS = Plans()
_decode = msgspec.json.Decoder(Plans).decode


def as_column(plans: Plans) -> str | None:
    return msgspec.json.encode(plans).decode() if plans else None


def of_column(text: Any) -> Plans:
    """Return the plans in a column; none if a version of the program wrote them that this one cannot read."""
    try:
        return NO_PLANS if text is None else _decode(text)
    except msgspec.MsgspecError:
        return NO_PLANS
