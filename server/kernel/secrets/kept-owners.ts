import { lookInto } from '../log/index.ts';

/**
 * Who has a value in the secret store of a database that is not open yet, or that another process has open. Needs no
 * key. Empty where there is no such database, or it cannot be read: opening it reports why.
 */
export function keptOwners(file: string, org: string): string[] {
  try {
    return lookInto(file, (rows) =>
      rows<{ owner: string }>('SELECT owner FROM sealed_values WHERE org = $1', [org]).map(({ owner }) => owner),
    );
  } catch {
    return [];
  }
}
