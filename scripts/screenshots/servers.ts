// The servers of the pictures, from one that has a month of work to one that is empty.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type ServerProcess, startServerProcess } from '../../server/test/index.ts';
import type { PublishedServer } from '../../server/test/published-server.ts';
import { makeDesk, DESK, send } from './make-desk.ts';
import { makeForecast } from './make-forecast.ts';
import { makeHistory, shiftNotesIn, writeSettings } from './make-history.ts';
import { type KeyServer, startKeyServer, startOpenidServer } from './published.ts';
import type { ServedModel } from './serve-model.ts';

export interface PicturedServers {
  /** Has the sample with a month of work, and the desk. */
  main: string;
  /** Its tools may read this file. */
  shiftNotes: string;
  /** Models run, so that there is a forecast. */
  hasForecast: boolean;
  /** Has nothing. */
  bare: string;
  /** Servers and providers in its configuration do not respond. */
  troubled: string;
  keys: KeyServer;
  /** Undefined where there is no openssl. */
  openid: PublishedServer | undefined;
  close: () => Promise<unknown>;
}

export async function startServers(dataDir: string, model: ServedModel): Promise<PicturedServers> {
  const environment = {
    ...writeSettings(dataDir, model),
    LOCAL_MODEL_SERVERS: JSON.stringify([model.address, `${model.address}/v1`]),
  };
  await makeHistory(environment, model);
  const started: { close: () => Promise<unknown> }[] = [];
  const close = (): Promise<unknown> => Promise.all(started.map((one) => one.close()));
  const start = async (folder: string, settings: Record<string, string>): Promise<ServerProcess> => {
    const server = await startServerProcess(folder, { environment: { LOG_LEVEL: 'fatal', ...settings } });
    started.push({ close: () => server.end('SIGTERM') });
    return server;
  };
  try {
    const main = await start(dataDir, environment);
    model.answerAgain();
    await makeDesk(main.address);
    const hasForecast = await makeForecast(main.address);
    const bare = await start(path.join(dataDir, 'bare'), {});
    const troubled = await start(path.join(dataDir, 'troubled'), writeTroubledSettings(path.join(dataDir, 'troubled')));
    const desk = { playbook: DESK, name: 'Repair desk' };
    await send(`${troubled.address}/v1/orgs/local/playbooks`, desk);
    const keys = await startKeyServer(path.join(dataDir, 'keys'));
    started.push(keys);
    const openid = await startOpenidServer(dataDir);
    if (openid !== undefined) started.push(openid);
    return {
      main: main.address,
      shiftNotes: shiftNotesIn(dataDir),
      hasForecast,
      bare: bare.address,
      troubled: troubled.address,
      keys,
      openid,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Nothing listens on port 9 of this machine. */
function writeTroubledSettings(folder: string): Record<string, string> {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'cuebook.yaml');
  const config = {
    tool_servers: { gone: { type: 'mcp', url: 'http://127.0.0.1:9/mcp' } },
    model_gateways: [{ name: 'company', base_url: 'http://127.0.0.1:9/v1' }],
    allowed_models: ['company/*'],
  };
  writeFileSync(file, JSON.stringify(config));
  return { CONFIG_FILE: file };
}
