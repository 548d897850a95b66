// Two playbooks made through the API: one of the size that the studio must bear, and a small one to compare with.
import { atOnce } from '../figures.ts';
import { HEAD } from '../runs/workflow-sources.ts';
import type { Send } from '../send.ts';
import { createPlaybook } from '../serve.ts';

export interface Size {
  /** Runs of a computation; each tenth is rejected. */
  runs: number;
  /** Steps that the long workflow's run passes. */
  steps: number;
  /** Steps that stand in the wide workflow's document. */
  written: number;
}

export interface Made {
  /** The run of the workflow that loops, and then waits. */
  longRun: string;
  /** The run of the workflow with many steps in its document. */
  wideRun: string;
}

const TAX = `export const input = { type: 'object', required: ['price'], properties: { price: { type: 'number' } } };
export default (input) => ({ total: Math.round(input.price * 119) / 100 });
`;
const LONG = `${HEAD}do:
  - each:
      for: { in: '\${ [range(0; $input.turns)] }' }
      do:
        - weigh: { set: { weight: '\${ $item }' } }
        - keep: { set: { kept: '\${ .weight }' } }
  - tax: { call: computation/add-tax, with: { price: 10 } }
  - ask: { listen: { to: { one: { with: { type: bench.answered } } } } }
`;
const AT_ONCE = 32;

export async function makePlaybook(send: Send, playbook: string, size: Size): Promise<Made> {
  const at = `/v1/orgs/local/playbooks/${playbook}`;
  const save = await createPlaybook(send, playbook);
  await save('computation', 'add-tax', TAX);
  await save('workflow', 'long', LONG);
  const written = Array.from({ length: size.written }, (_none, n) => `  - s${n}: { set: { n: ${n} } }\n`);
  await save('workflow', 'wide', `${HEAD}do:\n${written.join('')}`);

  let started = 0;
  await atOnce(AT_ONCE, async () => {
    while (started < size.runs) {
      const n = started++;
      const input = n % 10 === 9 ? { price: 'ten' } : { price: n };
      const path = `${at}/definitions/computation/add-tax/run`;
      await send('POST', path, { input }).catch((error: unknown) => {
        if (n % 10 !== 9) throw error;
      });
    }
  });
  const start = async (name: string, input: object): Promise<string> => {
    const run = await send('POST', `${at}/definitions/workflow/${name}/run`, { input });
    return String(run['run_id']);
  };
  const longRun = await start('long', { turns: Math.ceil(size.steps / 2) });
  return { longRun, wideRun: await start('wide', {}) };
}
