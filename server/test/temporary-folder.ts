import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { refuseCanariesIn } from './canaries.ts';

/** A new folder, and how to remove it with all it holds; what a server left in it is searched before. */
export function temporaryFolder(): { path: string; remove: () => void } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cuebook-test-'));
  return {
    path: folder,
    remove() {
      try {
        refuseCanariesIn(folder);
      } finally {
        // A process that is just ending may still write.
        rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
      }
    },
  };
}
