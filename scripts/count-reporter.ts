import type { Reporter, TestModule } from 'vitest/node';

/** Ends a test run with one line that anybody's tools can read: how many passed, failed and were skipped. */
export default class CountReporter implements Reporter {
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
