// The process in which TypeScript runs, and the files that it sees.
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Json } from '../../../shared/json.ts';
import { startRpcProcess } from './json-rpc-process.ts';
import type { SyntaxFound } from './syntax-issues.ts';
import type { Diagnosed } from './type-sentences.ts';

const FOLDER = '/program';
const CONFIG = `${FOLDER}/tsconfig.json`;
export const PROGRAM = `${FOLDER}/program.ts`;
export const CALL = `${FOLDER}/call.ts`;
export const AMBIENT = `${FOLDER}/ambient.d.ts`;

/** The files that are the same for every program. */
export const FIXED_FILES: Readonly<Record<string, string>> = {
  [CONFIG]: JSON.stringify({
    compilerOptions: {
      strict: true,
      lib: ['es2023'],
      types: [],
      target: 'es2023',
      module: 'esnext',
      moduleResolution: 'bundler',
      noEmit: true,
    },
    files: ['program.ts', 'call.ts', 'ambient.d.ts'],
  }),
};

export interface Diagnostic extends Diagnosed, SyntaxFound {
  fileName?: string;
}

export interface TypeScriptProcess {
  /**
   * Resolves once TypeScript has checked an empty program and so has read its own libraries.
   * @throws Error if the process exits before
   */
  loaded: Promise<void>;
  /** What TypeScript finds in the types of the files as they are now. @throws Error if the process has exited */
  semanticDiagnostics(): Promise<readonly Diagnostic[]>;
  /** What it finds in the grammar of one of them. @throws Error as above */
  syntacticDiagnostics(file: string): Promise<readonly Diagnostic[]>;
  /** Kills the process, whatever it is doing. */
  end(): Promise<void>;
}

/**
 * TypeScript starts with the first check: a server that only runs programs never pays for it.
 * @throws Error if the package of this platform is missing
 */
export function startTypeScript(files: Map<string, string>): TypeScriptProcess {
  for (const file of [PROGRAM, CALL, AMBIENT]) files.set(file, '');
  const fileSystem = fileSystemOf(files);
  const callbacks = Object.keys(fileSystem).join(',');
  const answer = (method: string, params: Json): Json => fileSystem[method]?.(String(params)) ?? null;
  const typescript = startRpcProcess(
    compilerProgram(),
    ['--api', '--async', '--cwd', FOLDER, `--callbacks=${callbacks}`],
    answer,
  );

  async function diagnose(method: string, question: Record<string, string>): Promise<readonly Diagnostic[]> {
    const snapshot = (await typescript.request('updateSnapshot', {
      openProjects: [CONFIG],
      fileChanges: { changed: [PROGRAM, CALL, AMBIENT] },
    })) as { snapshot: number; projects: { id: string }[] };
    const { snapshot: id, projects } = snapshot;
    const project = projects[0]?.id ?? CONFIG;
    const found = await typescript.request(method, { snapshot: id, project, ...question });
    await typescript.request('release', { snapshot: id });
    return (found ?? []) as unknown as readonly Diagnostic[];
  }

  async function load(): Promise<void> {
    await typescript.request('initialize', [null]);
    await diagnose('getSemanticDiagnostics', {});
  }

  return {
    loaded: load(),
    semanticDiagnostics: () => diagnose('getSemanticDiagnostics', {}),
    syntacticDiagnostics: (file) => diagnose('getSyntacticDiagnostics', { file }),
    end: () => typescript.end(),
  };
}

/**
 * The program's files, and of the real ones only TypeScript's own libraries: null leaves the answer to TypeScript, which
 * looks on the disk.
 */
function fileSystemOf(files: ReadonlyMap<string, string>): Record<string, (name: string) => Json> {
  const isLibrary = (name: string): boolean => /[\\/]lib(\.[a-z0-9.]+)?\.d\.ts$/.test(name) && !name.startsWith(FOLDER);
  return {
    readFile: (name) => (files.has(name) || !isLibrary(name) ? { content: files.get(name) ?? null } : null),
    fileExists: (name) => files.has(name) || (isLibrary(name) ? null : false),
    directoryExists: (name) => name === FOLDER || name === '/',
    getAccessibleEntries: (name) => ({
      files: name === FOLDER ? [...files.keys()].map((file) => file.slice(FOLDER.length + 1)) : [],
      directories: [],
    }),
    realpath: (name) => name,
  };
}

/** Whether the package of this platform is there. TypeScript before 7, which other programs may need, has none. */
export function isTypeScriptInstalled(): boolean {
  try {
    return compilerProgram() !== '';
  } catch {
    return false;
  }
}

/**
 * The compiler's own program. The system starts no program inside the archive of the desktop app, so there the same file
 * stands beside it.
 */
function compilerProgram(): string {
  const typescript = createRequire(import.meta.url).resolve('typescript/package.json');
  const native = `@typescript/typescript-${process.platform}-${process.arch}/package.json`;
  const folder = path
    .dirname(createRequire(typescript).resolve(native))
    .replace(/app\.asar(?=[\\/])/, 'app.asar.unpacked');
  return path.join(folder, 'lib', process.platform === 'win32' ? 'tsc.exe' : 'tsc');
}
