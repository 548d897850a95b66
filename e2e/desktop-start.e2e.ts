// `npm run desktop`, with a program in Electron's place, and where Electron cannot be downloaded.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { temporaryFolder } from '../server/test/index.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const START = ['bin/launch.js', 'scripts/desktop/start.ts'];
const STAND_IN = path.join(ROOT, 'e2e/electron-stand-in.ts');
const folder = temporaryFolder();
afterAll(() => folder.remove());

const { NODE_ENV: _, VITEST: __, ...ENVIRONMENT } = process.env;

test.skipIf(process.platform !== 'linux')(
  'the app starts from a clone and shows the studio',
  async () => {
    const electron = path.join(folder.path, 'electron');
    mkdirSync(electron);
    const program = `#!/bin/sh\nexec '${process.execPath}' --import '${STAND_IN}' "$1/electron/main.js"\n`;
    writeFileSync(path.join(electron, 'electron'), program, { mode: 0o755 });
    const env = {
      ...ENVIRONMENT,
      ELECTRON_OVERRIDE_DIST_PATH: electron,
      STAND_IN_FOLDER: folder.path,
      DATA_DIR: path.join(folder.path, 'data'),
    };
    const child = spawn(process.execPath, START, { cwd: ROOT, env, stdio: ['pipe', 'pipe', 'ignore'] });
    const ended = once(child, 'exit');
    let address = '';
    for await (const line of createInterface({ input: child.stdout })) {
      address = /^shows (?<address>\S+)/.exec(line)?.groups?.['address'] ?? '';
      if (address !== '') break;
    }
    expect(await (await fetch(address)).text()).toContain('<title>Cuebook</title>');
    child.stdin.write('quit\n');
    expect(await ended).toEqual([0, null]);
  },
  180_000,
);

const electron = path.dirname(createRequire(import.meta.url).resolve('electron/package.json'));

test.skipIf(existsSync(path.join(electron, 'dist')))(
  'where Electron cannot be downloaded, it says what to do',
  () => {
    const env = {
      ...ENVIRONMENT,
      // Nothing listens on the port of the discard protocol.
      ELECTRON_MIRROR: 'http://127.0.0.1:9/',
      electron_config_cache: path.join(folder.path, 'cache'),
    };
    const { status, stderr } = spawnSync(process.execPath, START, { cwd: ROOT, env, encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toContain('set ELECTRON_MIRROR to the address of a mirror');
  },
  60_000,
);
