import { listProvidersWithKeys } from '../../domain/models/index.ts';
import path from 'node:path';
import pino from 'pino';
import { LOCAL_ORG } from '../../../shared/product.ts';
import { createRuntime } from '../../runtime/app.ts';
import { systemClock } from '../../lib/clock.ts';
import { SAMPLE_DATASET, SAMPLE_FOLDER } from '../../runtime/resources.ts';
import { type Overrides, readSettings } from '../../settings/index.ts';
import { VERSION } from '../../runtime/version.ts';
import { applyFolder } from './apply.ts';
import { claimDataDir } from './claim-data-dir.ts';
import { createClient } from './client.ts';
import { sendDataset } from './dataset.ts';
import { connectDesktopApp } from './desktop-app.ts';
import { exitForStore, misused } from './failure.ts';
import { readFolder } from './folder-files.ts';
import { endWhenIdle, idleMs } from './idle.ts';
import { listen } from './listen.ts';
import { progress } from './output.ts';
import { removeRuntimeFile, writeRuntimeFile } from './runtime-file.ts';
import { onStopRequest } from './stop-request.ts';

export interface ServeOptions extends Overrides {
  sample?: boolean | undefined;
  /** Idle seconds after which the runtime exits; set for a runtime that `cuebook mcp` started. */
  untilIdle?: string | undefined;
}

/** Serves until it is stopped. The address is the last word of one line on stdout. */
export async function serve(options: ServeOptions): Promise<void> {
  const settings = readSettings(process.env, options, listProvidersWithKeys);
  if (options.sample === true && settings.mode === 'published') {
    throw misused(
      `serve --sample is for local mode. Start the published server without it, and run cuebook apply ${SAMPLE_FOLDER} with a key.`,
    );
  }
  const idleAfter = options.untilIdle === undefined ? undefined : idleMs(options.untilIdle, '--until-idle');
  const app = connectDesktopApp(systemClock);
  const { running, opened: runtime } = await claimDataDir(settings.dataDir, () =>
    createRuntime({
      settings,
      logger: pino({ level: settings.logLevel }, pino.destination({ dest: 2, sync: true })),
      onUnknownCommit: exitForStore,
      keyWrapper: app?.keyWrapper,
    }),
  );
  if (running !== undefined) {
    if (app !== undefined) return app.reportOther(running.address);
    throw misused(
      `Cuebook is already running for ${settings.dataDir}, at ${running.address}. Use it, or name another data directory with --data-dir.`,
    );
  }
  let isStopping = false;
  let stop = (): void => {};
  const stopped = new Promise<void>((resolve, reject) => {
    stop = () => {
      if (isStopping) return;
      isStopping = true;
      removeRuntimeFile(settings.dataDir);
      runtime.close().then(resolve, reject);
    };
  });
  onStopRequest(stop);
  app?.serve(runtime.keyHome, stop);
  const address = await listen(runtime, settings).catch((error: unknown) => {
    // A stop request ends the attempts to reach an unavailable database.
    if (isStopping) return undefined;
    throw error;
  });
  if (address === undefined) return stopped;
  try {
    if (options.sample === true) await runtime.alone(() => makeSample(address));
  } catch (error) {
    // If a stop was requested meanwhile, the runtime refused the sample.
    if (!isStopping) {
      await runtime.close();
      throw error;
    }
  }
  if (isStopping) return stopped;
  // Written last: a process that finds the file also finds the sample.
  writeRuntimeFile(settings.dataDir, { pid: process.pid, address, version: VERSION });
  process.stdout.write(`Cuebook ${VERSION} is listening on ${address}\n`);
  app?.isUp(address);
  if (options.sample === true) process.stdout.write(nextThings(address));
  if (idleAfter !== undefined) endWhenIdle(runtime, idleAfter, stop);
  await stopped;
}

/** Creates the sample playbook and uploads its dataset, unless the playbook exists. */
async function makeSample(address: string): Promise<void> {
  const client = createClient(address, undefined);
  const sample = readFolder(SAMPLE_FOLDER);
  const { playbooks } = await client.call('list_playbooks', { include_retired: true });
  if (playbooks.some(({ id }) => id === sample.playbook)) return;
  await applyFolder(client, sample, { org: LOCAL_ORG });
  await sendDataset(client, { org: LOCAL_ORG, playbook: sample.playbook }, SAMPLE_DATASET);
  progress(`Created the sample playbook ${sample.playbook} with ${sample.definitions.length} definitions.`);
}

function nextThings(address: string): string {
  const fromHere = path.relative('.', SAMPLE_FOLDER);
  const sample = fromHere.startsWith('..') ? SAMPLE_FOLDER : fromHere;
  return `
Open this address in a browser to use the studio, or continue in a second terminal:
  npx cuebook run wildlife-strikes computation/report-summary --input @${path.join(sample, 'data/reports.json')}
  npx cuebook test ${sample}
  curl ${address}/v1/orgs/${LOCAL_ORG}/playbooks/wildlife-strikes/runs
`;
}
