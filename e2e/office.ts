// Fills a data directory with days of work on the sample, through the runtime itself with a clock that is moved forward.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type DefinitionFile, readFolder } from '../server/interfaces/cli/folder-files.ts';
import { sha256 } from '../server/kernel/contents/index.ts';
import { createCuebook } from '../server/library/index.ts';
import { SAMPLE_FOLDER } from '../server/runtime/resources.ts';
import { FILES_SERVER } from './files.ts';
import { type MovedClock, movedClock } from './moved-clock.ts';
import type { ServedModel } from './serve-model.ts';

/** The day on which the office changes how soon an answer is due. */
const CHANGED_ON = 12;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
export const PLAYBOOK = 'wildlife-strikes';
export const AT = `/v1/orgs/local/playbooks/${PLAYBOOK}`;

/** Reads the notes that `writeSettings` writes, with the tools of a real server. */
export const BRIEF_SHIFT = `---
description: Sums up for the next shift what the office's notes say.
model: openai/gpt-5-mini
tools: [files/list_directory, files/read_text_file]
---
Read the notes of the shift and sum them up in two sentences.
`;
const HAND_OVER = `description: Tells the next shift what the office leaves to it.
tell:
  to: next-shift
  message: The office closes with {{ input.open }} reports still open.
`;
const PHASES = ['Climb', 'Approach', 'Take-off run', 'Landing Roll', 'Taxi', 'Descent'];
const SIZES = ['Small', 'Medium', 'Large'];
const DAMAGES = ['None', 'Minor', 'Medium', 'Substantial'];
const PEOPLE = ['Ada', 'Grace', 'Edsger', 'Barbara'];

type Send = (path: string, body: object) => Promise<Record<string, unknown>>;

/** @returns the settings that the server of the directory needs */
export function writeSettings(dataDir: string, model: ServedModel): Record<string, string> {
  const notes = path.join(dataDir, 'notes');
  mkdirSync(notes, { recursive: true });
  writeFileSync(path.join(notes, 'shift-notes.md'), '# Night shift\n\nTwo gulls, left engine, aircraft turned back.\n');
  const file = path.join(dataDir, 'cuebook.yaml');
  const config = {
    tool_servers: { files: { type: 'stdio', command: process.execPath, args: [FILES_SERVER, notes] } },
    model_gateways: [{ name: 'desk', base_url: model.address, structured_outputs: true }],
    model_aliases: { 'openai/gpt-5-mini': 'desk/desk-small' },
    model_prices: { 'desk/desk-small': { input: 0.4, output: 1.6 }, 'desk/desk-large': { input: 3, output: 12 } },
  };
  writeFileSync(file, JSON.stringify(config));
  return { DATA_DIR: dataDir, CONFIG_FILE: file, LOG_LEVEL: 'fatal' };
}

/**
 * Works for so many days and a last one, which leaves something open. Two runs fail, since the model falls silent.
 * @param environment the settings of `writeSettings`
 */
