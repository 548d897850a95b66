import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A new folder, and how to remove it with all it holds. */
export function temporaryFolder(): { path: string; remove: () => void } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cuebook-test-'));
  return { path: folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
