// The process in which TypeScript runs, and the files that it sees.
import { createRequire } from 'node:module';
import path from 'node:path';
import type { API, Program } from 'typescript/unstable/async';
import type { FileSystem } from 'typescript/unstable/fs';

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

/** Asks TypeScript a question about the program as its files are now; undefined where the answer is no longer wanted. */
export async function askTypeScript<T>(
  api: API,
  question: (program: Program) => Promise<T>,
  isWanted: () => boolean,
): Promise<T | undefined> {
  const snapshot = await api.updateSnapshot({
    openProjects: [CONFIG],
    fileChanges: { changed: [PROGRAM, CALL, AMBIENT] },
  });
  try {
    const project = isWanted() ? snapshot.getProject(CONFIG) : undefined;
    return project === undefined ? undefined : await question(project.program);
  } finally {
    await snapshot.dispose();
  }
}

/**
 * TypeScript is loaded with the first check: a server that only runs programs never pays for it. It has loaded when it
 * has checked an empty program, and with it read its own libraries.
 */
export async function startTypeScript(files: Map<string, string>): Promise<API> {
  const typescript = await import('typescript/unstable/async');
  const program = compilerBesideArchive();
  const at = program === undefined ? {} : { tsserverPath: program };
  const api = new typescript.API({ ...at, cwd: FOLDER, fs: fileSystem(files) });
  for (const file of [PROGRAM, CALL, AMBIENT]) files.set(file, '');
  await askTypeScript(
    api,
    (empty) => empty.getSemanticDiagnostics(),
    () => true,
  );
  return api;
}

/** The program's files, and of the real ones TypeScript's own libraries alone. */
function fileSystem(files: ReadonlyMap<string, string>): FileSystem {
  const isLibrary = (name: string): boolean => /[\\/]lib(\.[a-z0-9.]+)?\.d\.ts$/.test(name) && !name.startsWith(FOLDER);
  return {
    readFile: (name) => files.get(name) ?? (isLibrary(name) ? undefined : null),
    fileExists: (name) => files.has(name) || (isLibrary(name) ? undefined : false),
    directoryExists: (name) => name === FOLDER || name === '/',
    getAccessibleEntries: (name) => ({
      files: name === FOLDER ? [...files.keys()].map((file) => file.slice(FOLDER.length + 1)) : [],
      directories: [],
    }),
    realpath: (name) => name,
  };
}

/**
 * The compiler's own program, where this module stands in the desktop app's archive: the system starts no program from
 * inside of it, and the same files stand beside it. Undefined: TypeScript finds it by itself.
 */
function compilerBesideArchive(url: string = import.meta.url): string | undefined {
  if (!url.includes('/app.asar/')) return undefined;
  const typescript = createRequire(url).resolve('typescript/package.json');
  const native = `@typescript/typescript-${process.platform}-${process.arch}/package.json`;
  const folder = path.dirname(createRequire(typescript).resolve(native)).replace('app.asar', 'app.asar.unpacked');
  return path.join(folder, 'lib', process.platform === 'win32' ? 'tsc.exe' : 'tsc');
}
