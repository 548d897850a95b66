// Packages the desktop app with a stand-in for Electron's own files, looks at what it holds, and starts from it what
// Node alone can start: the command line that agents are told of.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createPackage, extractAll, listPackage } from '@electron/asar';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { packageDesktop } from '../scripts/desktop/package.ts';
import { updateAddress } from '../scripts/desktop/updates.ts';
import { useInstalled } from './installed-journey.ts';

/** By which a program of Electron's is known to have fuses; the app's settings of them stand behind it. */
const FUSES = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const COUNT = 9;
const STAND_IN = fileURLToPath(new URL('./electron-stand-in.ts', import.meta.url));
const [OFF, ON] = ['0', '1'];
/** Each file is given as `SOURCE=DESTINATION`, and the package to write after `--package`. */
const FPM = `#!${process.execPath}
const { cpSync, writeFileSync } = require('node:fs');
const args = process.argv.slice(2);
writeFileSync(args[args.indexOf('--package') + 1], 'a package');
for (const [, from, to] of args.map((arg) => /^(\\/[^=]+)=(\\/.+)$/.exec(arg)).filter(Boolean)) {
  if (!to.startsWith('/opt/')) cpSync(from, process.env.FAKE_ROOT + to, { recursive: true });
}
writeFileSync(process.env.FAKE_ROOT + '/arguments', args.join('\\n'));
`;

