// Sends hostile documents, calls and answers to a real server while a probe asks it what anybody asks, and prints what
// the probe felt: `npm run hostile -- --only WORDS|WORDS`, `--copies N`, `--seconds N`, `--short`.
import { parseArgs } from 'node:util';
import { HOSTILE_CASES } from './cases/index.ts';
import { figureWords, runCases } from './run-cases.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    copies: { type: 'string', default: '1' },
    short: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '4' },
  },
});

const cases = HOSTILE_CASES.filter(
  ({ name, isShort }) =>
    (!values.short || isShort === true) && (values.only ?? '').split('|').some((words) => name.includes(words)),
);
const {
  overall,
  honest,
  stoppedIn,
  cases: results,
} = await runCases(cases, {
  copies: Number(values.copies),
  caseMs: values.short ? 1000 : Number(values.seconds) * 1000,
  onResult({ name, felt, failures, mainThread, resident, honest: took, wasKilled }) {
    const run = took === undefined ? 'not carried out' : `${took.toFixed(0)} ms`;
    const notes = [
      `honest run ${run}`,
      ...(mainThread === undefined ? [] : [`main thread ${mainThread} ms`]),
      ...(resident === undefined ? [] : [`${resident} MB`]),
      ...(failures > 0 ? [`${failures} probes failed`] : []),
      ...(wasKilled ? ['HELD'] : []),
    ];
    process.stdout.write(`${name}: ${figureWords(felt)}; ${notes.join('; ')}\n`);
  },
});

const worst = results.toSorted((a, b) => b.felt.max - a.felt.max).slice(0, 10);
process.stdout.write(
  [
    '',
    `${results.length} cases. /health and list_runs: ${figureWords(overall)}`,
    `The honest run: ${figureWords(honest)}; it failed in ${results.filter(({ honest: took }) => took === undefined).length} cases`,
    `The server stopped ${stoppedIn === undefined ? 'only when it was killed' : `in ${stoppedIn.toFixed(0)} ms`}`,
    'Felt most:',
    ...worst.map(({ name, felt }) => `  ${felt.max.toFixed(0)} ms: ${name}`),
    '',
  ].join('\n'),
);
