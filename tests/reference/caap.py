"""CAAP done the slow way: one full sequence per patch, block by block, written over between the blocks."""

import torch


def hidden_states(model, images):
    tokens = [model.embed(images)]
    for block in model.blocks:
        tokens.append(block(tokens[-1])[0])
    return tokens


def caap_logits(model, image, blank, windows, *, layers, after="propagate", context="frozen"):
    """`windows[i]` lists the patches of S(p_i); gives the logits of every patched run, `patches outputs`."""
    first, last = layers
    source, target = hidden_states(model, image[None]), hidden_states(model, blank)
    total = model.prefix + model.patches
    chosen = torch.zeros(len(windows), total, 1, dtype=torch.bool)
    for row, window in enumerate(windows):
        chosen[row, [model.prefix + patch for patch in window]] = True
    read = torch.zeros(1, total, 1, dtype=torch.bool)
    read[:, list(model.read_tokens)] = True
    state = torch.where(chosen, source[first], target[first])  # one full sequence per patch
    for number in range(first + 1, len(model.blocks) + 1):
        result = model.blocks[number - 1](state)[0]
        recomputed = number > last and context == "recompute"
        state = result if recomputed else torch.where(read, result, target[number])
        if number <= last or after == "source":
            state = torch.where(chosen, source[number], state)
        elif after == "propagate":
            state = torch.where(chosen, result, state)
        else:
            state = torch.where(chosen, target[number], state)
    return model.read_out(state)


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


def e_caap_logits(model, image, blank, windows, *, layers, mean="uniform"):
    """E-CAAP's attention by its formula, one patch, one head and one read token at a time."""
    first, last = layers
    source, target = hidden_states(model, image[None]), hidden_states(model, blank)
    read, logits = list(model.read_tokens), []
    total = model.prefix + len(windows)
    for window in windows:
        state = target[first][:, read]
        for number in range(first + 1, len(model.blocks) + 1):
            block = model.blocks[number - 1]
            chosen = [model.prefix + patch for patch in window] if number - 1 <= last else []
            rest = [token for token in range(total) if token not in chosen and token not in read]
            q0, k0, v0 = block.qkv(block.norm1(target[number - 1]), None)
            _, kx, vx = block.qkv(block.norm1(source[min(number - 1, last)]), None)
            normed = block.norm1(state)
            q, k, v = block.qkv(normed, torch.tensor(read))
            mixed = torch.zeros_like(q)
            for head in range(q.shape[1]):
                for place, token in enumerate(read):
                    e = torch.exp(q0[0, head, token] @ k0[0, head, rest].T * block.scale)
                    shares = e / e.sum() if mean == "weighted" else torch.full_like(e, 1 / len(rest))
                    masses = [e.sum()]
                    values = [shares @ v0[0, head, rest]]
                    for other in range(len(read)):
                        masses.append(torch.exp(q[0, head, place] @ k[0, head, other] * block.scale))
                        values.append(v[0, head, other])
                    for token_s in chosen:
                        masses.append(torch.exp(q[0, head, place] @ kx[0, head, token_s] * block.scale))
                        values.append(vx[0, head, token_s])
                    weights = torch.stack(masses) / torch.stack(masses).sum()
                    mixed[0, head, place] = weights @ torch.stack(values)
            state = block.feed(state + block.scale1(block.attention_out(mixed, normed)))
        sequence = target[-1].clone()
        sequence[:, read] = state
        logits.append(model.read_out(sequence))
    return torch.cat(logits)
