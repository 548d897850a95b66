// A copy of the source tree to which a test adds things.
import { execFile } from 'node:child_process';
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '../index.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const COPIED = ['server', 'shared', 'renderer', 'resources', 'scripts', 'package.json', 'tsconfig.base.json'];
const NO_FILES = ['--noEmit', '--incremental', 'false'];
const run = promisify(execFile);

export type CopiedTree = ReturnType<typeof copyTree>;

export function copyTree() {
  const folder = temporaryFolder();
  const inTree = (file: string): string => path.join(folder.path, file);
  const read = (file: string): string => readFileSync(inTree(file), 'utf8');
  for (const part of COPIED) {
    const filter = (source: string): boolean => !/\.test\.tsx?$|test\/additions/.test(source);
    cpSync(path.join(ROOT, part), inTree(part), { recursive: true, filter });
  }
  symlinkSync(path.join(ROOT, 'node_modules'), inTree('node_modules'));

  /** What a program prints. */
  async function node(args: readonly string[], environment: Record<string, string> = {}): Promise<string> {
    const { stdout } = await run(process.execPath, args, { cwd: folder.path, env: { ...process.env, ...environment } });
    return stdout;
  }

  return {
    inTree,
    read,
    node,
    /** Adds a line behind one that stands there once. */
    addLine(file: string, before: string, line: string): void {
      const text = read(file);
      if (text.split(`${before}\n`).length !== 2) throw new Error(`${file} does not hold one line "${before.trim()}".`);
      writeFileSync(inTree(file), text.replace(`${before}\n`, `${before}\n${line}\n`));
    },
    /** Adds a file of this folder, whose imports begin with `from`, at a place where they begin with `to`. */
    addFile(source: string, file: string, { from, to }: { from: string; to: string }): void {
      const text = readFileSync(new URL(source, import.meta.url), 'utf8');
      writeFileSync(inTree(file), text.replaceAll(`'${from}`, `'${to}`));
    },
    /** What the type checker says of a project. */
    typeIssues: (project: string): Promise<string> =>
      node(['node_modules/typescript/bin/tsc', '-p', project, '--singleThreaded', ...NO_FILES]).catch(
        ({ stdout, message }: Error & { stdout?: string }) => stdout ?? message,
      ),
    remove(): void {
      rmSync(inTree('node_modules'));
      folder.remove();
    },
  };
}
