// The longest task of the studio's main thread with 10,000 runs (BENCH_RUNS) and a run of half as many steps, beside that of a
// small playbook on which the same is done.
import { buildStudio } from '../../scripts/builds.ts';
import { launchChromium } from '../../scripts/chromium.ts';
import { print, setting } from '../figures.ts';
import { type Bench, serve } from '../serve.ts';
import { makePlaybook } from './studio-data.ts';
import { journey } from './studio-journey.ts';

const RUNS = setting('BENCH_RUNS', 10_000);

export async function run(bench: Bench): Promise<void> {
  await buildStudio();
  const { port, send } = await serve(bench, bench.folder);
  const browser = await launchChromium();
  bench.defer(() => browser.close());
  const address = `http://127.0.0.1:${port}`;
  const small = await makePlaybook(send, 'small', { runs: 20, steps: 10, written: 5 });
  process.stderr.write('small playbook made\n');
  const large = await makePlaybook(send, 'large', { runs: RUNS, steps: RUNS / 2, written: Math.ceil(RUNS * 0.15) });
  process.stderr.write('large playbook made\n');
  const baseline = await journey(browser, { address, playbook: 'small', made: small, send });
  const figures = await journey(browser, { address, playbook: 'large', made: large, send });
  print('longest task of the main thread', 'large: clock, CPU | small: clock, CPU | ratio of CPU');
  const show = (milliseconds = Number.NaN): string => `${milliseconds.toFixed(0).padStart(5)} ms`;
  for (const [name, { count, longest, longestCpu, over }] of figures) {
    const beside = baseline.get(name);
    print(
      name,
      `${show(longest)} ${show(longestCpu)} | ${show(beside?.longest)} ${show(beside?.longestCpu)} | ${(longestCpu / (beside?.longestCpu ?? 0)).toFixed(1)}  ${over} of ${count} tasks over 100 ms`,
    );
  }
}
