import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../lib/clock.ts';
import { serveHttp } from '../../lib/http-client/testing.ts';
import { createTextWork } from '../../lib/text-work/index.ts';
import { createEffects } from './effects.ts';

const RUN = { org: 'local', playbook: 'desk', runId: 'r', name: 'w', version: 1 };

/** As with `*.example.com`: the host is allowed, and nobody named it. */
test.each([
  [false, { ok: false, error: { status: 503, outcome: 'server_failure' } }, 0],
  [true, { ok: true, output: 'inside' }, 1],
])(
  'a host at a private address is called only where the operator names it: %s',
  async (isNamed, performed, requests) => {
    let asked = 0;
    const url = await serveHttp((_request, response) => {
      asked += 1;
      response.end('inside');
    });
    const grants = { secrets: () => ({}), hosts: () => () => true, namedHosts: () => () => isNamed };
    const effects = createEffects({ grants, textWork: createTextWork(), clock: systemClock });
    onTestFinished(() => effects.close());
    const effect = { call: 'http', with: { method: 'get', endpoint: url.href } };
    const options = { signal: new AbortController().signal, starts: async () => undefined };
    expect(await effects.perform(RUN, effect, options)).toMatchObject(performed);
    expect(asked).toBe(requests);
  },
);
