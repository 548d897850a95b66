// Runs a benchmark. `npm run bench:GROUP` without a name runs the first of the group, and `npm run bench` those of the server.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Bench } from './serve.ts';

type Benchmarks = Readonly<Record<string, () => Promise<{ run: (bench: Bench) => Promise<void> }>>>;

const GROUPS: Readonly<Record<string, Benchmarks>> = {
  bench: {
    requests: () => import('./server/requests.ts'),
    writer: () => import('./server/writer.ts'),
    analytics: () => import('./server/analytics.ts'),
  },
  'bench:runs': {
    workflows: () => import('./runs/workflows.ts'),
    waiting: () => import('./runs/waiting.ts'),
  },
  'bench:peers': {
    single: () => import('./peers/single.ts'),
    scale: () => import('./peers/scale.ts'),
  },
  'bench:kinds': {
    expressions: () => import('./kinds/expressions.ts'),
    recall: () => import('./kinds/recall.ts'),
    forecast: () => import('./kinds/forecast.ts'),
    predictions: () => import('./kinds/predictions.ts'),
    trainer: () => import('./kinds/trainer.ts'),
  },
  'bench:clients': {
    studio: () => import('./clients/studio.ts'),
    tokens: () => import('./clients/tokens.ts'),
  },
};

async function runIn(load: Benchmarks[string], args: readonly string[]): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cuebook-bench-'));
  // PostgreSQL does not run as root, so another user has to be able to read it.
  chmodSync(folder, 0o755);
  const closers: (() => unknown)[] = [];
  try {
    const { run } = await load();
    await run({ folder, args, defer: (close) => void closers.push(close) });
  } finally {
    for (const close of closers.toReversed()) await close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const [command = 'bench', ...rest] = process.argv.slice(2);
const benchmarks = GROUPS[command] ?? {};
const [first = '', ...others] = Object.keys(benchmarks);
const [name = first, ...args] = rest;
const load = benchmarks[name];
if (load === undefined) {
  console.error(`Usage: npm run ${command} [${[first, ...others].join(' | ')}]\nWithout a name, it runs ${first}.`);
  process.exitCode = 1;
} else {
  await runIn(load, args);
}
