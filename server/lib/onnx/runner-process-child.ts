// For tests: a server that runs a model without end, and is killed.
import { systemClock } from '../clock.ts';
import { createModelRunner } from './model-runner.ts';
import { CONTEXT, endless, SIGNATURE } from './models.testing.ts';

const runner = createModelRunner({ clock: systemClock });
const { value: model } = await runner.open(endless(), SIGNATURE);
const running = model?.run({ rows: 1, tensors: { past_target: new Float32Array(CONTEXT) } });
process.send?.('running');
await running;
