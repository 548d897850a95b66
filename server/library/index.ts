// Cuebook inside a Node program: what the package `cuebook` exports.
import pino, { type Logger } from 'pino';
import { createClient } from './client.ts';
import { createRuntime, type Runtime, type RuntimeOptions } from '../runtime/app.ts';
import { listProvidersWithKeys } from '../domain/models/index.ts';
import { UnusableStoreError } from '../kernel/log/index.ts';
import { readSettings, SettingsError } from '../settings/index.ts';
import type * as published from './published.ts';

export { SettingsError, UnusableStoreError };

/** What the tests replace inside the runtime. It is no part of the published types. */
export interface ReplacedParts extends Pick<RuntimeOptions, 'clock' | 'studio' | 'openStore'> {
  logger?: Logger;
}

export async function createCuebook(
  { settings: given = {}, key, org, onUnknownCommit = throwUncaught }: published.CuebookOptions = {},
  { logger: ownLogger, ...parts }: ReplacedParts = {},
): Promise<published.Cuebook & Pick<Runtime, 'operations'>> {
  const settings = readSettings({ PORT: '0', ...given }, {}, listProvidersWithKeys);
  const logger = ownLogger ?? pino({ level: settings.logLevel }, pino.destination({ dest: 2, sync: true }));
  if (new Date().getTimezoneOffset() !== 0) {
    logger.warn('Programs of definitions see the time zone of this process. Set TZ=UTC, as cuebook serve does.');
  }
  const runtime = createRuntime({
    settings,
    logger,
    onUnknownCommit: (sentence) => onUnknownCommit(new Error(sentence)),
    ...parts,
  });
  const address = await runtime.listen().catch(async (error: unknown) => {
    await runtime.close();
    throw error;
  });
  const credential = { ...(key === undefined ? {} : { key }), ...(org === undefined ? {} : { org }) };
  return {
    address,
    client: createClient({ address, ...credential }),
    operations: runtime.operations,
    close: () => runtime.close(),
  };
}

function throwUncaught(error: Error): void {
  setImmediate(() => {
    throw error;
  });
}
