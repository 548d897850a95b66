import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{bin,server,shared,renderer,electron,scripts,resources,bench}/**/*.test.ts'],
    reporters: ['default', './scripts/count-reporter.ts'],
    pool: 'forks',
    // Tests wait for servers more than they work: a core that is kept free would stand idle.
    maxWorkers: availableParallelism(),
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // What is waited for comes, on a busy machine late.
    expect: { poll: { timeout: 15_000 } },
  },
});