export async function workInOffice(
  environment: Record<string, string>,
  model: ServedModel,
  days: number,
): Promise<void> {
  const clock = movedClock(days * DAY + 9 * HOUR);
  const cuebook = await createCuebook({ settings: { ...environment, LOG_LEVEL: 'silent' } }, { clock });
  const send: Send = async (at, body) => {
    const response = await fetch(`${cuebook.address}${at}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await response.json()) as Record<string, unknown>;
  };
  const { name, description, definitions } = readFolder(SAMPLE_FOLDER);
  for (const [at, body] of [
    ['/apply', { name, description, definitions }],
    ['/definitions/reasoning', { name: 'brief-shift', source: BRIEF_SHIFT }],
    ['/definitions/interaction', { name: 'hand-over', source: HAND_OVER }],
  ] as const) {
    const { detail } = await send(`${AT}${at}`, body);
    if (detail !== undefined) throw new Error(`The sample was not saved: ${String(detail)}`);
  }
  await send('/v1/orgs/local/playbooks', {
    playbook: 'night-desk',
    name: 'Night desk',
    description: 'Takes over when the office closes.',
  });
  for (let day = 0; day <= days; day += 1) {
    if (day === CHANGED_ON) {
      const applied = await send(`${AT}/apply`, { name, description, definitions: definitions.map(dueSooner) });
      if (applied['detail'] !== undefined) throw new Error(`The sample was not changed: ${String(applied['detail'])}`);
    }
    await workADay(cuebook.address, send, clock, day, day === days);
  }

  // Two runs are in progress when the service stops, and are recorded as failed.
  model.fallSilent();
  const run = (name: string, input: object): Promise<unknown> =>
    send(`${AT}/definitions/reasoning/${name}/run`, { input }).catch(() => undefined);
  const cutOff = [
    run('summarise-report', { species: 'Gull', phase: 'Climb', damage: 'Minor' }),
    run('classify-remark', { remark: 'Flock of starlings at rotation.' }),
  ];
  await untilStarted(cuebook.address, cutOff.length);
  await cuebook.close();
  await Promise.all(cutOff);
}

/** The office promised an answer in three open hours from then on: a second version. */
function dueSooner(definition: DefinitionFile): DefinitionFile {
  if (definition.name !== 'response-due') return definition;
  const source = definition.source.replace('P2: 4', 'P2: 3').replace('after 4, 16', 'after 3, 16');
  return { ...definition, source, sha256: sha256(source) };
}

async function untilStarted(address: string, wanted: number): Promise<void> {
  await eventually('run of a reasoning function in progress', async () => {
    const response = await fetch(`${address}${AT}/runs?status=started&type=reasoning`);
    const { runs } = (await response.json()) as { runs: unknown[] };
    return runs[wanted - 1];
  });
}

const LOOKS = 200;
const BETWEEN_LOOKS = 50;

/** What `look` finds, as soon as it finds something. @throws where that takes longer than ten seconds */
async function eventually<Found>(wanted: string, look: () => Promise<Found | undefined>): Promise<Found> {
  for (let looks = 0; looks < LOOKS; looks += 1) {
    const found = await look();
    if (found !== undefined) return found;
    await wait(BETWEEN_LOOKS);
  }
  throw new Error(`There was no ${wanted} within ten seconds.`);
}

/** Answers every other question; the rest expire. */
async function answerTheQuestion(address: string, send: Send, day: number): Promise<void> {
  const { run_id } = await eventually('question', async () => {
    const response = await fetch(`${address}${AT}/interactions`);
    const { interactions } = (await response.json()) as { interactions: { run_id: string }[] };
    return interactions[0];
  });
  const answer = day % 4 === 0 ? { approved: false } : { approved: true, note: 'Look at the left engine.' };
  await send(`${AT}/runs/${run_id}/answer`, { answer, claimed_for: PEOPLE[day % PEOPLE.length] });
}

/** The days differ as weekdays and weekends do; the last one leaves something open. */
async function workADay(address: string, send: Send, clock: MovedClock, day: number, isLast: boolean): Promise<void> {
  const pick = <Value>(values: readonly Value[], n: number): Value =>
    values[(day * 7 + n * 3) % values.length] as Value;
  const reports = 2 + ((day * 5) % 7) - (day % 7 > 4 ? 2 : 0);
  for (let n = 0; n < reports; n += 1) {
    const id = `WS-${String(1000 + day * 10 + n)}`;
    const strike = { phase: pick(PHASES, n), size: pick(SIZES, n), damage: pick(DAMAGES, n + day) };
    await send(`${AT}/definitions/computation/triage-score/run`, { input: strike });
    const received = { id, received_at: new Date(clock.now()).toISOString(), ...strike };
    await send(`${AT}/events`, { event: { source: '/tower', type: 'report.received', data: received } });
    await send(`${AT}/definitions/reasoning/summarise-report/run`, {
      input: { species: 'Gull', phase: strike.phase, damage: strike.damage },
    });
    if (n % 3 === 1)
      await send(`${AT}/definitions/reasoning/classify-remark/run`, { input: { remark: `Birds at ${strike.phase}.` } });
    if (n % 4 === 2)
      await send(`${AT}/definitions/computation/triage-score/run`, { input: { ...strike, phase: 'Flying' } });
    clock.skip(HOUR);
    if (isLast && n === reports - 1) break;
    const answered = { report: id, by: pick(PEOPLE, n) };
    await send(`${AT}/events`, { event: { source: '/desk', type: 'report.answered', data: answered } });
  }
  if (day % 3 === 0) {
    await send(`${AT}/definitions/reasoning/brief-shift/run`, { input: {} });
    await send(`${AT}/definitions/workflow/inspect-aircraft/run`, {
      input: { id: `WS-${1000 + day * 10}`, phase: 'Climb', size: 'Large', damage: 'Substantial' },
    });
    if (!isLast && day % 2 === 0) await answerTheQuestion(address, send, day);
    await send(`${AT}/definitions/interaction/hand-over/run`, { input: { open: day % 4 } });
  }
  if (!isLast) clock.skip(DAY - reports * HOUR);
}
