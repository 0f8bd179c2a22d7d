"""Slow, obvious twins of the boosters: plain Python, one sample after the other, with trees of their own.

Labels are -1 and +1 unless stated. All return the scores F of the training samples after each round.
"""

import math

ROWS_MIN = 1e-12  # a split must lower the weighted squared error by more


def leaf(rows, z, w):
    """Weighted mean and squared error."""
    weight = sum(w[i] for i in rows)
    mean = sum(w[i] * z[i] for i in rows) / weight
    return mean, sum(w[i] * (z[i] - mean) ** 2 for i in rows)


def best_split(rows, X, score):
    """(largest rise of the score of the parts, left rows, right rows), of all splits, or None."""
    best = None
    for j in range(X.shape[1]):
        for value in sorted({X[i, j] for i in rows})[:-1]:
            left, right = [i for i in rows if X[i, j] <= value], [i for i in rows if X[i, j] > value]
            gain = score(left) + score(right) - score(rows)
            if best is None or gain > best[0]:
                best = gain, left, right
    return best


def tree(X, z, w, max_leaf_nodes, min_samples_split):
    """Fitted values of a tree that always splits the leaf with the largest decrease of the weighted squared error."""
    scale = sum(w)
    leaves = [list(range(len(z)))]

    def split(rows):
        return None if len(rows) < min_samples_split else best_split(rows, X, lambda part: -leaf(part, z, w)[1])

    while len(leaves) < max_leaf_nodes:
        splits = [split(rows) for rows in leaves]
        open_leaves = [k for k, found in enumerate(splits) if found is not None and found[0] > ROWS_MIN * scale]
        if not open_leaves:
            break
        k = max(open_leaves, key=lambda k: splits[k][0])
        leaves[k : k + 1] = splits[k][1:]
    fitted = [0.0] * len(z)
    for rows in leaves:
        for i in rows:
            fitted[i] = leaf(rows, z, w)[0]
    return fitted


def logitboost(X, codes, prior, rounds, *, learning_rate=1.0, **params):
    """Algorithm 6, of which Algorithm 3 is the case of K = 2; labels are 0..K-1, scores are lists of K."""
    K = max(codes) + 1
    F, stages = [[0.0] * K for _ in codes], []
    for _ in range(rounds):
        p = [[math.exp(f) / sum(math.exp(g) for g in scores) for f in scores] for scores in F]
        outputs = []
        for k in range(K):
            z = [min(1 / q[k], 4) if c == k else -min(1 / (1 - q[k]), 4) for c, q in zip(codes, p, strict=True)]
            w = [own * max(q[k] * (1 - q[k]), 2 * 2.0**-52) for own, q in zip(prior, p, strict=True)]
            outputs.append(tree(X, z, w, **params))
        F = [list(scores) for scores in F]
        for i in range(len(codes)):
            mean = sum(f[i] for f in outputs) / K
            for k in range(K):
                F[i][k] += learning_rate * (K - 1) / K * (outputs[k][i] - mean)
        stages.append(F)
    return stages


def logitboost_of_two(X, y, *args, **params):
    """Labels -1 and +1; the score of the second class."""
    stages = logitboost(X, [int(label > 0) for label in y], *args, **params)
    return [[scores[1] for scores in F] for F in stages]


def mixed(weights, prior):
    """A millionth of the weights spread as the prior ones are."""
    return [(1 - 1e-6) * w / sum(weights) + 1e-6 * own / sum(prior) for w, own in zip(weights, prior, strict=True)]


def gentleboost(X, y, prior, rounds, *, learning_rate=1.0, **params):
    F, stages = [0.0] * len(y), []
    w = list(prior)
    for _ in range(rounds):
        f = tree(X, y, mixed(w, prior), **params)
        F = [score + learning_rate * step for score, step in zip(F, f, strict=True)]
        w = [weight * math.exp(-learning_rate * label * step) for weight, label, step in zip(w, y, f, strict=True)]
        w = [weight / sum(w) for weight in w]
        stages.append(F)
    return stages


def brownboost(X, y, prior, rounds, *, c, **params):
    """Also returns the times that were left after each round."""
    stages, times = potential_rounds(
        X, y, prior, rounds, c, 1.0, lambda m, t: math.erfc((m + c - t) / math.sqrt(c)),
        lambda m, t: math.exp(-((m + c - t) ** 2) / c), **params,
    )  # fmt: skip
    return stages, [c - time for time in times]


def robustboost(X, y, prior, rounds, *, error_goal=0.1, max_margin=0.0, margin_sigma=0.1, **params):
    """Also returns the times after each round."""
    e, theta, width = math.e, max_margin, margin_sigma
    inverse_erf = bisect(lambda x: 1 - error_goal - math.erf(x), 0, 10)
    rho = (math.sqrt((width**2 + 1) * e**2 - 1) * inverse_erf + e * theta) / (2 * (e - 1))

    def z(m, t):
        mu = (theta - 2 * rho) * math.exp(1 - t) + 2 * rho
        return (m - mu) / math.sqrt((width**2 + 1) * math.exp(2 * (1 - t)) - 1)

    def potential(m, t):
        return min(1.0, 1 - math.erf(z(m, t)))

    def weight(m, t):
        return math.exp(-(z(m, t) ** 2)) if z(m, t) > 0 else 0.0

    return potential_rounds(X, y, prior, rounds, 1.0, e, potential, weight, **params)


def potential_rounds(X, y, prior, rounds, end, shrinkage, potential, weight, **params):
    """Steps by walking along both unknowns in small steps, then bisection; margins shrink by shrinkage^-time."""
    F, t, stages, times = [0.0] * len(y), 0.0, [], []
    while len(stages) < rounds and t < end - 1e-12:
        r = [label * score for label, score in zip(y, F, strict=True)]
        w = mixed([own * weight(m, t) for own, m in zip(prior, r, strict=True)], prior)
        h = [1 if value > 0 else -1 for value in tree(X, y, w, **params)]  # Gini and squared error agree
        rows = [(own, m, label * vote) for own, m, label, vote in zip(prior, r, y, h, strict=True)]

        def G(size, time, rows=rows, t=t):
            return sum(own * potential(m * shrinkage**-time + size * b, t + time) for own, m, b in rows)

        def corr(size, time, rows=rows, t=t):
            return sum(own * b * weight(m * shrinkage**-time + size * b, t + time) for own, m, b in rows)

        size, time = walked_step(G, corr, end - t)
        F = [score * shrinkage**-time + size * vote for score, vote in zip(F, h, strict=True)]
        t += time
        stages.append(F)
        times.append(t)
    return stages, times


def walked_step(G, corr, left):
    """Size and time of a step that keeps G and ends without correlation, or that ends the run."""
    start = G(0, 0)

    def best(time):
        return first_root(lambda size: corr(size, time), 0.06, 12)

    def excess(time):
        return G(best(time), time) - start

    if excess(left) <= 0:
        end = best(left)
        return (end if G(0, left) <= start else bisect(lambda size: G(size, left) - start, 0, end)), left
    time = first_root(lambda time: -excess(time), 0.03, left)
    return best(time), time


def first_root(f, stride, end):
    """The first place where f is no longer positive."""
    low = 0.0
    if f(low) <= 0:
        return low
    while low < end:
        high = min(low + stride, end)
        if f(high) <= 0:
            return bisect(f, low, high)
        low = high
    return end


def bisect(f, low, high):
    """Place between the two where a positive f becomes negative."""
    for _ in range(55):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    return (low + high) / 2
