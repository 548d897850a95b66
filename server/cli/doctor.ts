import { statSync } from 'node:fs';
import { openLog } from '../app.ts';
import { systemClock } from '../kernel/clock.ts';
import { type Overrides, readSettings, type Settings } from '../settings/index.ts';
import { CommandFailure, EXIT } from './failure.ts';
import { progress, show } from './output.ts';
import { findLiving } from './runtime-file.ts';

export interface DoctorOptions extends Overrides {
  rebuild?: boolean | undefined;
  json?: boolean | undefined;
}

interface TableSize {
  table: string;
  rows: number;
}

/** Says what the settings are and what the store holds; with `rebuild`, folds the log into the read tables again. */
export async function doctor(options: DoctorOptions): Promise<void> {
  const settings = readSettings(process.env, options);
  const living = await findLiving(settings.dataDir);
  if (options.rebuild === true) return rebuild(settings, living?.address);
  const tables = living === undefined && exists(settings.databaseFile) ? await tableSizes(settings) : undefined;
  const report = { settings, runtime: living ?? null, bytes: bytesOf(settings.databaseFile), tables: tables ?? null };
  show(options, report, () =>
    [
      ...Object.entries(settings).map(
        ([name, value]) => `${name}: ${value === undefined ? 'not set' : JSON.stringify(value)}`,
      ),
      living === undefined
        ? 'No runtime lives here.'
        : `A runtime (${living.version}, process ${living.pid}) listens on ${living.address}`,
      `The database has ${report.bytes} bytes. No event is ever deleted.`,
      ...(tables ?? []).map(({ table, rows }) => `${table}: ${rows} rows`),
    ].join('\n'),
  );
}

async function rebuild(settings: Settings, address: string | undefined): Promise<void> {
  if (address !== undefined) {
    throw new CommandFailure(`A runtime lives here and listens on ${address}; stop it, then rebuild.`, EXIT.misused);
  }
  const log = openLog(settings, systemClock, (sentence) => {
    process.stderr.write(`${sentence}\n`);
    process.exit(EXIT.store);
  });
  try {
    progress('Folding the log into the read tables again.');
    const events = await log.rebuild();
    process.stdout.write(`Rebuilt the read tables from ${events} events.\n`);
  } finally {
    await log.close();
  }
}

async function tableSizes(settings: Settings): Promise<TableSize[]> {
  const log = openLog(settings, systemClock, (sentence) => {
    throw new Error(sentence);
  });
  try {
    return await log.read(async (tx) => {
      const names = await tx.all<{ name: string }>(
        `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
      );
      const sizes: TableSize[] = [];
      for (const { name } of names) {
        const row = await tx.get<{ rows: number }>(`SELECT COUNT(*) AS rows FROM ${name}`);
        sizes.push({ table: name, rows: Number(row?.rows) });
      }
      return sizes;
    });
  } finally {
    await log.close();
  }
}

function exists(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined;
}

function bytesOf(file: string): number {
  return ['', '-wal'].reduce((sum, suffix) => sum + (statSync(file + suffix, { throwIfNoEntry: false })?.size ?? 0), 0);
}
