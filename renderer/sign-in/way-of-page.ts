import { createKeyWay } from './key-way.ts';
import type { SignInWay } from './way.ts';

/** The way that the page at `/` names; undefined in local mode, where it names none. */
export function wayOfPage(): SignInWay | undefined {
  const name = globalThis.document?.querySelector<HTMLMetaElement>('meta[name="cuebook-sign-in"]')?.content;
  return name === undefined ? undefined : createKeyWay();
}
