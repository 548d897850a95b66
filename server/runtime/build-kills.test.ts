// Kills the server in every stage of a prediction build: nothing that was acknowledged is lost, nothing is scored twice, no
// version is activated twice, and each build comes to its end.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import {
  type Acknowledged,
  createJourney,
  digestOf,
  type Group,
  OF_FIRST_BUILD,
  OF_OTHERS,
  type Stage,
  STAGES,
} from './build-journey.testing.ts';
import { processesOf, startKilledService } from './build-kills.testing.ts';
import { createRandom, gapsIn, openStore, rebuild, rowsOf } from './kills.testing.ts';
import { systemClock } from '../lib/clock.ts';
import { createModelRunner } from '../lib/onnx/index.ts';
import { temporaryFolder } from '../test/index.ts';

/** The short form; `npm run kills` sets the long one. */
const KILLS = Number(process.env['BUILD_KILLS'] ?? 6);
const EACH = Object.keys(STAGES).length;
const TABLES = [
  'playbooks',
  'runs',
  'requests',
  'request_counts',
  'prediction_counts',
  'prediction_builds',
  'build_candidates',
  'built_versions',
  'active_versions',
  'pending_versions',
];

/** Where the kills of each journey are to come: in each group the next stage, so that every one has its turn. */
function planned(random: () => number): Set<Stage>[] {
  const from = Math.floor(random() * 60);
  const journeys = Array.from({ length: Math.ceil(KILLS / EACH) }, () => new Set<Stage>());
  const groups = [...OF_FIRST_BUILD, ...OF_OTHERS.map((_, at) => OF_OTHERS[(from + at) % OF_OTHERS.length] as Group)];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const number = Math.floor(kill / EACH);
    const stages = STAGES[groups[kill % EACH] as Group];
    journeys[number]?.add(stages[(from + number) % stages.length] as Stage);
  }
  return journeys;
}

/** The files that are stored whole, by their digest; every file has the bytes of its digest, and nothing else is stored. */
function checkFiles(database: Database.Database, acknowledged: Acknowledged): void {
  const files = database
    .prepare(
      'SELECT playbook, dataset AS digest, upload FROM datasets UNION ALL SELECT playbook, candidate, upload FROM model_files',
    )
    .all() as { playbook: string; digest: string; upload: string }[];
  const piecesOf = database
    .prepare<[string, string], Buffer>(
      'SELECT content FROM upload_pieces WHERE playbook = ? AND upload = ? ORDER BY place',
    )
    .pluck();
  const digests = files.map(({ playbook, upload }) => digestOf(Buffer.concat(piecesOf.all(playbook, upload))));
  expect(digests).toEqual(files.map(({ digest }) => digest));
  expect(digests).toEqual(expect.arrayContaining([...acknowledged]));
  const stored = database.prepare<[], string>('SELECT DISTINCT upload FROM upload_pieces').pluck().all();
  const unfinished = database.prepare<[], string>('SELECT upload FROM unfinished_uploads').pluck().all();
  const known = new Set([...files.map(({ upload }) => upload), ...unfinished]);
  expect(stored.filter((upload) => !known.has(upload))).toEqual([]);
}

interface Recorded {
  stream: string;
  type: string;
  playbook: string;
  data: { candidate?: string; function?: string; version?: number; kind?: string; key?: string; detail?: string };
}

