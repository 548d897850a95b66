// Takes screenshots of every place of the studio, light and dark, large and small, with a month of work on the sample.
// Usage: npm run screenshots [-- FOLDER] [--docs] [--png] [--names PATTERN] [--width PIXELS]
//   --docs takes only those in the documentation and writes them to docs/images; --png writes PNG instead of WebP;
//   --names takes only those whose names match; --width takes only those of this width.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildStudio } from '../builds.ts';
import { launchChromium } from '../chromium.ts';
import { serveModel } from './serve-model.ts';
import { startServers } from './servers.ts';
import { takePictures } from './take-pictures.ts';
import { allPictures } from './states/index.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    docs: { type: 'boolean', default: false },
    png: { type: 'boolean', default: false },
    names: { type: 'string', default: '' },
    width: { type: 'string' },
  },
});
const [folder = path.join(ROOT, 'dist/screenshots')] = positionals;
const shown = shownInDocs();
const names = new RegExp(options.names);

await buildStudio();
mkdirSync(folder, { recursive: true });
const dataDir = mkdtempSync(path.join(os.tmpdir(), 'cuebook-screenshots-'));
const model = await serveModel();
const browser = await launchChromium();
try {
  const servers = await startServers(dataDir, model);
  try {
    const pictures = (await allPictures(servers)).filter(({ name }) => names.test(name));
    const { taken, failed } = await takePictures(browser, pictures, {
      folders: options.docs ? [folder, path.join(ROOT, 'docs/images')] : [folder],
      format: options.png ? 'png' : 'webp',
      isWanted: ({ file, width }) =>
        (!options.docs || shown.has(file)) && (options.width === undefined || options.width === String(width)),
    });
    console.log(`${taken} pictures in ${folder}`);
    if (failed.length > 0) process.exitCode = 1;
  } finally {
    await servers.close();
  }
} finally {
  await browser.close();
  await model.close();
  rmSync(dataDir, { recursive: true, force: true });
}

/** The files of the pictures that the README and the page about the studio show. */
function shownInDocs(): ReadonlySet<string> {
  const text = ['README.md', 'docs/studio.md'].map((file) => readFileSync(path.join(ROOT, file), 'utf8')).join('\n');
  return new Set([...text.matchAll(/images\/([\w-]+\.webp)/g)].map(([, file]) => file ?? ''));
}
