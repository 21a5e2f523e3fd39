"""Windows of patches listed by hand, and E-CAAP by its formula, one patch, one head and one token at a time."""

import torch


def hidden_states(model, images):
    tokens = [model.embed(images)]
    for block in model.blocks:
        tokens.append(block(tokens[-1])[0])
    return tokens


def box_window(grid, patch, radius):
    """Patches within `radius` rows and columns."""
    row, col = divmod(patch, grid[1])
    rows = range(max(0, row - radius), min(grid[0], row + radius + 1))
    cols = range(max(0, col - radius), min(grid[1], col + radius + 1))
    return [r * grid[1] + c for r in rows for c in cols]


def cross_window(grid, patch):
    row, col = divmod(patch, grid[1])
    near = [(row, col), (row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]
    return [r * grid[1] + c for r, c in near if 0 <= r < grid[0] and 0 <= c < grid[1]]


def windows_of(select, grid):
    patches = range(grid[0] * grid[1])
    if select == "manhattan1":
        return [cross_window(grid, patch) for patch in patches]
    return [box_window(grid, patch, {"none": 0, "box1": 1, "box2": 2}[select]) for patch in patches]


def as_matrix(windows, patches):
    matrix = torch.zeros(len(windows), patches, dtype=torch.bool)
    for row, window in enumerate(windows):
        matrix[row, window] = True
    return matrix


def e_caap_logits(model, image, reference, windows, *, blocks, mean="uniform"):
    """E-CAAP's attention by its formula."""
    l_s, l_e = blocks
    source, target = hidden_states(model, image[None]), hidden_states(model, reference)
    cls, logits = list(model.head_tokens), []
    total = model.prefix + len(windows)
    for window in windows:
        state = target[l_s][:, cls]
        for number in range(l_s + 1, len(model.blocks) + 1):
            block = model.blocks[number - 1]
            chosen = [model.prefix + patch for patch in window] if number - 1 <= l_e else []
            rest = [token for token in range(total) if token not in chosen and token not in cls]
            q0, k0, v0 = block.qkv(block.norm1(target[number - 1]), None)
            _, kx, vx = block.qkv(block.norm1(source[min(number - 1, l_e)]), None)
            normed = block.norm1(state)
            bias = torch.zeros(q0.shape[1], total, total) if block.bias is None else block.bias()
            q, k, v = block.qkv(normed, torch.tensor(cls))
            mixed = torch.zeros_like(q)
            for head in range(q.shape[1]):
                for at, token in enumerate(cls):

                    def mass(query, key, position, head=head, token=token, block=block, bias=bias):
                        return torch.exp(
                            (key * query).sum(dim=-1) * block.attention_scale + bias[head, token, position]
                        )

                    e = mass(q0[0, head, token], k0[0, head, rest], rest)
                    shares = e / e.sum() if mean == "weighted" else torch.full_like(e, 1 / len(rest))
                    masses, values = [e.sum()], [shares @ v0[0, head, rest]]
                    for other, position in enumerate(cls):
                        masses.append(mass(q[0, head, at], k[0, head, other], position))
                        values.append(v[0, head, other])
                    for position in chosen:
                        masses.append(mass(q[0, head, at], kx[0, head, position], position))
                        values.append(vx[0, head, position])
                    weights = torch.stack(masses) / torch.stack(masses).sum()
                    mixed[0, head, at] = weights @ torch.stack(values)
            state = block.feed(state + block.layer_scale1(block.attention_out(mixed, normed)))
        sequence = target[-1].clone()
        sequence[:, cls] = state
        logits.append(model.read_out(sequence))
    return torch.cat(logits)
