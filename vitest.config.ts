import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectConfiguration, type ViteUserConfig } from 'vitest/config';
import { BaseSequencer, type Reporter, type TestModule, type TestSpecification } from 'vitest/node';

/** Prints one last line for scripts to read: how many tests passed, failed and were skipped. */
class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state !== 'pending') counts[state] += 1;
      }
      // A file that does not load has no tests to fail.
      if (module.state() === 'failed' && module.errors().length > 0) counts.failed += 1;
    }
    const skipped = counts.skipped === 0 ? '' : `, ${counts.skipped} skipped`;
    console.log(`${counts.passed} passed, ${counts.failed} failed${skipped}`);
  }
}

/** Small files with long tests. Without the times of an earlier run, Vitest starts the largest files first, and these last. */
const LONG = /scripts\/mcpb\/|server\/test\/hostile\/|docs-examples|cli\/predictions\.test|build-kills|test-live/;

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- this is the sequencer's method, not the one of arrays
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

const ALL = ['{bin,server,shared,renderer,electron,scripts,resources,bench}/**/*.test.ts'];
/** Tests that replace a module for their whole process. */
const MOCKING = [
  'server/domain/connections/egress-policy.test.ts',
  'server/interfaces/http/received-file.test.ts',
  'server/kinds/workflow/task-types.test.ts',
];

/**
 * Tests of what SQLite alone has: its files, their copies for each case, its faults, and claims of tasks that end by the
 * process's clock. Stores that processes share have leases by the database's clock (tasks/shared-leases.test.ts).
 */
const OF_SQLITE = [
  'server/kernel/log/sqlite/**',
  'server/domain/runs/durable/{cut-off,one,stopped}-commit{,s}.test.ts',
  'server/domain/runs/durable/{faulty-callers,races,refused-endings,slow-starts,start-bursts,taken-event-ids}.test.ts',
  'server/domain/analytics/query-plan.test.ts',
  'server/domain/runs/finding/query-plans.test.ts',
  'server/domain/runs/{durable/bursts,same-run-id}.test.ts',
  'server/kernel/tasks/leases-by-clock.test.ts',
];

/** @param excluded files that are not tested */
const projects = (excluded: readonly string[]): TestProjectConfiguration[] => [
  // The files of a worker share its modules: loading them for each of 280 files takes a fifth of the time.
  { extends: true, test: { name: 'shared', include: ALL, exclude: [...MOCKING, ...excluded], isolate: false } },
  { extends: true, test: { name: 'mocking', include: MOCKING, exclude: [...excluded] } },
];

const TESTS: ViteUserConfig['test'] = {
  projects: projects([]),
  setupFiles: ['scripts/property-seed.ts'],
  sequence: { sequencer: LongFirst },
  // As cuebook serve sets it: programs of definitions see the time zone of the process.
  env: { TZ: 'UTC' },
  reporters: ['default', new CountReporter()],
  pool: 'forks',
  // Tests wait for servers a sixth of the time, so there is one worker more than cores.
  maxWorkers: availableParallelism() + 1,
  testTimeout: 20_000,
  hookTimeout: 20_000,
  // Generous, for a busy machine.
  expect: { poll: { timeout: 15_000 } },
};

/** Journeys that need a built app or an installed client: `--mode e2e`. */
const E2E: ViteUserConfig['test'] = {
  include: ['e2e/**/*.e2e.ts'],
  pool: 'forks',
  testTimeout: 60_000,
  hookTimeout: 20_000,
};

/** The tests of a store and of what stands on one, on PostgreSQL: `--mode postgres`, as scripts/test-postgres.ts starts it. */
const POSTGRES: ViteUserConfig = {
  // Each store makes the tables of a schema of its own first.
  test: { ...TESTS, projects: projects(OF_SQLITE), testTimeout: 60_000, hookTimeout: 60_000 },
  plugins: [
    {
      name: 'postgres-instead-of-sqlite',
      enforce: 'pre',
      resolveId: (id) =>
        id.endsWith('/sqlite/store.ts')
          ? `${import.meta.dirname}/server/test/postgres/instead-of-sqlite.ts`
          : undefined,
    },
  ],
};

export default defineConfig(({ mode }) => {
  if (mode === 'postgres') return POSTGRES;
  return { test: mode === 'e2e' ? E2E : TESTS };
});
