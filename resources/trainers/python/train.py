"""Answers the open builds of a playbook with two candidates: a linear model and a small neural network.
Usage: python3 train.py PLAYBOOK_URL [PARTY]     needs numpy, scikit-learn and onnx; CUEBOOK_KEY is the key, if any"""
import csv, io, json, os, re, sys, time, urllib.error, urllib.request
import numpy as np
from onnx import numpy_helper, parser
from sklearn.neural_network import MLPRegressor

PLAYBOOK, PARTY = sys.argv[1], "".join(f"?to={party}" for party in sys.argv[2:3])
KEY = {"authorization": f"Bearer {os.environ['CUEBOOK_KEY']}"} if "CUEBOOK_KEY" in os.environ else {}

def call(path, body=None, kind="application/json"):
    try:
        return urllib.request.urlopen(urllib.request.Request(PLAYBOOK + path, body, {**KEY, "content-type": kind}))
    except urllib.error.HTTPError as error:
        if "retry-after" not in error.headers:
            raise SystemExit(f"{path}: {error.code} {error.read().decode()}")
        time.sleep(float(error.headers["retry-after"]))
        return call(path, body, kind)

def to_onnx(layers, offsets, inputs):
    """Layers of weights and biases with rectifiers between them; the offsets turn a value into low, value and high."""
    parts, arrays = [f"flat_{name} = Flatten({name})" for name in inputs], {"offsets": offsets}
    parts.append(f"layer0 = Concat<axis = 1>({', '.join(f'flat_{name}' for name in inputs)})")
    for i, (weights, bias) in enumerate(layers):
        arrays |= {f"weights{i}": weights, f"bias{i}": bias}
        parts.append(f"sum{i} = Gemm(layer{i}, weights{i}, bias{i})")
        parts.append(f"layer{i + 1} = {'Relu' if i < len(layers) - 1 else 'Identity'}(sum{i})")
    parts += ["axis = Constant<value = int64[1] {2}>()", f"value = Unsqueeze(layer{len(layers)}, axis)"]
    parts.append("quantiles = Add(value, offsets)")
    declared = ", ".join(f"float[batch, {size}] {name}" for name, size in inputs.items())
    graph = f"({declared}) => (float[batch, {len(offsets)}, 3] quantiles) {{ {' '.join(parts)} }}"
    model = parser.parse_model(f'<ir_version: 8, opset_import: ["": 17]> forecast {graph}')
    model.graph.initializer.extend(numpy_helper.from_array(a.astype(np.float32), name) for name, a in arrays.items())
    return model.SerializeToString()

def candidates_of(rows, coverage):
    _, _, *header = next(reader := csv.reader(rows))  # series and origin are texts, the others are numbers
    values = np.array([row[2:] for row in sorted(reader, key=lambda row: row[1]) if "" not in row], float)  # by origin
    x, m, t, y = (values[:, [i for i, name in enumerate(header) if re.fullmatch(c + r"\d+", name)]] for c in "xmty")
    context, horizon = x.shape[1], y.shape[1]
    future = t[:, t.shape[1] * context // (context + horizon) :]  # years have no time features
    inputs = {"past_target": context, "past_observed": context}
    inputs |= {"future_time": f"{horizon}, {future.shape[1] // horizon}"} if future.size else {}
    features, cut = np.hstack([x, m, future]), int(0.8 * len(values))
    for hidden in [(), (64,)]:
        model = MLPRegressor(hidden, alpha=0.01, tol=1e-3, random_state=0).fit(features[: cut or 1], y[: cut or 1])
        errors = y[cut:] - model.predict(features[cut:]).reshape(-1, horizon)  # on the latest fifth
        low, high = np.quantile(errors, [(1 - coverage) / 2, (1 + coverage) / 2], axis=0)
        offsets = np.stack([np.minimum(low, 0), 0 * low, np.maximum(high, 0)], axis=1)
        yield to_onnx(list(zip(model.coefs_, model.intercepts_)), offsets, inputs)

for request in json.load(call(f"/interactions{PARTY}"))["interactions"]:
    if asked := request.get("input") or re.search(r"/runs/(?P<run_id>[0-9a-f-]{36})/build/", request["message"]):
        build = f"/runs/{asked['run_id']}/build"
        coverage = re.search(r"Coverage:? (0?\.\d+)", call(f"{build}/brief").read().decode())
        models = candidates_of(io.TextIOWrapper(call(f"{build}/rows"), "utf-8", newline=""), float(coverage[1]))
        uploads = (json.load(call(f"{build}/candidates", model, "application/octet-stream")) for model in models)
        answer = {"answer": {"candidates": [upload["candidate"] for upload in uploads]}}
        call(f"/runs/{request['run_id']}/answer", json.dumps(answer).encode())
        print(build, answer)
