// Runs the commands of the tutorial and the pages that continue it, in order, and compares their output with the pages.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { SERVER_PROGRAM, startServerProcess, temporaryFolder } from '../server/test/index.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGES = ['tutorial.md', 'events.md', 'folders.md'];

interface Example {
  page: string;
  typed: string;
  /** What the page shows below it. */
  shown: string | undefined;
}

function examplesOf(page: string): Example[] {
  const text = readFileSync(path.join(ROOT, 'docs', page), 'utf8');
  const fences = /```sh\n(?<typed>[\s\S]*?)```(?:\n\n```text\n(?<shown>[\s\S]*?)```)?/g;
  return [...text.matchAll(fences)].map(({ groups }) => ({
    page,
    typed: groups?.['typed'] ?? '',
    shown: groups?.['shown'],
  }));
}

/** What differs from one time to the next. */
function withoutIds(text: string): string {
  return text.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>');
}

test.skipIf(process.platform === 'win32')(
  'every command of the tutorial does what it says there',
  async () => {
    const folder = temporaryFolder();
    const dataDir = path.join(folder.path, 'data');
    const server = await startServerProcess(dataDir);
    try {
      const bin = path.join(folder.path, 'bin');
      mkdirSync(bin);
      const command = `#!/bin/sh\nshift\nexec '${process.execPath}' '${SERVER_PROGRAM}' "$@"\n`;
      writeFileSync(path.join(bin, 'npx'), command, { mode: 0o755 });
      const examples = PAGES.flatMap(examplesOf).filter(({ typed }) => typed.trim() !== 'npx cuebook serve');
      const script = examples.map(({ typed }) => `${typed}\nprintf '\\036'\n`).join('');
      const { stdout } = await promisify(execFile)(
        'bash',
        ['-euo', 'pipefail', '-c', script.replaceAll('http://127.0.0.1:4747', server.address)],
        {
          cwd: folder.path,
          env: {
            ...process.env,
            DATA_DIR: dataDir,
            PATH: [bin, path.dirname(process.execPath), process.env['PATH']].join(':'),
          },
        },
      );
      const given = stdout.split('\u001e').slice(0, -1);
      expect(given).toHaveLength(examples.length);
      const compared = examples.flatMap(({ shown, ...example }, index) =>
        shown === undefined ? [] : [{ example, shown, given: withoutIds(given[index] ?? '') }],
      );
      expect(compared.length).toBeGreaterThan(5);
      for (const { example, shown, given: output } of compared) {
        expect(output, `${example.page}: ${example.typed}`).toBe(shown);
      }
    } finally {
      await server.end('SIGTERM');
      folder.remove();
    }
  },
  // It starts some twenty processes, one after the other.
  400_000,
);
