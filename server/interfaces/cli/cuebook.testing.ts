// The command line as a separate process, with a temporary data directory and playbook folder.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SERVER_PROGRAM, temporaryFolder } from '../../test/index.ts';

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface CommandLine {
  /** A folder for the files of a test; the data directory is in it. */
  folder: string;
  dataDir: string;
  /** @param options.onStderr called with all that the process has written to stderr, whenever it writes */
  cuebook: (
    args: readonly string[],
    options?: {
      env?: Record<string, string>;
      input?: string;
      onStderr?: (stderr: string, child: ChildProcess) => void;
    },
  ) => Promise<Ended>;
  /** Writes files to the folder `desk`, beside a manifest and one computation; returns the folder. */
  writePlaybook: (files?: Record<string, string>) => string;
  remove(): void;
}

export const PROGRAM = `export const examples = [{ name: 'two', input: { n: 2 }, output: 4 }];
export default (input) => input.n * 2;
`;

export function createCommandLine(): CommandLine {
  const folder = temporaryFolder();
  const dataDir = path.join(folder.path, 'data');
  return {
    folder: folder.path,
    dataDir,
    remove: folder.remove,
    cuebook: (args, options = {}) =>
      new Promise((resolve) => {
        const child = spawn(process.execPath, [SERVER_PROGRAM, ...args], {
          env: { ...process.env, DATA_DIR: dataDir, ...options.env },
        });
        let [stdout, stderr] = ['', ''];
        child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
        child.stderr.on('data', (chunk: Buffer) => {
          stderr += chunk.toString();
          options.onStderr?.(stderr, child);
        });
        child.stdin.end(options.input ?? '');
        child.on('close', (code) => resolve({ code, stdout, stderr }));
      }),
    writePlaybook(files = {}) {
      const desk = path.join(folder.path, 'desk');
      mkdirSync(desk, { recursive: true });
      for (const [name, text] of Object.entries({
        'playbook.yaml': 'playbook: desk\nname: Desk\n',
        'double.computation.ts': PROGRAM,
        ...files,
      })) {
        writeFileSync(path.join(desk, name), text);
      }
      return desk;
    },
  };
}
