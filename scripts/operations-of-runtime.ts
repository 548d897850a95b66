import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { createRuntime } from '../server/runtime/app.ts';
import type { Operation } from '../server/operations/index.ts';
import { readSettings } from '../server/settings/index.ts';

/** The operations of a runtime without any setting. */
export async function operationsOfRuntime(): Promise<readonly Operation[]> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'cuebook-operations-'));
  try {
    const runtime = createRuntime({
      settings: readSettings({ DATA_DIR: dataDir }),
      logger: pino({ level: 'silent' }),
      onUnknownCommit(sentence) {
        throw new Error(sentence);
      },
    });
    await runtime.close();
    return runtime.operations;
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
