// Gives the sample's prediction function its dataset and a version that a trainer built, and leaves a second build waiting.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { sha256 } from '../../server/kernel/contents/index.ts';
import { locateRuntime } from '../../server/lib/onnx/runtime.ts';
import { SAMPLE_DATASET } from '../../server/runtime/resources.ts';
import { SERVER_PROGRAM } from '../../server/test/index.ts';
import { send } from './make-desk.ts';
import { AT, PLAYBOOK } from './make-history.ts';

const LOOKS = 120;
const BETWEEN_LOOKS = 500;

/** @returns whether models run on this machine; otherwise nothing is made */
export async function makeForecast(address: string): Promise<boolean> {
  if ('reason' in locateRuntime()) return false;
  const csv = readFileSync(SAMPLE_DATASET, 'utf8');
  const uploaded = await fetch(`${address}${AT}/datasets/${sha256(csv)}`, {
    method: 'PUT',
    headers: { 'content-type': 'text/csv' },
    body: csv,
  });
  if (!uploaded.ok) throw new Error(`The dataset was refused: ${await uploaded.text()}`);
  const definition = `${address}${AT}/definitions/prediction/strike-reports`;
  await send(`${definition}/run`, { input: { build: {} } });
  const trainer = spawn(process.execPath, [SERVER_PROGRAM, 'train', PLAYBOOK, '--watch', '--server', address], {
    stdio: 'ignore',
  });
  const ended = once(trainer, 'close');
  try {
    await untilActive(definition);
  } finally {
    trainer.kill();
    await ended;
  }
  await send(`${definition}/run`, { input: { build: {} } });
  return true;
}

async function untilActive(definition: string): Promise<void> {
  for (let looks = 0; looks < LOOKS; looks += 1) {
    const saved = (await (await fetch(definition)).json()) as { standing?: { active?: object | null } };
    if (saved.standing?.active != null) return;
    await wait(BETWEEN_LOOKS);
  }
  throw new Error('No version became active within a minute.');
}
