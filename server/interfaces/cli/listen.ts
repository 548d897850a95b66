import type { Runtime } from '../../app.ts';
import type { Settings } from '../../settings/index.ts';
import { CommandFailure, EXIT } from './failure.ts';

/** What the settings are called where they are set. */
interface Names {
  host: string;
  port: string;
}

/** Listens; answers the address. What stands in the way closes the server again. @throws CommandFailure */
export async function listen(
  server: Pick<Runtime, 'listen' | 'close'>,
  settings: Pick<Settings, 'host' | 'port'>,
  names: Names = { host: 'HOST', port: 'PORT' },
): Promise<string> {
  try {
    return await server.listen();
  } catch (error) {
    await server.close();
    const sentence = reasonNotToListen(error, settings, names);
    throw sentence === undefined ? error : new CommandFailure(sentence, EXIT.misused);
  }
}

function reasonNotToListen(
  error: unknown,
  { host, port }: Pick<Settings, 'host' | 'port'>,
  names: Names,
): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return port === undefined
        ? `${names.port} is not set, and every port that was tried from 4747 on is in use; set ${names.port} to a free one, or to 0 for any.`
        : `${names.port} is ${port}, which another program uses on ${host}; set another one, or 0 for any free one.`;
    case 'EACCES':
      return `${names.port} is ${port ?? 'not set'}, and this user may not listen there; set one from 1024 on, or 0 for any free one.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${names.host} is ${host}, which is no address of this machine; use 127.0.0.1.`;
    default:
      return undefined;
  }
}
