"""Fit a game's network to games of self-play: every seat's chance and final margin, and the moves a search prefers.

    python training/fit_net.py santiago --data DIRECTORY --generations 1 2 --out weights.npz

Needs PyTorch (the extra `learning`). One game in ten is held back, to say how well the fit does; another one scales the
chances.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional

from malecon import games
from malecon.bots import training_data
from malecon.bots.calibration import compare
from malecon.bots.searcher import load_net
from malecon.bots.training_data import Sample
from malecon.bots.value import Net

#: How much of the target for the chances is the search's own opinion, the rest being how the game ended.
TRUST = 0.3
#: Weights in the loss, beside 1 for the chances.
MARGIN_WEIGHT, MOVES_WEIGHT = 0.5, 0.5
BATCH = 256
RATE = 5e-4
#: How strongly weights are drawn back to where they began: notes of one game share its ending, soon learnt by heart.
DECAY = 1.0
#: The first nets are too timid by this factor: they learned from games with many careless moves.
FIRST_SCALE = 1.5
Rows = npt.NDArray[np.int64]


class Judge(nn.Module):
    """The network of `bots/value.py`, for PyTorch."""

    def __init__(self, inputs: int, codes: int, units: int, judges: int) -> None:
        super().__init__()
        self.hidden = nn.Linear(inputs, units)
        self.own = nn.Linear(units, judges)
        self.others = nn.Linear(units, judges, bias=False)
        self.out = nn.Linear(judges, 2)
        self.moves = nn.Embedding(codes, units)
        self.moves_bias = nn.Embedding(codes, 1)
        nn.init.normal_(self.out.weight, std=0.05)
        nn.init.normal_(self.moves.weight, std=0.05)
        nn.init.zeros_(self.moves_bias.weight)

    def begin_with(self, first: Net, scale: float) -> None:
        """Judge as a net of one layer does, with its strengths scaled. Two judges, plus and minus, pass each number."""
        inputs, units = first.hidden.shape
        with torch.no_grad():
            self.hidden.weight[:units] = 0
            self.hidden.weight[:units, :inputs] = torch.from_numpy(first.hidden.T)
            self.hidden.bias[:units] = torch.from_numpy(first.hidden_bias)
            self.out.weight[:] *= 0.2
            self.own.weight[:4] = 0
            self.others.weight[:4] = 0
            self.own.bias[:4] = 0
            self.out.weight[:, :4] = 0
            for number, factor in enumerate((scale, 1.0)):
                for sign in (1, -1):
                    at = 2 * number + (sign < 0)
                    self.own.weight[at, :units] = sign * factor * torch.from_numpy(first.out[:, number])
                    self.own.bias[at] = sign * factor * float(first.out_bias[number])
                    self.out.weight[number, at] = sign

    def read(self, features: torch.Tensor) -> torch.Tensor:
        return functional.relu(self.hidden(features))

    def judge(self, units: torch.Tensor) -> torch.Tensor:
        others = (units.sum(1, keepdim=True) - units) / (units.shape[1] - 1)
        found: torch.Tensor = self.out(functional.relu(self.own(units) + self.others(others)))
        return found

    def urges(self, units: torch.Tensor, note: torch.Tensor, codes: torch.Tensor) -> torch.Tensor:
        """Logarithms of the shares of moves: `units` of the deciding seats, the note each move belongs to."""
        found = (self.moves(codes) * units[note]).sum(1) + self.moves_bias(codes)[:, 0]
        highest = torch.full((len(units),), -1e9).scatter_reduce(0, note, found.detach(), "amax")
        found = found - highest[note]
        total = torch.zeros(len(units)).index_add(0, note, found.exp())
        return found - total.log()[note]

    def net(self) -> Net:
        def array(tensor: torch.Tensor) -> npt.NDArray[np.float32]:
            return np.ascontiguousarray(tensor.detach().numpy(), np.float32)

        return Net(
            hidden=array(self.hidden.weight.T),
            hidden_bias=array(self.hidden.bias),
            own=array(self.own.weight.T),
            others=array(self.others.weight.T),
            judge_bias=array(self.own.bias),
            out=array(self.out.weight.T),
            out_bias=array(self.out.bias),
            moves=array(self.moves.weight),
            moves_bias=array(self.moves_bias.weight[:, 0]),
        )


def losses(judge: Judge, sample: Sample, rows: Rows) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Of the chances, of the win alone, of the margin and of the moves."""
    widths = sample.first[rows + 1] - sample.first[rows]
    note = torch.from_numpy(np.repeat(np.arange(len(rows)), widths))
    begins = np.repeat(sample.first[rows] - np.concatenate([[0], np.cumsum(widths)[:-1]]), widths)
    edges = begins + np.arange(len(note))
    units = judge.read(torch.from_numpy(sample.features(rows)))
    found = judge.judge(units)
    shares = functional.log_softmax(found[:, :, 0], 1)
    wins = torch.from_numpy(sample.wins[rows])
    wanted = TRUST * torch.from_numpy(sample.opinions[rows]) + (1 - TRUST) * wins
    deciding = units[torch.arange(len(rows)), torch.from_numpy(sample.actors[rows])]
    urges = judge.urges(deciding, note, torch.from_numpy(sample.codes[edges]))
    return (
        -(wanted * shares).sum(1).mean(),
        -(wins * shares).sum(1).mean(),
        functional.binary_cross_entropy_with_logits(found[:, :, 1], torch.from_numpy(sample.margins[rows])),
        -(torch.from_numpy(sample.shares[edges]) * urges).sum() / len(rows),
    )