// Electron's own files are named otherwise elsewhere.
describe.runIf(process.platform === 'linux')('the packaged app', () => {
  let folder: string;
  let resources: string;
  let archive: string[];
  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'cuebook-package-'));
    const electron = path.join(folder, 'electron');
    const output = path.join(folder, 'output');
    mkdirSync(path.join(electron, 'resources'), { recursive: true });
    mkdirSync(path.join(folder, 'default'));
    writeFileSync(path.join(folder, 'default/package.json'), '{}');
    await createPackage(path.join(folder, 'default'), path.join(electron, 'resources/default_app.asar'));
    const wire = Buffer.concat([Buffer.from(FUSES), Buffer.from([1, COUNT]), Buffer.from(OFF.repeat(COUNT))]);
    writeFileSync(path.join(electron, 'electron'), wire, { mode: 0o755 });
    for (const name of ['LICENSE', 'LICENSES.chromium.html']) writeFileSync(path.join(electron, name), '');
    // What is built here is what ships, and libraries ask for this by name.
    vi.stubEnv('NODE_ENV', 'production');
    // electron-builder downloads fpm, which makes the deb; this stand-in lays out the files that it is given.
    vi.stubEnv('CUSTOM_FPM_PATH', path.join(folder, 'fpm'));
    vi.stubEnv('FAKE_ROOT', path.join(folder, 'root'));
    writeFileSync(path.join(folder, 'fpm'), FPM, { mode: 0o755 });
    await packageDesktop({
      formats: ['dir', 'deb'],
      publisher: { maintainer: 'Ada <ada@example.com>', homepage: 'https://example.com/home' },
      config: {
        electronDist: electron,
        directories: { output },
        ...updateAddress('example/cuebook'),
      },
    });
    const unpacked = process.arch === 'arm64' ? 'linux-arm64-unpacked' : 'linux-unpacked';
    resources = path.join(output, unpacked, 'resources');
    archive = listPackage(path.join(resources, 'app.asar'), { isPack: true }).map((line) => line.replaceAll('\\', '/'));
  }, 180_000);
  afterAll(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Node reads no archives: what Electron reads in place is laid out as files under the archive's name. */
  function laidOut(): string {
    const place = path.join(folder, 'laid-out');
    if (existsSync(place)) return place;
    extractAll(path.join(resources, 'app.asar'), path.join(place, 'app.asar'));
    cpSync(path.join(resources, 'app.asar.unpacked'), path.join(place, 'app.asar.unpacked'), { recursive: true });
    return place;
  }

  /** What the archive says of a file: whether it holds it, or it stands beside. */
  const placeOf = (file: string): string | undefined =>
    archive.find((line) => line.endsWith(` : ${file}`))?.split(' ')[0];

  describe('its archive', () => {
    test.each([
      '/package.json',
      '/electron/main.js',
      '/electron/preload.cjs',
      '/electron/icons/tray.png',
      '/dist/server/server.main.js',
      '/dist/server/server.lib.sandbox.worker.js',
      '/dist/server/server.lib.jq.worker.js',
      '/dist/server/server.lib.onnx.model-child.js',
      '/node_modules/onnxruntime-common/package.json',
      '/dist/server/server.lib.schemas.check-worker.js',
      '/dist/server/server.lib.text-work.text-worker.js',
      '/dist/server/server.lib.yaml.read-source.job.js',
      '/dist/server/server.domain.tools.see-answer.job.js',
      '/dist/studio/index.html',
      '/THIRD_PARTY_LICENSES.txt',
      '/dist/server/THIRD_PARTY_LICENSES.txt',
      '/resources/guides/start.md',
      '/resources/samples/wildlife-strikes/playbook.yaml',
      '/resources/trainers/python/train.py',
      '/docs/tutorial.md',
      '/dist/server/jq-wasm-jq.wasm',
      '/node_modules/@aws-sdk/credential-provider-node/package.json',
    ])('holds %s', (file) => expect(placeOf(file)).toBe('pack'));

    test.each([
      '/electron/cuebook.mjs',
      `/node_modules/better-sqlite3/prebuilds/linux-${process.arch}.node`,
      '/node_modules/onnxruntime-node/dist/index.js',
      `/node_modules/onnxruntime-node/bin/napi-v6/linux/${process.arch}/onnxruntime_binding.node`,
      `/node_modules/@typescript/typescript-linux-${process.arch}/lib/tsc`,
      `/node_modules/@typescript/typescript-linux-${process.arch}/lib/lib.es2024.d.ts`,
    ])('has %s beside it', (file) => expect(placeOf(file)).toBe('unpack'));

    test('contains no development files and no files for other platforms', () => {
      const others = archive.filter((line) =>
        /\.test\.|\.testing\.|\.map$|\/\.vite\/|: \/(e2e|bench|scripts|renderer|bin)\/|: \/dist\/desktop|: \/electron\/.*\.ts$|\/node_modules\/(electron|electron-builder|vite|react|monaco-editor|node-linux-[^/]+)\/|prebuilds\/(darwin|win32|linuxmusl)-|onnxruntime-node\/(script|bin\/[^/]+\/(darwin|win32))\//.test(
          line,
        ),
      );
      expect(others).toEqual([]);
    });
  });

  test('the fuses of the program are set', async () => {
    const wire = await getCurrentFuseWire(path.join(path.dirname(resources), 'cuebook'));
    const set = (fuse: FuseV1Options): boolean => String.fromCharCode(Number(wire[fuse])) === ON;
    // Agents start the program as a Node.
    expect(set(FuseV1Options.RunAsNode)).toBe(true);
    expect(set(FuseV1Options.OnlyLoadAppFromAsar)).toBe(true);
    expect(set(FuseV1Options.EnableEmbeddedAsarIntegrityValidation)).toBe(true);
    expect(set(FuseV1Options.EnableNodeOptionsEnvironmentVariable)).toBe(false);
    expect(set(FuseV1Options.EnableNodeCliInspectArguments)).toBe(false);
    expect(set(FuseV1Options.GrantFileProtocolExtraPrivileges)).toBe(false);
  });

  test('the deb installs a desktop file that opens links, and icons of several sizes', () => {
    const root = path.join(folder, 'root');
    const desktop = readFileSync(path.join(root, 'usr/share/applications/cuebook.desktop'), 'utf8').split('\n');
    expect(desktop).toEqual(
      expect.arrayContaining([
        '[Desktop Entry]',
        'Name=Cuebook',
        'Exec=/opt/Cuebook/cuebook %U',
        'Icon=cuebook',
        'StartupWMClass=cuebook',
        'MimeType=x-scheme-handler/cuebook;',
        'Categories=Development;',
      ]),
    );
    const sizes = readdirSync(path.join(root, 'usr/share/icons/hicolor')).toSorted();
    expect(sizes).toEqual(expect.arrayContaining(['256x256', '512x512']));
    for (const size of sizes) {
      const icon = readFileSync(path.join(root, 'usr/share/icons/hicolor', size, 'apps/cuebook.png'));
      // The width stands in the header of a PNG (its section 11.2.2).
      expect(`${icon.readUInt32BE(16)}x${icon.readUInt32BE(20)}`).toBe(size);
    }
    const given = readFileSync(path.join(root, 'arguments'), 'utf8');
    expect(given).toContain(`${path.dirname(resources)}/=/opt/Cuebook`);
    expect(given).toContain('--maintainer\nAda <ada@example.com>\n');
    expect(given).toContain('--url\nhttps://example.com/home\n');
  });

  test('a released app looks for updates in the releases of its repository', () => {
    const file = parse(readFileSync(path.join(resources, 'app-update.yml'), 'utf8')) as unknown;
    expect(file).toMatchObject({ provider: 'github', owner: 'example', repo: 'cuebook' });
    expect(() => updateAddress('cuebook')).toThrow('not of the form OWNER/NAME');
  });

  test('the app starts the packaged server and shows the studio until the person quits', async () => {
    const main = path.join(laidOut(), 'app.asar/electron/main.js');
    const own = path.join(folder, 'own');
    const environment = { ...process.env, DATA_DIR: path.join(own, 'data'), STAND_IN_FOLDER: own };
    const child = spawn(process.execPath, ['--import', STAND_IN, main], { env: environment });
    const ended = once(child, 'exit');
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => void (stderr += chunk.toString()));
    const said: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      said.push(line);
      if (line.startsWith('shows ')) break;
    }
    expect(stderr).toBe('');
    expect(said).toContain(`window with ${path.join(path.dirname(main), 'preload.cjs')} in a sandbox: true`);
    const address = said.at(-1)?.slice('shows '.length) ?? '';
    expect(await (await fetch(address)).text()).toContain('<title>Cuebook</title>');
    child.stdin.write('quit\n');
    expect(await ended).toEqual([0, null]);
    await expect(fetch(address)).rejects.toThrow('fetch failed');
  }, 60_000);

  test('the file that agents start serves MCP, and starts the packaged server with its workers and compiler', async () => {
    const data = path.join(folder, 'data');
    const client = new Client({ name: 'package-test', version: '1' });
    const args = [path.join(laidOut(), 'app.asar.unpacked/electron/cuebook.mjs'), 'mcp', '--data-dir', data];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
    try {
      const call = async (name: string, given: Record<string, unknown>) => {
        const { content, isError } = await client.callTool({ name, arguments: given });
        const text = (content as { text?: string }[]).map((part) => part.text ?? '').join('\n');
        expect(isError, text).not.toBe(true);
        return text;
      };
      await call('create_playbook', { playbook: 'shop', name: 'Shop' });
      const source = `export const input = { type: 'object', required: ['n'], properties: { n: { type: 'number' } } };
export default (input) => input.n.toUpperCase === undefined ? input.n * 2 : 0;
`;
      const at = { playbook: 'shop', type: 'computation', name: 'double' };
      expect(await call('create_definition', { ...at, source })).toContain('toUpperCase');
      expect(await call('run_definition', { ...at, input: { n: 21 } })).toContain('42');
      const { address } = JSON.parse(readFileSync(path.join(data, 'runtime.json'), 'utf8')) as { address: string };
      expect(await (await fetch(address)).text()).toContain('<title>Cuebook</title>');
    } finally {
      await client.close();
      const { pid } = JSON.parse(readFileSync(path.join(data, 'runtime.json'), 'utf8')) as { pid: number };
      process.kill(pid, 'SIGTERM');
      await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), { timeout: 10_000 });
    }
  }, 60_000);

  test('its command line serves the sample, connects Claude Code and runs a definition for it', async () => {
    const home = path.join(folder, 'home');
    mkdirSync(home);
    // Electron as Node says that it is Electron.
    const asElectron = `data:text/javascript,${encodeURIComponent(
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, electron: '45' } });",
    )}`;
    const program = path.join(laidOut(), 'app.asar.unpacked/electron/cuebook.mjs');
    const read = await useInstalled({
      command: [process.execPath, '--import', asElectron, program],
      folder: home,
      environment: { HOME: home, PATH: '/usr/bin:/bin', LOG_LEVEL: 'warn' },
    });
    expect(read).toContain('priority');
    expect(readFileSync(path.join(home, '.mcp.json'), 'utf8')).toContain('app.asar.unpacked/electron/cuebook.mjs');
  }, 60_000);
});
