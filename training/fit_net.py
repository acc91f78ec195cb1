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
from malecon.bots.network import Net, read_net
from malecon.bots.training_data import TrainingSample

#: How much of the target for the chances is the search's own opinion, the rest being how the game ended.
TRUST = 0.3
#: Weights in the loss, beside 1 for the chances.
MARGIN_WEIGHT = 0.5
MOVES_WEIGHT = 0.5
BATCH = 256
RATE = 5e-4
#: How strongly weights are drawn back to where they began: notes of one game share its ending, soon learnt by heart.
DECAY = 1.0
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

    def begin_with(self, start: Net) -> None:
        """Copy a network of the same size; features that were added later begin with no weight."""
        known = len(start.hidden)
        with torch.no_grad():
            self.hidden.weight[:, known:] = 0
            self.hidden.weight[:, :known] = torch.from_numpy(start.hidden.T)
            self.hidden.bias[:] = torch.from_numpy(start.hidden_bias)
            self.own.weight[:] = torch.from_numpy(start.own.T)
            self.own.bias[:] = torch.from_numpy(start.judge_bias)
            self.others.weight[:] = torch.from_numpy(start.others.T)
            self.out.weight[:] = torch.from_numpy(start.out.T)
            self.out.bias[:] = torch.from_numpy(start.out_bias)
            self.moves.weight[:] = torch.from_numpy(start.moves)
            self.moves_bias.weight[:, 0] = torch.from_numpy(start.moves_bias)

    def read(self, features: torch.Tensor) -> torch.Tensor:
        return functional.relu(self.hidden(features))

    def judge(self, units: torch.Tensor) -> torch.Tensor:
        others = (units.sum(1, keepdim=True) - units) / (units.shape[1] - 1)
        output: torch.Tensor = self.out(functional.relu(self.own(units) + self.others(others)))
        return output

    def move_scores(self, units: torch.Tensor, note: torch.Tensor, codes: torch.Tensor) -> torch.Tensor:
        """Return logarithms of the shares of moves: `units` are of the deciding seats, `note` is that of each move."""
        scores = (self.moves(codes) * units[note]).sum(1) + self.moves_bias(codes)[:, 0]
        highest = torch.full((len(units),), -1e9).scatter_reduce(0, note, scores.detach(), "amax")
        scores = scores - highest[note]
        total = torch.zeros(len(units)).index_add(0, note, scores.exp())
        return scores - total.log()[note]

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


def losses(
    judge: Judge, sample: TrainingSample, rows: Rows
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the losses of the chances, of the win alone, of the margin and of the moves."""
    widths = sample.first[rows + 1] - sample.first[rows]
    note = torch.from_numpy(np.repeat(np.arange(len(rows)), widths))
    begins = np.repeat(sample.first[rows] - np.concatenate([[0], np.cumsum(widths)[:-1]]), widths)
    edges = begins + np.arange(len(note))
    units = judge.read(torch.from_numpy(sample.features(rows)))
    judged = judge.judge(units)
    shares = functional.log_softmax(judged[:, :, 0], 1)
    wins = torch.from_numpy(sample.wins[rows])
    targets = TRUST * torch.from_numpy(sample.opinions[rows]) + (1 - TRUST) * wins
    deciding = units[torch.arange(len(rows)), torch.from_numpy(sample.actors[rows])]
    scores = judge.move_scores(deciding, note, torch.from_numpy(sample.codes[edges]))
    return (
        -(targets * shares).sum(1).mean(),
        -(wins * shares).sum(1).mean(),
        functional.binary_cross_entropy_with_logits(judged[:, :, 1], torch.from_numpy(sample.margins[rows])),
        -(torch.from_numpy(sample.shares[edges]) * scores).sum() / len(rows),
    )


def fit(
    samples: Sequence[TrainingSample],
    codes: int,
    units: int,
    judges: int,
    epochs: int,
    seed: int,
    start: Net | None = None,
) -> Net:
    """Return a network for these samples, trained from nothing or from another one."""
    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    judge = Judge(samples[0].inputs, codes, units, judges)
    if start is not None:
        judge.begin_with(start)
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
            rate = (1 if start is not None else 4) * RATE * (0.01 + 0.5 * (1 + np.cos(np.pi * step / steps)))
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
        print(f"epoch {epoch + 1}, held back, win and moves by number of players: {', '.join(lines)}", flush=True)
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
            report = compare(given.ravel(), sample.wins[back].ravel())
            print(
                f"{sample.players} players, held back: calibration error {report.error:.3f}, "
                f"worst class {report.worst:.3f}",
                flush=True,
            )
    return judge.net()


def _pieces(rows: Rows) -> list[Rows]:
    """Split rows into pieces that fit into memory."""
    return np.array_split(rows, max(1, len(rows) // 10_000))


def _tested(judge: Judge, sample: TrainingSample) -> tuple[float, float]:
    """Return the losses of the win and of the moves in what is held back."""
    pieces = _pieces(sample.part("held_back"))
    with torch.no_grad():
        all_losses = np.array([losses(judge, sample, part) for part in pieces])
    _, win, _, moves = np.average(all_losses, axis=0, weights=[len(part) for part in pieces])
    return float(win), float(moves)


def _strengths(judge: Judge, sample: TrainingSample, rows: Rows) -> torch.Tensor:
    """Return the strengths of all seats: (notes, seats)."""
    strengths = [judge.judge(judge.read(torch.from_numpy(sample.features(part))))[:, :, 0] for part in _pieces(rows)]
    return torch.cat(strengths)


def _best_scale(parts: Sequence[tuple[torch.Tensor, npt.NDArray[np.float32]]]) -> float:
    """Return the factor for strengths at which chances fit results best. Opinions of the search make them too timid."""

    def loss(scale: float) -> float:
        return sum(
            -float((torch.from_numpy(wins) * functional.log_softmax(scale * strengths, 1)).sum())
            for strengths, wins in parts
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
    parser.add_argument("--start", type=Path, help="a file of weights to begin with")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    began = time.perf_counter()
    game = games.get(chosen.game)
    samples = training_data.samples(game, [chosen.data / chosen.game / name for name in chosen.generations])
    print(f"{sum(map(len, samples))} notes, {time.perf_counter() - began:.0f} s", flush=True)
    start = read_net(chosen.start) if chosen.start else None
    net = fit(samples, game.decisions, chosen.units, chosen.judges, chosen.epochs, chosen.seed, start)
    save(chosen.out, net)
    print(f"{chosen.out}: {time.perf_counter() - began:.0f} s")


def save(path: Path, net: Net) -> None:
    """Write a network to a file, in half precision."""
    with path.open("wb") as file:
        np.savez_compressed(file, **{name: array.astype(np.float16) for name, array in net._asdict().items()})


if __name__ == "__main__":
    main()
