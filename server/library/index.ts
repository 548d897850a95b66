// Cuebook inside a Node program: what the package `cuebook` exports.
import pino from 'pino';
import { createClient } from './client.ts';
import { createRuntime } from '../app.ts';
import { listProvidersWithKeys } from '../domain/models/index.ts';
import { UnusableStoreError } from '../kernel/log/index.ts';
import { readSettings, SettingsError } from '../settings/index.ts';
import type * as published from './published.ts';

export { SettingsError, UnusableStoreError };

export const createCuebook: typeof published.createCuebook = async ({
  settings: given = {},
  key,
  org,
  onUnknownCommit = throwUncaught,
} = {}) => {
  const settings = readSettings({ PORT: '0', ...given }, {}, listProvidersWithKeys);
  const logger = pino({ level: settings.logLevel }, pino.destination({ dest: 2, sync: true }));
  if (new Date().getTimezoneOffset() !== 0) {
    logger.warn('Programs of definitions see the time zone of this process. Set TZ=UTC, as cuebook serve does.');
  }
  const runtime = createRuntime({
    settings,
    logger,
    onUnknownCommit: (sentence) => onUnknownCommit(new Error(sentence)),
  });
  const address = await runtime.listen().catch(async (error: unknown) => {
    await runtime.close();
    throw error;
  });
  const credential = { ...(key === undefined ? {} : { key }), ...(org === undefined ? {} : { org }) };
  let closing: Promise<void> | undefined;
  return {
    address,
    client: createClient({ address, ...credential }),
    close: () => (closing ??= runtime.close()),
  };
};

function throwUncaught(error: Error): void {
  setImmediate(() => {
    throw error;
  });
}
