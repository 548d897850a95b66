// The documents of workflows of ten durable steps.
export const STEPS = 10;
export const HEAD = "document: { dsl: '1.0.3', namespace: bench, name: bench, version: '1.0.0' }\n";

const steps = (count: number, step: (n: number) => string): string =>
  `${HEAD}do:\n${Array.from({ length: count }, (_none, n) => `  - step${n}: ${step(n)}\n`).join('')}`;

/** So many calls of the computation `add-one`. */
export const callsOf = (count: number): string =>
  steps(count, () => '{ call: computation/add-one, with: { n: "${ .n }" } }');

export const WORKFLOWS = {
  sets: steps(STEPS, (n) => `{ set: { n: ${n} } }`),
  sums: steps(STEPS, () => '{ set: { n: "${ (.n // 0) + 1 }" } }'),
  waits: steps(STEPS, () => '{ wait: PT0S }'),
  calls: callsOf(STEPS),
};

export const ADD_ONE = 'export default (input) => ({ n: (input.n ?? 0) + 1 });\n';
