// Runs the browser tests in the Chromium of this machine: node scripts/e2e.ts [Playwright's arguments]. Without arguments, it
// also runs the tests of connected agents and of a packaged app, which keep less than a core busy, at the same time, and
// prints their output afterwards. With --docs, it only takes the pictures of the documentation. The studio and the server are
// built first if needed.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { buildServer, buildStudio } from './builds.ts';
import { findChromium } from './chromium.ts';
import { memoryFolder } from './memory-folder.ts';
import { findOlderNode } from './older-node.ts';

const takesPictures = process.argv[2] === '--docs';
const args = takesPictures ? ['office.spec'] : process.argv.slice(2);
const chromium = findChromium();
const program = await buildServer();
if (chromium !== undefined) await buildStudio();

const pictures = takesPictures ? { CUEBOOK_PICTURES: 'docs/images' } : {};
const environment = { ...memoryFolder(), ...process.env, CUEBOOK_PROGRAM: program, ...pictures };
const codeOf = async (child: ChildProcess): Promise<number> =>
  ((await once(child, 'close')) as [number | null])[0] ?? 1;

async function runOthers(): Promise<{ code: number; output: string }> {
  const nodes = process.env['CUEBOOK_NODES'] ?? (await findOlderNode()) ?? '';
  const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--mode', 'e2e', '--maxWorkers=1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...environment, CUEBOOK_NODES: nodes },
  });
  const [output, code] = await Promise.all([text(child.stdout), codeOf(child)]);
  return { code, output };
}

async function runJourneys(): Promise<number> {
  if (chromium === undefined) {
    console.log(
      'Skipped: the browser tests need Chromium, which is not in PATH. Install it, or set CUEBOOK_CHROMIUM to its path.',
    );
    return 0;
  }
  const command = ['node_modules/@playwright/test/cli.js', 'test', '--config', 'e2e', ...args];
  return codeOf(
    spawn(process.execPath, command, { stdio: 'inherit', env: { ...environment, CUEBOOK_CHROMIUM: chromium } }),
  );
}

const others = args.length === 0 ? runOthers() : undefined;
const journeys = await runJourneys();
const { code, output } = (await others) ?? { code: 0, output: '' };
process.stdout.write(output);
process.exitCode = journeys || code;
