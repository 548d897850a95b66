import { listProvidersWithKeys } from '../../domain/models/index.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { createRuntime, type Runtime } from '../../runtime/app.ts';
import { notePath } from '../../kernel/log/index.ts';
import { checkSettings, openSettings, readDataDir, type Settings, SettingsError } from '../../settings/index.ts';
import { VERSION } from '../../runtime/version.ts';
import { claimDataDir } from './claim-data-dir.ts';
import { isComplete, settingsOfCommand } from './command-settings.ts';
import { type Client, createClient } from './client.ts';
import { credentialFor, environmentKey } from './credential.ts';
import { exitForStore, misused } from './failure.ts';
import { exists } from './paths.ts';
import { progress } from './output.ts';
import { findRuntime, removeRuntimeFile, type RuntimeFile, writeRuntimeFile } from './runtime-file.ts';

/** The options of every command that calls a server. */
export interface ClientOptions {
  /** The address of a server; absent: that of the data directory, or one that is started for the command. */
  server?: string | undefined;
  dataDir?: string | undefined;
  org?: string | undefined;
  json?: boolean | undefined;
}

interface RuntimeNeeds {
  /**
   * What to do if the data directory does not exist: refuse, because nothing that the command names can exist; create
   * it; or use an empty temporary one.
   */
  whenAbsent: 'refuse' | 'create' | 'temporary';
  /** Whether the command runs for a long time, so that other commands must find the runtime that it starts. */
  isLong?: boolean;
  /** Whether the command waits for background tasks, which may use every setting. */
  needsTasks?: boolean;
}

/**
 * Calls `use` with a client of the named server, of the runtime that uses the data directory, or of a runtime that
 * is started for this call and stopped after it.
 */
export async function withClient<T>(
  options: ClientOptions,
  { whenAbsent, isLong = false, needsTasks = isLong }: RuntimeNeeds,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  if (options.server !== undefined) {
    return use(connectTo(options.server, options));
  }
  const given = await settingsOrRunning(options);
  if ('address' in given) return use(createClient(given.address, environmentKey));
  const settings = settingsOfCommand(given);
  const { database } = settings;
  if (database.kind === 'sqlite' && !exists(database.file) && !exists(notePath(database.file))) {
    if (whenAbsent === 'refuse') {
      throw misused(
        `There is no Cuebook database in ${settings.dataDir}. Name another data directory with --data-dir, or start with cuebook apply or cuebook serve.`,
      );
    }
    if (whenAbsent === 'temporary') return inEmptyFolder(settings, use);
  }
  const { running, opened } = await claimDataDir(settings.dataDir, () => {
    if (needsTasks) checkSettings(given);
    return runtimeOf(settings, !needsTasks && !isComplete(given));
  });
  if (running !== undefined) return use(createClient(running.address, environmentKey));
  return withRuntime(opened, use, (address) => {
    if (isLong) writeRuntimeFile(settings.dataDir, { pid: process.pid, address, version: VERSION });
  }).finally(() => removeRuntimeFile(settings.dataDir));
}

/**
 * The settings; if the files of them cannot be read, the runtime that is still running with its previous settings.
 * @throws SettingsError if no runtime is running
 */
async function settingsOrRunning(options: ClientOptions): Promise<Settings | RuntimeFile> {
  try {
    const settings = openSettings(process.env, { dataDir: options.dataDir }, listProvidersWithKeys);
    settings.files.read();
    void settings.database;
    return settings;
  } catch (error) {
    const running = error instanceof SettingsError ? await findRuntime(readDataDir(process.env, options)) : undefined;
    if (running === undefined) throw error;
    progress(`${error instanceof Error ? error.message : ''} The running Cuebook keeps its previous settings.`);
    return running;
  }
}

async function inEmptyFolder<T>(settings: Settings, use: (client: Client) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'cuebook-'));
  try {
    return await withRuntime(
      runtimeOf({
        ...settings,
        dataDir,
        database: { kind: 'sqlite', file: path.join(dataDir, 'cuebook.db') },
      }),
      use,
    );
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function withRuntime<T>(
  runtime: Runtime,
  use: (client: Client) => Promise<T>,
  listening: (address: string) => void = () => {},
): Promise<T> {
  try {
    const address = await runtime.listen();
    listening(address);
    return await use(createClient(address, undefined));
  } finally {
    await runtime.close();
  }
}

/** @param leavesTasks whether tasks wait for the next runtime */
function runtimeOf(settings: Settings, leavesTasks = false): Runtime {
  return createRuntime({
    settings,
    leavesTasks,
    logger: pino({ level: 'warn' }, { write: (line: string) => progress(wordsOf(line)) }),
    onUnknownCommit: exitForStore,
  });
}

/** The message of a warning; the whole line of an error, because it includes the cause. */
function wordsOf(line: string): string {
  const { level, msg } = JSON.parse(line) as { level: number; msg?: string };
  return level >= 50 || msg === undefined ? line.trimEnd() : msg;
}

/** A client of a server elsewhere, with the key in CUEBOOK_KEY or the login for that server. */
export function connectTo(server: string, options: Pick<ClientOptions, 'dataDir'>): Client {
  const origin = originOf(server);
  return createClient(origin, credentialFor(origin, options));
}

/** The origin of a server, from an address as people type it. */
export function originOf(server: string): string {
  const text = server.replace(/\/+$/, '').replace(/\/v1$/, '');
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw misused(`--server is ${JSON.stringify(server)}; it must be an address such as http://127.0.0.1:4747.`);
}
