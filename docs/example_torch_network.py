"""The network of `example_alphazero.py` in PyTorch: the same methods, so the same loop trains it.

python docs/example_torch_network.py santiago 2 alphazero.npz
"""

import sys

import torch
from example_alphazero import train


class TorchNetwork:
    def __init__(self, size, moves, players, units=128):
        self.moves = moves
        self.layers = [torch.nn.Linear(size, units, bias=False), torch.nn.Linear(units, moves + players, bias=False)]
        torch.nn.init.zeros_(self.layers[1].weight)
        self.network = torch.nn.Sequential(self.layers[0], torch.nn.ReLU(), self.layers[1])
        self.optimiser = torch.optim.Adam(self.network.parameters(), lr=0.002)

    def forward(self, seen, masks):
        found = self.network(torch.as_tensor(seen, dtype=torch.float32))
        appeals = found[:, : self.moves].masked_fill(torch.as_tensor(masks) == 0, -1e9)
        return appeals, found[:, self.moves :].tanh()

    @torch.no_grad()
    def judge(self, seen, masks):
        return tuple(part.numpy() for part in self.forward(seen, masks))

    def learn(self, seen, masks, shares, results):
        appeals, values = self.forward(seen, masks)
        shares, results = (torch.as_tensor(part, dtype=torch.float32) for part in (shares, results))
        surprise = -(shares * appeals.log_softmax(dim=1)).sum(dim=1).mean()
        loss = surprise + 0.5 * (values - results).square().sum(dim=1).mean()
        self.optimiser.zero_grad()
        loss.backward()
        self.optimiser.step()

    @property
    def weights(self):
        """As the NumPy network has them, so that its bot plays these, too."""
        return [layer.weight.detach().numpy().T for layer in self.layers]


if __name__ == "__main__":
    train(sys.argv[1], int(sys.argv[2]), sys.argv[3], kind=TorchNetwork)
