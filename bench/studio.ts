// The longest task of the studio's main thread with 10,000 runs and a run of 5,000 steps, beside that of a small
// playbook on which the same is done. Usage: npm run bench:studio
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buildStudio } from '../scripts/builds.ts';
import { launchChromium } from '../scripts/chromium.ts';
import { createSender } from './send.ts';
import { SERVER, start } from './start-process.ts';
import { makePlaybook } from './studio-data.ts';
import { journey } from './studio-journey.ts';

await buildStudio();
const folder = mkdtempSync(path.join(os.tmpdir(), 'cuebook-bench-'));
const server = await start([SERVER, 'serve', '--port', '0', '--data-dir', folder]);
const { send, close } = createSender(server.port);
const browser = await launchChromium();
try {
  const address = `http://127.0.0.1:${server.port}`;
  const small = await makePlaybook(send, 'small', { runs: 20, steps: 10, written: 5 });
  process.stderr.write('small playbook made\n');
  const large = await makePlaybook(send, 'large', { runs: 10_000, steps: 5_000, written: 1_500 });
  process.stderr.write('large playbook made\n');
  const baseline = await journey(browser, { address, playbook: 'small', made: small, send });
  const figures = await journey(browser, { address, playbook: 'large', made: large, send });
  console.log('longest task of the main thread'.padEnd(44), 'large: clock, CPU | small: clock, CPU | ratio of CPU');
  for (const [name, { count, longest, longestCpu, over }] of figures) {
    const beside = baseline.get(name);
    console.log(
      name.padEnd(44),
      `${longest.toFixed(0).padStart(5)} ms ${longestCpu.toFixed(0).padStart(5)} ms |`,
      `${beside?.longest.toFixed(0).padStart(5)} ms ${beside?.longestCpu.toFixed(0).padStart(5)} ms |`,
      `${(longestCpu / (beside?.longestCpu ?? 0)).toFixed(1)}  ${over} of ${count} tasks over 100 ms`,
    );
  }
} finally {
  await browser.close();
  close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
