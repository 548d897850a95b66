// Compares the subset with jq: supported expressions must have the same results.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../../../shared/json.ts';
import { createInstance, type Instance } from '../instance.ts';
import { expressions, inputs, soups } from './generate.testing.ts';
import { compileExpression } from './index.ts';

interface Case {
  expression: string;
  input: Json;
}

/** The variables of the expressions. */
const VARIABLES = { x: 3, list: [1, null, 'é', [2]], o: { a: { b: 'c' }, B: false } } satisfies Record<string, Json>;
const RUNS = Number(process.env.JQ_DIFFERENTIAL_RUNS ?? 50);
const CASES_A_RUN = 40;
/** Milliseconds; ten times what the cases take on an idle machine. */
const TIMEOUT = 60_000;

const SETTINGS: fc.Parameters<[readonly Case[]]> = {
  numRuns: RUNS,
  endOnFailure: true,
  // Print only the expression that differs, not the whole batch.
  reporter: ({ failed, seed, errorInstance }) => {
    if (failed) throw new Error(`seed ${seed}: ${String(errorInstance)}`);
  },
};

let jq: Instance;
beforeAll(async () => {
  const file = createRequire(import.meta.url).resolve('jq-wasm/jq.wasm');
  jq = await createInstance(await WebAssembly.compile(readFileSync(file)));
});

const UNKNOWN_VARIABLE = /^jq: error: \$\w+ is not defined/;

/** The results of many expressions in one jq program; an error is the string `failed`. */
function askJq(cases: readonly Case[]): string[] {
  const bindings = Object.keys(VARIABLES).map((name) => `.v.${name} as $${name} | `);
  const parts = cases.map(({ expression }, at) => `(.i[${at}] | try [limit(2;(${expression}))] catch "failed")`);
  const input = JSON.stringify({ v: VARIABLES, i: cases.map(({ input }) => input) });
  const outcome = jq.run(`${bindings.join('')}${parts.join()}`, input);
  if (outcome.kind === 'broken') throw new Error(outcome.detail);
  const { exitCode, stdout, stderr } = outcome.result;
  if (exitCode === 0) return stdout.split('\n').map((line) => JSON.stringify(JSON.parse(line)));
  const [only] = cases;
  if (cases.length === 1 && UNKNOWN_VARIABLE.test(stderr)) return ['"failed"'];
  if (cases.length === 1 && only !== undefined) throw new Error(`${only.expression}: ${stderr.slice(0, 200)}`);
  return cases.flatMap((one) => askJq([one]));
}

/** The number of expressions that the subset supports, and of those that it evaluated itself. */
const counts = { asked: 0, taken: 0, answered: 0, jqAnswered: 0 };

function agree(cases: readonly Case[]): void {
  const taken = cases.flatMap((one) => {
    counts.asked += 1;
    const program = compileExpression(one.expression);
    return program === undefined ? [] : [{ ...one, program }];
  });
  if (taken.length === 0) return;
  const answers = askJq(taken);
  expect(answers).toHaveLength(taken.length);
  for (const [at, { expression, input, program }] of taken.entries()) {
    const expected = answers[at];
    const before = JSON.stringify(input);
    const results = program(input, VARIABLES);
    counts.taken += 1;
    if (expected !== '"failed"') counts.jqAnswered += 1;
    expect(JSON.stringify(input), `${expression} changed its input`).toBe(before);
    if (results === undefined) continue;
    counts.answered += 1;
    // JSON.stringify drops the sign of zero; numbers are compared as doubles.
    expect(JSON.stringify(results), `${expression} on ${before}`).toBe(expected);
  }
}

describe('given expressions of the subset', () => {
  test(
    'when they are evaluated, then jq comes to the same',
    () => {
      const cases = fc.array(fc.record({ expression: expressions, input: inputs }), {
        minLength: CASES_A_RUN,
        maxLength: CASES_A_RUN,
      });
      fc.assert(fc.property(cases, agree), SETTINGS);
      // Most results come from the subset, so the property is meaningful.
      expect(counts.taken / counts.asked).toBeGreaterThan(0.75);
      expect(counts.answered / counts.jqAnswered).toBeGreaterThan(0.8);
    },
    TIMEOUT,
  );

  test(
    'when a text is any tokens or a spoilt expression, then what the subset takes is what jq takes',
    () => {
      const cases = fc.array(fc.record({ expression: soups, input: inputs }), {
        minLength: 5 * CASES_A_RUN,
        maxLength: 5 * CASES_A_RUN,
      });
      fc.assert(fc.property(cases, agree), SETTINGS);
    },
    TIMEOUT,
  );
});
