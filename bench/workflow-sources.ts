// The documents of workflows of ten durable steps.
export const STEPS = 10;
const HEAD = "document: { dsl: '1.0.3', namespace: bench, name: bench, version: '1.0.0' }\n";

const tenSteps = (step: (n: number) => string): string =>
  `${HEAD}do:\n${Array.from({ length: STEPS }, (_none, n) => `  - step${n}: ${step(n)}\n`).join('')}`;

export const WORKFLOWS = {
  sets: tenSteps((n) => `{ set: { n: ${n} } }`),
  waits: tenSteps(() => '{ wait: PT0S }'),
  calls: tenSteps(() => '{ call: computation/add-one, with: { n: "${ .n }" } }'),
};

/** The computation that the workflow `calls` calls. */
export const ADD_ONE = 'export default (input) => ({ n: (input.n ?? 0) + 1 });\n';