def fit(
    samples: Sequence[Sample], codes: int, units: int, judges: int, epochs: int, seed: int, first: Net | None = None
) -> Net:
    """A net for these samples, from nothing or from what a net of one layer knows."""
    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    judge = Judge(samples[0].inputs, codes, units, judges)
    if first is not None:
        judge.begin_with(first, FIRST_SCALE)
    drawn = {weight: weight.detach().clone() for name, weight in judge.named_parameters() if "moves" not in name}
    optimiser = torch.optim.Adam(judge.parameters())
    learnt = [sample.part("learnt") for sample in samples]
    steps = epochs * sum(max(1, len(rows) // BATCH) for rows in learnt)
    step = 0
    for epoch in range(epochs):
        batches = [
            (sample, np.sort(part))
            for sample, rows in zip(samples, learnt, strict=True)
            for part in np.array_split(random.permutation(rows), max(1, len(rows) // BATCH))
        ]
        for at in random.permutation(len(batches)):
            rate = (1 if first is not None else 4) * RATE * (0.01 + 0.5 * (1 + np.cos(np.pi * step / steps)))
            optimiser.param_groups[0]["lr"] = rate
            chances, _, margin, moves = losses(judge, *batches[at])
            optimiser.zero_grad()
            (chances + MARGIN_WEIGHT * margin + MOVES_WEIGHT * moves).backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            step += 1
            with torch.no_grad():
                for weight, begin in drawn.items():
                    weight.lerp_(begin, rate * DECAY)
        lines = [
            f"{sample.players}: {' '.join(f'{loss:.4f}' for loss in _tested(judge, sample))}" for sample in samples
        ]
        print(f"epoch {epoch + 1}, held back, win and moves with so many players: {', '.join(lines)}", flush=True)
    with torch.no_grad():
        kept = [(sample, sample.part("scaled_by")) for sample in samples]
        scale = _best_scale([(_strengths(judge, sample, rows), sample.wins[rows]) for sample, rows in kept])
        judge.out.weight[0] *= scale
        judge.out.bias[0] *= scale
        print(f"strengths scaled by {scale:.2f}, so that chances are neither timid nor bold")
        for sample in samples:
            if not len(back := sample.part("held_back")):
                continue
            given = torch.softmax(_strengths(judge, sample, back), 1).numpy()
            found = compare(given.ravel(), sample.wins[back].ravel())
            print(
                f"{sample.players} players, held back: calibration error {found.error:.3f}, "
                f"worst class {found.worst:.3f}",
                flush=True,
            )
    return judge.net()


def _pieces(rows: Rows) -> list[Rows]:
    """All at once would not fit into memory."""
    return np.array_split(rows, max(1, len(rows) // 10_000))


def _tested(judge: Judge, sample: Sample) -> tuple[float, float]:
    """The losses of the win and of the moves in what is held back."""
    pieces = _pieces(sample.part("held_back"))
    with torch.no_grad():
        found = np.array([losses(judge, sample, part) for part in pieces])
    _, win, _, moves = np.average(found, axis=0, weights=[len(part) for part in pieces])
    return float(win), float(moves)


def _strengths(judge: Judge, sample: Sample, rows: Rows) -> torch.Tensor:
    """(notes, seats)"""
    found = [judge.judge(judge.read(torch.from_numpy(sample.features(part))))[:, :, 0] for part in _pieces(rows)]
    return torch.cat(found)


def _best_scale(parts: Sequence[tuple[torch.Tensor, npt.NDArray[np.float32]]]) -> float:
    """The factor for strengths at which chances fit results best. What the search thought made them too timid."""

    def loss(scale: float) -> float:
        return sum(
            -float((torch.from_numpy(wins) * functional.log_softmax(scale * found, 1)).sum()) for found, wins in parts
        )

    scales = np.arange(0.8, 1.61, 0.05)
    return float(min(scales[np.argsort(abs(scales - 1))], key=loss))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=games.names())
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--generations", nargs="+", required=True, help="of the games to learn from")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--units", type=int, default=64)
    parser.add_argument("--judges", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--first", action="store_true", help="begin with what the first net of the game knows")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    began = time.perf_counter()
    game = games.get(chosen.game)
    found = training_data.samples(game, [chosen.data / chosen.game / name for name in chosen.generations])
    print(f"{sum(map(len, found))} notes, {time.perf_counter() - began:.0f} s", flush=True)
    first = load_net(game.name, "first") if chosen.first else None
    net = fit(found, game.decisions, chosen.units, chosen.judges, chosen.epochs, chosen.seed, first)
    save(chosen.out, net)
    print(f"{chosen.out}: {time.perf_counter() - began:.0f} s")


def save(path: Path, net: Net) -> None:
    """Half precision is enough on disk."""
    with path.open("wb") as file:
        np.savez_compressed(file, **{name: array.astype(np.float16) for name, array in net._asdict().items()})


if __name__ == "__main__":
    main()
