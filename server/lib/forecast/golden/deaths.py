# Computes deaths.json from deaths.csv, from the words of docs/decisions/forecasts.md and with nothing of the service's code.
# Usage: python3 deaths.py > deaths.json   (Debian: python3-numpy)
import csv, json, math
import numpy as np

C, H, SEASON, K_MOST, c = 24, 3, 12, 6, 0.8
KNOWN, OBSERVED = ["winter"], ["noise"]
f32 = lambda x: np.asarray(x, dtype=np.float32).astype(float)

def index(label):
    year, month = label.split("-")
    return int(year) * 12 + int(month) - 1

def label(i):
    return f"{i // 12:04d}-{i % 12 + 1:02d}"

data, names, region = {}, [], {}
for row in csv.DictReader(open("deaths.csv")):
    if row["series"] not in names:
        names.append(row["series"])
    region[row["series"]] = row["region"]
    for column in ["deaths", "winter", "noise"]:
        if row[column] != "":
            data[row["series"], index(row["period"]), column] = float(row[column])

def get(s, t, column="deaths"):
    return data.get((s, t, column))

span = {s: (min(t for n, t, k in data if n == s and k == "deaths"), max(t for n, t, k in data if n == s and k == "deaths")) for s in names}
T = max(last for _, last in span.values())
K = min(K_MOST, math.floor(np.median([b - a + 1 for a, b in span.values()]) / 2 / H))
origins = [T - H * (K - k + 1) for k in range(1, K + 1)]
third = K // 3
roles = ["calibrate"] * third + ["select"] * third + ["judge"] * (K - 2 * third)
o1 = origins[0]

def change(s):
    for lag in (SEASON, 1):
        diffs = [abs(get(s, t) - get(s, t - lag)) for t in range(span[s][0] + lag, o1 + 1) if get(s, t) is not None and get(s, t - lag) is not None]
        if diffs and sum(diffs) > 0:
            return sum(diffs) / len(diffs)
    return None

d = {s: change(s) for s in names}

def level(values):
    seen = [v for v in values if v is not None]
    if not seen:
        return 0.0, 1.0
    mean = sum(seen) / len(seen)
    s = math.sqrt(sum((v - mean) ** 2 for v in seen) / len(seen))
    if s <= 1e-6 * abs(mean):
        s = abs(mean) or 1.0
    return mean, s

def context(s, o, column="deaths"):
    return [get(s, t, column) for t in range(o - C + 1, o + 1)]

def features(s, o):
    mean, scale = level(context(s, o))
    past_covariates, future = [], []
    levels = {k: level(context(s, o, k)) for k in KNOWN + OBSERVED}
    norm = lambda v, k: 0.0 if v is None else (v - levels[k][0]) / levels[k][1]
    time = lambda t: [math.sin(2 * math.pi * (t % 12) / 12), math.cos(2 * math.pi * (t % 12) / 12)]
    return {
        "past_target": [0.0 if v is None else (v - mean) / scale for v in context(s, o)],
        "past_observed": [0.0 if v is None else 1.0 for v in context(s, o)],
        "past_time": [x for t in range(o - C + 1, o + 1) for x in time(t)],
        "future_time": [x for t in range(o + 1, o + H + 1) for x in time(t)],
        "past_covariates": [norm(get(s, t, k), k) for t in range(o - C + 1, o + 1) for k in KNOWN + OBSERVED],
        "future_covariates": [norm(get(s, t, k), k) for t in range(o + 1, o + H + 1) for k in KNOWN],
        "static": [sorted(set(region.values())).index(region[s]) + 1],
        "level": [mean, scale],
    }

# The forecasts: low, value, high in the values' own unit.
def model(s, o):
    x = features(s, o)
    mean, scale = x["level"]
    target, future = f32(x["past_target"]), f32(x["future_covariates"])
    out = []
    for h in range(H):
        value = target[C - SEASON + h] + 0.125 * future[h]
        out.append([float(mean + scale * v) for v in f32([value - 0.25, value, value + 0.125 * (h + 1)])])
    return out

def history(s, o):
    return [get(s, t) for t in range(span[s][0], o + 1)]

def seasonal_naive(s, o):
    y, out = history(s, o), []
    for h in range(1, H + 1):
        t = len(y) - 1 + h
        while t >= len(y) or y[t] is None:
            t -= SEASON
        out.append([y[t]] * 3)
    return out

def drift(s, o):
    seen = [v for v in history(s, o) if v is not None]
    return [[seen[-1] + h * (seen[-1] - seen[0]) / (len(seen) - 1)] * 3 for h in range(1, H + 1)]

def scored(s, o):
    return d[s] is not None and any(v is not None for v in context(s, o)) and any(get(s, t) is not None for t in range(o + 1, o + H + 1))

def quantile(errors):
    rank = math.ceil((len(errors) + 1) * c - 1e-9)
    return sorted(errors)[rank - 1] if rank <= len(errors) else None

def calibration(errors):
    pooled, out = [e for step in errors for e in step], []
    for step in errors:
        q = quantile(step)
        pool = "step"
        if q is None:
            q, pool = quantile(pooled), "all_steps"
        if q is None:
            q, pool = max(pooled, default=0), "maximum"
        out.append({"q": q, "pool": pool})
    return out

def pinball(q, y, f):
    return max(q * (y - f), (q - 1) * (y - f))

def evaluate(forecast):
    errors = [[] for _ in range(H)]
    items, windows = {"select": [], "judge": []}, []
    for o, role in zip(origins, roles):
        now = calibration(errors)
        mine, added = [], [[] for _ in range(H)]
        for s in names:
            if not scored(s, o):
                continue
            scale = level(context(s, o))[1]
            for h, (low, value, high) in enumerate(forecast(s, o)):
                y = get(s, o + 1 + h)
                if y is None:
                    continue
                added[h].append(max(low - y, y - high) / scale)
                q = now[h]["q"]
                low, high = min(low - q * scale, value), max(high + q * scale, value)
                loss = sum(2 * pinball(p, y, f) for p, f in [((1 - c) / 2, low), (0.5, value), ((1 + c) / 2, high)]) / 3 / d[s]
                mine.append((loss, abs(y - value) / d[s], float(low <= y <= high), (high - low) / d[s]))
        for all_of_step, new in zip(errors, added):
            all_of_step += new
        if role != "calibrate":
            items[role] += mine
        if role == "judge":
            windows.append({"origin": label(o), "score": float(np.mean([m[0] for m in mine]))})
    means = lambda rows: dict(zip(["score", "mase", "coverage", "width"], np.mean(rows, axis=0).tolist()))
    return {"select": means(items["select"]), "judge": means(items["judge"]), "judgeWindows": windows, "calibration": calibration(errors)}

example = ("men", origins[1])
print(json.dumps({
    "windows": [{"origin": label(o), "role": r} for o, r in zip(origins, roles)],
    "trainedUntil": label(o1),
    "changes": d,
    "rows": [[s, label(o)] for o in origins for s in names if scored(s, o)],
    "features": {"series": example[0], "origin": label(example[1]), **features(*example)},
    "evaluations": {"seasonal_naive": evaluate(seasonal_naive), "drift": evaluate(drift), "model": evaluate(model)},
}))
