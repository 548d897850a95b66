import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['e2e/**/*.e2e.ts'],
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 20_000,
  },
});
