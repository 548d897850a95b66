import type { Runtime } from '../app.ts';
import type { Settings } from '../settings/index.ts';
import { CommandFailure, EXIT } from './failure.ts';

/** Listens; answers the address. What stands in the way closes the runtime again. @throws CommandFailure */
export async function listen(runtime: Runtime, settings: Pick<Settings, 'host' | 'port'>): Promise<string> {
  try {
    return await runtime.listen();
  } catch (error) {
    await runtime.close();
    const sentence = reasonNotToListen(error, settings);
    throw sentence === undefined ? error : new CommandFailure(sentence, EXIT.misused);
  }
}

function reasonNotToListen(error: unknown, { host, port }: Pick<Settings, 'host' | 'port'>): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return port === undefined
        ? 'PORT is not set, and every port that was tried from 4747 on is in use; set PORT to a free one, or to 0 for any.'
        : `PORT is ${port}, which another program uses on ${host}; set another one, or 0 for any free one.`;
    case 'EACCES':
      return `PORT is ${port ?? 'not set'}, and this user may not listen there; set one from 1024 on, or 0 for any free one.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST is ${host}, which is no address of this machine; use 127.0.0.1.`;
    default:
      return undefined;
  }
}
