import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../../test/index.ts';
import { findOrStartRuntime } from './start-runtime.ts';

test.each(['soon', '0', '86401'])(
  'an idle time of %j starts no runtime, and the refusal names the variable',
  async (seconds) => {
    const folder = temporaryFolder();
    onTestFinished(() => {
      vi.unstubAllEnvs();
      folder.remove();
    });
    vi.stubEnv('CUEBOOK_IDLE_SECONDS', seconds);
    const words = `CUEBOOK_IDLE_SECONDS is "${seconds}"; it must be a number of seconds above 0 and at most 86400.`;
    await expect(findOrStartRuntime(folder.path)).rejects.toThrow(words);
  },
);
