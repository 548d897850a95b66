import pino from 'pino';
import { createRuntime } from '../app.ts';
import { readSettings } from '../settings/index.ts';
import { type Client, createClient } from './client.ts';
import { EXIT } from './failure.ts';
import { findLiving } from './runtime-file.ts';

export interface AttachOptions {
  server?: string | undefined;
  dataDir?: string | undefined;
}

/**
 * Does `work` with a client of the server named, of the runtime that lives in the data directory, or of one that
 * is started for this work alone and ended after it.
 */
export async function withClient<T>(options: AttachOptions, work: (client: Client) => Promise<T>): Promise<T> {
  if (options.server !== undefined) {
    return work(createClient(options.server.replace(/\/+$/, ''), process.env['CUEBOOK_KEY']));
  }
  const settings = readSettings(process.env, { dataDir: options.dataDir });
  const living = await findLiving(settings.dataDir);
  if (living !== undefined) return work(createClient(living.address, undefined));
  const runtime = createRuntime({
    settings: { ...settings, port: 0 },
    logger: pino({ level: 'warn' }, pino.destination(2)),
    onUnknownCommit(sentence) {
      process.stderr.write(`${sentence}\n`);
      process.exit(EXIT.store);
    },
  });
  try {
    return await work(createClient(await runtime.listen(), undefined));
  } finally {
    await runtime.close();
  }
}
