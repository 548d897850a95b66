import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../server/test/index.ts';

const SCRIPT = fileURLToPath(new URL('mcp-clients.ts', import.meta.url));

/** Stands in for npm: what it installs is shown no tool, writes no JSON, or exits at once. */
const NPM = `#!${process.execPath}
const { mkdirSync, writeFileSync } = require('node:fs');
const programs = process.argv[process.argv.indexOf('--prefix') + 1] + '/node_modules/.bin';
mkdirSync(programs, { recursive: true });
writeFileSync(programs + '/mcp-inspector', 'console.log(JSON.stringify({ tools: [] }))');
writeFileSync(programs + '/mcporter', 'console.log("no JSON")');
writeFileSync(programs + '/mcp-remote', 'process.exit(7)');
`;

test.skipIf(process.platform === 'win32')(
  'given clients that fail, then each is named with what it did not get, and the program exits with 1',
  { timeout: 60_000 },
  () => {
    const folder = temporaryFolder();
    onTestFinished(folder.remove);
    const bin = path.join(folder.path, 'bin');
    mkdirSync(bin);
    writeFileSync(path.join(bin, 'npm'), NPM, { mode: 0o755 });
    const env = { ...process.env, PATH: bin, TMPDIR: folder.path };
    const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT], { env, encoding: 'utf8' });
    expect(stdout, stderr).toContain('Inspector over HTTP: FAILED, it was shown the tools none\n');
    expect(stdout).toMatch(/^mcporter over HTTP: FAILED, SyntaxError: /m);
    expect(stdout).toMatch(/^mcporter over stdio, through cuebook mcp: FAILED, SyntaxError: /m);
    expect(stdout).toMatch(/^mcp-remote between stdio and HTTP: FAILED, /m);
    expect(stdout.endsWith('Not every client works.\n')).toBe(true);
    expect(status).toBe(1);
  },
);
