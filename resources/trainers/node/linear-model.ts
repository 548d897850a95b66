// A linear forecast as an ONNX model.
import type { Step } from './fit.ts';
import { type Bytes, model, node, tensor, value } from './onnx.ts';
import type { Layout } from './read-rows.ts';

/**
 * value = [past_target, past_observed, time of the first step, future covariates] * weights + bias; low and high are the value
 * and what is added to it, so that rounding cannot change their order.
 */
export function linearModel({ context, horizon, time, known }: Layout, steps: readonly Step[]): Bytes {
  const features = 2 * context + time + horizon * known;
  const weights = new Float32Array(features * horizon);
  const bias = new Float32Array(horizon);
  steps.forEach((step, h) => {
    for (let from = 0; from < features; from += 1) weights[from * horizon + h] = step.weights[from] ?? 0;
    // The feature is what is missing: past_observed - 1.
    let missing = 0;
    for (let from = context; from < 2 * context; from += 1) missing += step.weights[from] ?? 0;
    bias[h] = (step.weights[features] ?? 0) - missing;
  });
  const lows = Float32Array.from(steps, ({ low }) => low);
  const highs = Float32Array.from(steps, ({ high }) => high);

  const inputs = [
    value('past_target', 'float32', ['batch', context]),
    value('past_observed', 'float32', ['batch', context]),
  ];
  const columns = ['past_target', 'past_observed'];
  const nodes: Bytes[] = [];
  if (time > 0) {
    inputs.push(value('future_time', 'float32', ['batch', horizon, time]));
    nodes.push(node('Gather', ['future_time', 'first'], ['first_time'], { axis: 1 }));
    columns.push('first_time');
  }
  if (known > 0) {
    inputs.push(value('future_covariates', 'float32', ['batch', horizon, known]));
    nodes.push(node('Flatten', ['future_covariates'], ['flat_covariates'], { axis: 1 }));
    columns.push('flat_covariates');
  }
  return model({
    inputs,
    outputs: [value('quantiles', 'float32', ['batch', horizon, 3])],
    nodes: [
      ...nodes,
      node('Concat', columns, ['features'], { axis: 1 }),
      node('MatMul', ['features', 'weights'], ['product']),
      node('Add', ['product', 'bias'], ['value']),
      node('Add', ['value', 'lows'], ['low']),
      node('Add', ['value', 'highs'], ['high']),
      ...['low', 'value', 'high'].map((name) => node('Unsqueeze', [name, 'last_axis'], [`${name}_column`])),
      node('Concat', ['low_column', 'value_column', 'high_column'], ['quantiles'], { axis: 2 }),
    ],
    constants: [
      tensor('weights', [features, horizon], weights),
      tensor('bias', [horizon], bias),
      tensor('lows', [horizon], lows),
      tensor('highs', [horizon], highs),
      tensor('last_axis', [1], [2]),
      ...(time > 0 ? [tensor('first', [], [0])] : []),
    ],
  });
}
