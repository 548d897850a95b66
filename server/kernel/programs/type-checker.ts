// Checks programs against the types of their schemas with TypeScript, in a warm process of its own. What it finds
// is told as warnings: a program that it finds wrong can run, and one that it cannot look at is saved all the same.
import type { API } from 'typescript/unstable/async';
import type { FileSystem } from 'typescript/unstable/fs';
import type { JsonObject } from '../../../shared/json.ts';
import { ambientConsole, PLAYBOOK_EVENT } from './ambient.ts';
import { annotated } from './annotate.ts';
import type { CheckDone, ProgramIssue } from './job.ts';
import { typeOfSchema } from './schema-types.ts';

/** The schemas behind the ambient names of a program. */
export interface ProgramTypes {
  Input: JsonObject | undefined;
  Output: JsonObject | undefined;
}

export interface TypeChecker {
  /**
   * What is mistyped, at the author's own places; nothing when it cannot be said within the deadline.
   * @param looked what a check found of the source; no issues
   * @param types the schemas behind the ambient names; one without a schema is anything
   */
  check(source: string, looked: CheckDone, types: ProgramTypes): Promise<ProgramIssue[]>;
  /** Ends the process. */
  close(): Promise<void>;
}

const DEADLINE_MS = 2000;
const MOST_WARNINGS = 20;
/** Helpers may go without types. Asked to be strict, TypeScript infers more, and complains of this as well. */
const FIRST_IMPLICIT_ANY = 7005;
const LAST_IMPLICIT_ANY = 7053;
const FOLDER = '/program';
const CONFIG = `${FOLDER}/tsconfig.json`;
const PROGRAM = `${FOLDER}/program.ts`;
const CALL = `${FOLDER}/call.ts`;
const AMBIENT = `${FOLDER}/ambient.d.ts`;

const FIXED_FILES: Readonly<Record<string, string>> = {
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
  [CALL]: `import program from './program';
const called: (input: Input) => Output | Promise<Output> = program;
export { called };
`,
};

export function createTypeChecker(): TypeChecker {
  const files = new Map(Object.entries(FIXED_FILES));
  let api: API | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function look(source: string, { insertions, places }: CheckDone, types: ProgramTypes): Promise<ProgramIssue[]> {
    const { text: program, sourceOffset } = annotated(source, insertions);
    files.set(PROGRAM, program);
    files.set(
      AMBIENT,
      [
        typeOfSchema('Input', types.Input),
        typeOfSchema('Output', types.Output, 'widened'),
        'type State = any;',
        PLAYBOOK_EVENT,
        ambientConsole(),
      ].join('\n'),
    );
    api ??= await startTypeScript(files);
    const snapshot = await api.updateSnapshot({ openProjects: [CONFIG], fileChanges: { changed: [PROGRAM, AMBIENT] } });
    try {
      const diagnostics = (await snapshot.getProject(CONFIG)?.program.getSemanticDiagnostics()) ?? [];
      const found = diagnostics.flatMap(({ fileName, pos, text, code }): ProgramIssue[] => {
        if (code >= FIRST_IMPLICIT_ANY && code <= LAST_IMPLICIT_ANY) return [];
        if (fileName === PROGRAM) return [{ ...positionAt(source, sourceOffset(pos)), detail: sentence(text) }];
        if (fileName !== CALL) return [];
        return [
          {
            ...(places['default'] ?? { line: 1, column: 1 }),
            detail: `The program does not fit its own schemas: ${sentence(text)}`,
          },
        ];
      });
      return found.slice(0, MOST_WARNINGS);
    } finally {
      await snapshot.dispose();
    }
  }

  async function lookInTime(...asked: Parameters<TypeChecker['check']>): Promise<ProgramIssue[]> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('The type checker is late.')), DEADLINE_MS);
    });
    try {
      return await Promise.race([look(...asked), late]);
    } catch {
      // Whatever it was, the next check begins with a process of its own.
      const spoilt = api;
      api = undefined;
      void spoilt?.close().catch(() => undefined);
      return [];
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    check(...asked) {
      const turn = last.then(() => lookInTime(...asked));
      last = turn;
      return turn;
    },
    async close() {
      await last;
      await api?.close();
      api = undefined;
    },
  };
}

/** TypeScript is loaded with the first check: a server that only runs programs never pays for it. */
async function startTypeScript(files: ReadonlyMap<string, string>): Promise<API> {
  const typescript = await import('typescript/unstable/async');
  return new typescript.API({ cwd: FOLDER, fs: fileSystem(files) });
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

function positionAt(source: string, offset: number): { line: number; column: number } {
  const before = source.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}
