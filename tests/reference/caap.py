"""Windows of patches listed by hand, the variants of CAAP, and E-CAAP by its formula, one patch and token at a time."""

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


def caap_variant(model, x, x_0, y, windows, *, l_s, l_e, after="propagate", context="frozen", score="prob"):
    """`caap_algorithm1` with the options of `caap`: which states follow l_e, and what the other tokens do there."""
    source, reference = hidden_states(model, x), hidden_states(model, x_0)
    cls, scores = list(model.head_tokens), []
    for window in windows:
        chosen = model.prefix + window.nonzero().flatten()
        tokens = reference[l_s].clone()
        tokens[:, chosen] = source[l_s][:, chosen]
        for l in range(l_s + 1, len(model.blocks) + 1):  # noqa: E741 - the paper's symbol
            run = model.blocks[l - 1](tokens)[0]
            later = {"propagate": run, "reference": reference[l], "source": source[l]}[after]
            tokens = (run if context == "recompute" and l > l_e else reference[l]).clone()
            tokens[:, cls] = run[:, cls]
            tokens[:, chosen] = (source[l] if l <= l_e else later)[:, chosen]
        scores.append(model.scores(model.read_out(tokens), y, kind=score)[0])
    return torch.stack(scores)


def e_caap_logits(model, image, reference, windows, *, blocks, mean="uniform"):
    """E-CAAP's attention by its formula: the class token runs from l_s, the tokens of the window run from l_e."""
    l_s, l_e = blocks
    source, target = hidden_states(model, image[None]), hidden_states(model, reference)
    cls, logits = list(model.head_tokens), []
    total = model.prefix + len(windows)
    for window in windows:
        chosen = [model.prefix + patch for patch in window]
        rest = [token for token in range(total) if token not in chosen and token not in cls]
        sequence = target[l_s].clone()
        sequence[:, chosen] = source[l_s][:, chosen]
        for number in range(l_s, len(model.blocks)):
            block, running = model.blocks[number], cls if number < l_e else cls + chosen
            own = _summarized_block(block, sequence, target[number], running, cls + chosen, rest, mean=mean)
            sequence = target[number + 1].clone()
            sequence[:, chosen] = source[min(number + 1, l_e)][:, chosen]
            sequence[:, running] = own
        logits.append(model.read_out(sequence))
    return torch.cat(logits)


def _summarized_block(block, sequence, target, running, seen, rest, *, mean):
    """The running tokens after one block, head by head and token by token."""
    normed = block.norm1(sequence)
    q0, k0, v0 = block.qkv(block.norm1(target), None)
    q, k, v = block.qkv(normed, None)
    total = sequence.shape[1]
    bias = torch.zeros(q0.shape[1], total, total) if block.bias is None else block.bias()
    mixed = torch.zeros_like(q[:, :, running])
    for head in range(q.shape[1]):
        for at, token in enumerate(running):

            def mass(query, key, position, head=head, token=token):
                return torch.exp((key * query).sum(dim=-1) * block.attention_scale + bias[head, token, position])

            e = mass(q0[0, head, token], k0[0, head, rest], rest)
            shares = e / e.sum() if mean == "weighted" else torch.full_like(e, 1 / len(rest))
            masses, values = [e.sum()], [shares @ v0[0, head, rest]]
            for position in seen:
                masses.append(mass(q[0, head, token], k[0, head, position], position))
                values.append(v[0, head, position])
            mixed[0, head, at] = torch.stack(masses) / torch.stack(masses).sum() @ torch.stack(values)
    return block.feed_forward(sequence[:, running] + block.layer_scale1(block.attention_out(mixed, normed[:, running])))
