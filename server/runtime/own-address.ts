// The addresses under which this server is reached. They are known once it listens: requests name them from then on.
import type { Settings } from '../settings/index.ts';

export interface OwnAddress {
  /** `PUBLIC_URL`, or for example `http://127.0.0.1:4747`; empty until the server listens. */
  server(): string;
  /** Where people open the studio: a studio served elsewhere, or the server. */
  studio(): string;
  /** Whether a page of this origin is one of ours. */
  isOwnOrigin: (origin: string) => boolean;
  /** Called once, with the port that the server listens on. Returns the address of this machine that it listens on. */
  listensOn(port: number): string;
}

export function createOwnAddress({ host, publicUrl, studioOrigin, allowedOrigins }: AddressSettings): OwnAddress {
  const origins = new Set<string>(publicUrl === undefined ? [] : [publicUrl]);
  let address = '';
  return {
    server: () => address,
    studio: () => studioOrigin ?? address,
    isOwnOrigin: (origin) => origins.has(origin) || allowedOrigins.includes(origin) || origin === studioOrigin,
    listensOn(port) {
      if (publicUrl === undefined) {
        for (const name of ['localhost', '127.0.0.1', '[::1]']) origins.add(`http://${name}:${port}`);
      }
      const listening = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
      address = publicUrl ?? listening;
      return listening;
    },
  };
}

type AddressSettings = Pick<Settings, 'host' | 'publicUrl' | 'studioOrigin' | 'allowedOrigins'>;
