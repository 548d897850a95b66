import { openReadOnly } from '../log/index.ts';

/**
 * Who has a value in the secret store of a database that is not open yet, or open elsewhere. It only looks, without any
 * key. None where there is no such file, or none that can be read: whoever opens it says what is wrong.
 */
export function keptOwners(file: string, org: string): string[] {
  try {
    const database = openReadOnly(file);
    try {
      const kept = database.prepare<[string], { owner: string }>('SELECT owner FROM sealed_values WHERE org = ?');
      return kept.all(org).map(({ owner }) => owner);
    } finally {
      database.close();
    }
  } catch {
    return [];
  }
}
