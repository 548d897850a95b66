// Histories as they were: what each input moved, feature by feature. An engine that reads them differently is a break
// for every run that waits.
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Json } from '../../../shared/json.ts';
import type { CloudEvent, Decision, RunInput } from '../durable.ts';
import type { SimulatedKind } from '../simulate.ts';
import { simulate } from '../simulate.ts';
import { createTestRuns } from './testing.ts';

const FOLDER = new URL('golden/', import.meta.url);
const START = Date.UTC(2026, 0, 1);

interface Golden {
  workflow: Record<string, Json>;
  input?: Json;
  events?: CloudEvent[];
  calls?: Record<string, Json>;
}

const runs = createTestRuns();
afterAll(() => runs.close());

/** The kind, with everything that it decides written down. */
function noting(kind: SimulatedKind, notes: string[]): SimulatedKind {
  return {
    ...kind,
    async decide(run, state, input) {
      const decision = await kind.decide(run, state, input);
      notes.push(...linesOf(input, decision));
      return decision;
    },
  };
}

function linesOf(input: RunInput, decision: Decision | undefined): string[] {
  if (decision === undefined) return [`${input.kind}: nothing`];
  return [
    `${input.kind}:`,
    ...decision.moved.map(
      ({ state, step, output }) => `  ${state} ${step}${output === undefined ? '' : ` ${JSON.stringify(output)}`}`,
    ),
    ...decision.commands.map(({ do: what }) => `  > ${what}`),
    ...(decision.ending === undefined ? [] : [`  = ${JSON.stringify(decision.ending)}`]),
  ];
}

describe('a history is what it was', () => {
  const names = readdirSync(FOLDER).filter((file) => file.endsWith('.yaml'));
  test.each(names)('%s', async (name) => {
    const {
      workflow,
      input = {},
      events = [],
      calls = {},
    } = parse(readFileSync(new URL(name, FOLDER), 'utf8')) as Golden;
    const document = { document: { dsl: '1.0.3', namespace: 'golden', name: 'golden', version: '1.0.0' }, ...workflow };
    const notes: string[] = [];
    const runId = '0192b3a4-5c6d-7e8f-9a0b-1c2d3e4f5a6b';
    const source = JSON.stringify(document);
    await simulate(noting(runs.kind, notes), { source, input, events, calls, runId, now: START });
    await expect(`${notes.join('\n')}\n`).toMatchFileSnapshot(
      new URL(name.replace('.yaml', '.history.txt'), FOLDER).pathname,
    );
  });
});
