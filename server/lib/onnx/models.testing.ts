// Models for tests, and a signature that they fit: forecasts of 4 steps from 12 values.
import {
  type Attribute,
  type Bytes,
  type Graph,
  model,
  node,
  tensor,
  value,
} from '../../../resources/trainers/node/onnx.ts';
import type { Signature } from './signature.ts';

export const CONTEXT = 12;
export const HORIZON = 4;

export const SIGNATURE: Signature = {
  inputs: [
    { name: 'past_target', type: 'float32', dims: ['batch', CONTEXT], required: true },
    { name: 'past_observed', type: 'float32', dims: ['batch', CONTEXT] },
    { name: 'static', type: 'int64', dims: ['batch', 2] },
  ],
  output: { name: 'quantiles', type: 'float32', dims: ['batch', HORIZON, 3], ascending: true },
};

export const PAST = value('past_target', 'float32', ['batch', CONTEXT]);
export const QUANTILES = value('quantiles', 'float32', ['batch', HORIZON, 3]);

/** A model of one input, unless `parts` say otherwise. */
export function forecaster(
  nodes: readonly Bytes[],
  constants: readonly Bytes[] = [],
  parts: Partial<Graph> = {},
): Bytes {
  return model({ inputs: [PAST], outputs: [QUANTILES], nodes, constants, ...parts });
}

/** Calculates from `past_target`, with one weight per value, step and quantile, and one bias per step and quantile. */
export function linear(weight: (from: number, step: number, quantile: number) => number, spread = 1): Bytes {
  const outputs = HORIZON * 3;
  const weights = new Float32Array(CONTEXT * outputs);
  for (let from = 0; from < CONTEXT; from += 1) {
    for (let to = 0; to < outputs; to += 1) weights[from * outputs + to] = weight(from, Math.floor(to / 3), to % 3);
  }
  const biases = Float32Array.from({ length: outputs }, (_, to) => ((to % 3) - 1) * spread);
  return forecaster(
    [
      node('MatMul', ['past_target', 'weights'], ['product']),
      node('Add', ['product', 'biases'], ['flat']),
      node('Reshape', ['flat', 'shape'], ['quantiles']),
    ],
    [
      tensor('weights', [CONTEXT, outputs], weights),
      tensor('biases', [outputs], biases),
      tensor('shape', [3], [-1, HORIZON, 3]),
    ],
  );
}

/** Repeats the last `season` values. */
export function seasonalNaive(season: number): Bytes {
  const from = Array.from({ length: HORIZON }, (_, step) => CONTEXT - season + (step % season));
  return forecaster(
    [
      node('Gather', ['past_target', 'from'], ['repeated'], { axis: 1 }),
      node('Unsqueeze', ['repeated', 'last_axis'], ['value']),
      node('Concat', ['value', 'value', 'value'], ['quantiles'], { axis: 2 }),
    ],
    [tensor('from', [HORIZON], from), tensor('last_axis', [1], [2])],
  );
}

/** Continues the line from the first to the last value. */
export function drift(): Bytes {
  return linear((from, step) => {
    const slope = (step + 1) / (CONTEXT - 1);
    return from === CONTEXT - 1 ? 1 + slope : from === 0 ? -slope : 0;
  });
}

/** Additive Holt-Winters with fixed smoothing is linear in the past: its weights are its forecasts of unit vectors. */
export function holtWinters(season = 4): Bytes {
  const responses = Array.from({ length: CONTEXT }, (_, from) =>
    holtWintersForecast(
      Array.from({ length: CONTEXT }, (_, at) => (at === from ? 1 : 0)),
      season,
    ),
  );
  return linear((from, step) => responses[from]?.[step] ?? 0);
}

export function holtWintersForecast(past: readonly number[], season = 4): number[] {
  const [alpha, beta, gamma] = [0.4, 0.1, 0.3];
  const seasonals = Array.from({ length: season }, () => 0);
  let [level, trend] = [past[0] ?? 0, 0];
  past.forEach((observed, at) => {
    const seasonal = seasonals[at % season] ?? 0;
    const before = level;
    level = alpha * (observed - seasonal) + (1 - alpha) * (level + trend);
    trend = beta * (level - before) + (1 - beta) * trend;
    seasonals[at % season] = gamma * (observed - level) + (1 - gamma) * seasonal;
  });
  return Array.from(
    { length: HORIZON },
    (_, step) => level + (step + 1) * trend + (seasonals[(past.length + step) % season] ?? 0),
  );
}

/** Passes `past_target` through one operator and forecasts its first values. */
export function through(operator: string, attributes: Record<string, Attribute> = {}, domain?: string): Bytes {
  return forecaster(
    [
      node(operator, ['past_target'], ['changed'], attributes, domain),
      node('Gather', ['changed', 'from'], ['first'], { axis: 1 }),
      node('Unsqueeze', ['first', 'last_axis'], ['value']),
      node('Concat', ['value', 'value', 'value'], ['quantiles'], { axis: 2 }),
    ],
    [tensor('from', [HORIZON], [0, 1, 2, 3]), tensor('last_axis', [1], [2])],
  );
}

/** Forecasts the sum of the context, from which `nodes` make `value`, at every step. */
export function fromSum(nodes: readonly Bytes[], constants: readonly Bytes[] = []): Bytes {
  return forecaster(
    [
      node('ReduceSum', ['past_target', 'axis'], ['sum'], { keepdims: 1 }),
      ...nodes,
      node('Add', ['value', 'zeros'], ['steps']),
      node('Unsqueeze', ['steps', 'last_axis'], ['deep']),
      node('Concat', ['deep', 'deep', 'deep'], ['quantiles'], { axis: 2 }),
    ],
    [
      tensor('axis', [1], [1]),
      tensor('last_axis', [1], [2]),
      tensor('zeros', [1, HORIZON], new Float32Array(HORIZON)),
      ...constants,
    ],
  );
}

/** Multiplies large matrices for minutes. */
export function endless(): Bytes {
  const products = Array.from({ length: 300 }, (_, index) =>
    node('MatMul', [`product${index}`, 'product0'], [`product${index + 1}`]),
  );
  return fromSum(
    [
      node('ReduceSum', ['sum'], ['one'], { keepdims: 1 }),
      node('Expand', ['one', 'size'], ['product0']),
      ...products,
      node('ReduceMax', ['product300'], ['top'], { keepdims: 1 }),
      node('Add', ['sum', 'top'], ['value']),
    ],
    [tensor('size', [2], [3000, 3000])],
  );
}
