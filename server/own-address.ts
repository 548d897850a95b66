// The addresses under which this server is reached. They are known once it listens: requests name them from then on.
import type { Settings } from './settings/index.ts';

export interface OwnAddress {
  /** For example `http://127.0.0.1:4747`; empty until the server listens. */
  server(): string;
  /** Where people open the studio: a studio served elsewhere, or the server. */
  studio(): string;
  /** Whether a page of this origin is one of ours. */
  isOwnOrigin(origin: string): boolean;
  /** Called once, with the port that the server listens on. Answers the server's address. */
  listensOn(port: number): string;
}

export function createOwnAddress({ host, studioOrigin, allowedOrigins }: AddressSettings): OwnAddress {
  const origins = new Set<string>();
  let address = '';
  return {
    server: () => address,
    studio: () => studioOrigin ?? address,
    isOwnOrigin: (origin) => origins.has(origin) || allowedOrigins.includes(origin) || origin === studioOrigin,
    listensOn(port) {
      for (const name of ['localhost', '127.0.0.1', '[::1]']) origins.add(`http://${name}:${port}`);
      address = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
      return address;
    },
  };
}

type AddressSettings = Pick<Settings, 'host' | 'studioOrigin' | 'allowedOrigins'>;
