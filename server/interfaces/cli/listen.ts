import type { Runtime } from '../../runtime/app.ts';
import { Refused } from '../../lib/rejection.ts';
import type { Settings } from '../../settings/index.ts';
import { CommandFailure, EXIT, misused } from './failure.ts';

/** The names of the variables or options that set host and port. */
interface SettingNames {
  host: string;
  port: string;
}

/** Listens and returns the address. If that fails, closes the server. @throws CommandFailure */
export async function listen(
  server: Pick<Runtime, 'listen' | 'close'>,
  settings: Pick<Settings, 'host' | 'port'>,
  names: SettingNames = { host: 'HOST', port: 'PORT' },
): Promise<string> {
  try {
    return await server.listen();
  } catch (error) {
    await server.close();
    if (error instanceof Refused && error.rejection.reason === 'unavailable') {
      throw new CommandFailure('The database was lost while the server started. Start the server again.', EXIT.store);
    }
    const sentence = reasonNotToListen(error, settings, names);
    throw sentence === undefined ? error : misused(sentence);
  }
}

function reasonNotToListen(
  error: unknown,
  { host, port }: Pick<Settings, 'host' | 'port'>,
  names: SettingNames,
): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return port === undefined
        ? `${names.port} is not set, and every port tried from 4747 up is in use; set ${names.port} to a free port, or to 0 to pick one.`
        : `${names.port} is ${port}, which is in use on ${host}; set another port, or 0 to pick a free one.`;
    case 'EACCES':
      return `${names.port} is ${port ?? 'not set'}, and this user is not permitted to listen on it; set a port from 1024 up, or 0 to pick a free one.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${names.host} is ${host}, which is not an address of this machine; use 127.0.0.1.`;
    default:
      return undefined;
  }
}
