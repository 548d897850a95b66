import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{bin,server,shared,scripts,resources,bench}/**/*.test.ts'],
    reporters: ['default', './scripts/count-reporter.ts'],
    pool: 'forks',
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