/** What a store holds that no server uses: each fact of a build once, and versions 1, 2, 3, ... */
function checkBuilds(database: Database.Database, runIds: readonly string[]): void {
  const rows = database
    .prepare('SELECT stream, type, playbook, data FROM events ORDER BY global_position')
    .all() as (Omit<Recorded, 'data'> & { data: string })[];
  const events = rows.map((row): Recorded => ({ ...row, data: JSON.parse(row.data) as Recorded['data'] }));
  const ofBuilds = events.filter(({ stream }) => runIds.includes(stream.replace('run-', '')));
  const once = ofBuilds.flatMap(({ stream, type, data }) => {
    switch (type) {
      case 'candidate_uploaded':
      case 'candidate_scored':
        return [`${stream} ${type} ${data.candidate}`];
      case 'workflow_input_applied':
        return [`${stream} ${type} ${data.kind} ${data.key}`];
      case 'shadow_predicted':
      case 'shadow_graded':
      case 'shadow_passed':
      case 'build_ended':
      case 'version_built':
      case 'request_answered':
      case 'run_succeeded':
      case 'run_rejected':
        return [`${stream} ${type}`];
      default:
        return [];
    }
  });
  expect(once.filter((fact, at) => once.indexOf(fact) !== at)).toEqual([]);
  expect(ofBuilds.filter(({ type }) => type === 'build_ended')).toHaveLength(runIds.length);
  const failed = ofBuilds.filter(({ type }) => type === 'run_failed');
  // Its start was interrupted, and the same request tried again.
  expect(failed.map(({ data }) => data.detail)).toEqual(failed.map(() => 'interrupted'));

  const started = database.prepare<[], string>('SELECT run_id FROM prediction_builds').pluck().all();
  expect(started.toSorted()).toEqual(runIds.toSorted());
  const versionsOf = (type: string): string[] =>
    ofBuilds.flatMap(({ type: its, playbook, data }) =>
      its === type ? [`${playbook} ${data.function} ${data.version}`] : [],
    );
  const activated = versionsOf('version_activated');
  expect(new Set(activated).size).toBe(activated.length);
  const built = versionsOf('version_built');
  const numbers = new Map<string, number>();
  const expected = built.map((version) => {
    const key = version.slice(0, version.lastIndexOf(' '));
    numbers.set(key, (numbers.get(key) ?? 0) + 1);
    return `${key} ${numbers.get(key)}`;
  });
  expect(built).toEqual(expected);
}

/** onnxruntime-node is an optional package. */
const { availability } = createModelRunner({ clock: systemClock });

test.skipIf(!availability.isAvailable)(
  `over ${KILLS} kills in the stages of builds, each build comes to its end, once, with what was uploaded`,
  { timeout: 900_000 },
  async () => {
    const seed = Number(process.env['BUILD_KILLS_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
    const random = createRandom(seed);
    const plans = planned(random);
    const told = `seed ${seed}, kills at ${plans.map((plan) => [...plan].join(', ')).join('; ')}`;
    const folder = temporaryFolder();
    const [data, temporary] = [path.join(folder.path, 'data'), path.join(folder.path, 'temporary')];
    mkdirSync(temporary);
    const acknowledged: Acknowledged = new Set();
    const inStore = (check: (database: Database.Database) => void): void => {
      const database = openStore(data);
      try {
        check(database);
      } finally {
        database.close();
      }
    };
    try {
      const service = await startKilledService({
        data,
        temporary,
        random,
        async onKilled() {
          // What it started ends by itself.
          await expect.poll(() => processesOf(temporary), { timeout: 20_000 }).toEqual([]);
          inStore((database) => {
            expect(gapsIn(database), told).toEqual([]);
            checkFiles(database, acknowledged);
          });
        },
      });
      const journeys = plans.map((plan, number) => createJourney(service, number, plan, acknowledged));
      for (const journey of journeys) await journey.travel();
      expect(service.kills()).toBe(KILLS);
      await service.stop();
      let tables: unknown;
      inStore((database) => {
        checkFiles(database, acknowledged);
        expect(rowsOf(database, ['unfinished_uploads'])).toEqual({ unfinished_uploads: [] });
        checkBuilds(
          database,
          journeys.flatMap(({ runIds }) => runIds),
        );
        tables = rowsOf(database, TABLES);
      });
      expect(rebuild(data)).toBe('');
      inStore((database) => expect(rowsOf(database, TABLES)).toEqual(tables));
    } catch (error) {
      throw new Error(told, { cause: error });
    } finally {
      folder.remove();
    }
  },
);
