// Checks programs against the types of their schemas with TypeScript, in a warm process of its own. What it finds
// is told as warnings: a program that it finds wrong can run, and one that it cannot look at is saved all the same.
import { annotated, FREE_OBJECT } from './annotate.ts';
import { declarationsOf, type ProgramTypes } from './declarations.ts';
import type { CheckDone, ProgramIssue } from './job.ts';
import { positionAt, syntaxIssues } from './syntax-issues.ts';
import { createLock } from './lock.ts';
import { howToInstall } from '../optional-packages.ts';
import {
  AMBIENT,
  CALL,
  FIXED_FILES,
  isTypeScriptInstalled,
  PROGRAM,
  startTypeScript,
  type TypeScriptProcess,
} from './typescript-process.ts';
import { type Diagnosed, misfitWords, mistakeWords } from './type-sentences.ts';
import { stripByteOrderMark } from './strip-types.ts';

export interface TypeChecker {
  /**
   * What is mistyped, at the author's own places. A check that takes longer than two seconds, or waits for others as
   * long, is given up; one issue says so. Neither counts the time in which TypeScript loads, 15 seconds at most.
   * @param looked what a check found of the source; no issues
   * @param types the schemas behind the ambient names; one without a schema is anything
   */
  check(source: string, looked: CheckDone, types: ProgramTypes): Promise<ProgramIssue[]>;
  /**
   * What is wrong in the grammar of a program that a check could not read, at the author's own places; nothing when
   * that cannot be said in time.
   */
  checkSyntax(source: string): Promise<ProgramIssue[]>;
  /** Ends the process. */
  close(): Promise<void>;
}

/** A busy machine takes long to load TypeScript, which is no fault of the program. */
const LOAD_MS = 15_000;
const DEADLINE_MS = 2000;
/** Warnings are worth no longer wait. */
const WAIT_MS = 2000;
/** After so long without a check the process, which holds some 35 MiB, is ended. */
const IDLE_MS = 60_000;
const MOST_WARNINGS = 20;
const GIVEN_UP: ProgramIssue = {
  line: 1,
  column: 1,
  detail:
    'The types were not checked, because that took longer than two seconds; check the definition again to see whether they fit.',
};
const NOT_INSTALLED: ProgramIssue = {
  line: 1,
  column: 1,
  detail: `The types were not checked, because TypeScript 7 is not installed. ${howToInstall(['typescript@7'])}`,
};
/** Helpers may go without types. Asked to be strict, TypeScript infers more, and complains of this as well. */
const FIRST_IMPLICIT_ANY = 7005;
const LAST_IMPLICIT_ANY = 7053;
/** How a program is called: the export that gives the output, and the line for each other type that is to fit. */
const COMPUTATION_CALL = `import program from './program';
type Returned = Awaited<ReturnType<typeof program>>;
declare const returned: Returned;
export const called: (input: Input) => unknown = program;
export const output: Output = returned;
`;
const VIEW_CALL = `import { answer, evolve } from './program';
type Returned = Awaited<ReturnType<typeof answer>>;
declare const returned: Returned;
export const called: (state: State, input: Input) => unknown = answer;
export const folded: (state: State, event: PlaybookEvent) => unknown = evolve;
export const output: Output = returned;
`;

/** Which export of a program a diagnostic of its call is about, and what of it does not fit. */
function misfitOf(call: string, pos: number): { name: string; what: string; schema: string } {
  const isView = call === VIEW_CALL;
  const rest = call.slice(pos);
  if (rest.startsWith('folded')) return { name: 'evolve', what: 'A parameter', schema: 'evolve' };
  const isOutput = !rest.startsWith('called');
  return {
    name: isView ? 'answer' : 'default',
    what: isOutput ? 'The output' : isView ? 'A parameter' : 'The parameter',
    schema: isOutput ? 'output' : isView ? 'answer' : 'input',
  };
}

/** What a check found; undefined when it was given up. */
type TypeCheckResult = ProgramIssue[] | undefined;

type TypeCheck = (typescript: TypeScriptProcess) => Promise<TypeCheckResult>;

/** How long TypeScript may load, a check may then wait for others and take, and the process is kept without a check. */
interface TypeCheckerOptions {
  loadMs?: number;
  waitMs?: number;
  deadlineMs?: number;
  idleMs?: number;
}

export function createTypeChecker({
  loadMs = LOAD_MS,
  waitMs = WAIT_MS,
  deadlineMs = DEADLINE_MS,
  idleMs = IDLE_MS,
}: TypeCheckerOptions = {}): TypeChecker {
  const files = new Map(Object.entries(FIXED_FILES));
  let compiler: TypeScriptProcess | undefined;
  /** Processes that were killed and are about to exit. */
  const endings = new Set<Promise<void>>();
  /** One check at a time: they share the process and its files. */
  const turns = createLock();
  let idle: NodeJS.Timeout | undefined;
  let current: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  /** TypeScript, once it has loaded; undefined if it does not load, or not in time, or on closing. */
  async function loaded(): Promise<TypeScriptProcess | undefined> {
    if (isClosed) return undefined;
    try {
      const starting = (compiler ??= startTypeScript(files));
      await inTime(starting.loaded, loadMs).catch(() => endProcess(starting));
      return compiler === starting ? starting : undefined;
    } catch {
      // The package of this platform is missing.
      return undefined;
    }
  }

  /** The next check starts a process of its own. */
  function endProcess(typescript: TypeScriptProcess): void {
    if (compiler === typescript) compiler = undefined;
    const ending = typescript.end().then(() => void endings.delete(ending));
    endings.add(ending);
  }

  /** Ends the process after a while, unless another check begins before. */
  function endWhenIdle(): void {
    idle = setTimeout(() => compiler !== undefined && endProcess(compiler), idleMs).unref();
  }

  async function look(
    typescript: TypeScriptProcess,
    source: string,
    { insertions, places }: CheckDone,
    types: ProgramTypes,
  ): Promise<TypeCheckResult> {
    const { text: program, sourceOffset } = annotated(source, insertions);
    const call = types.view === undefined ? COMPUTATION_CALL : VIEW_CALL;
    files.set(PROGRAM, program);
    files.set(CALL, call);
    files.set(AMBIENT, declarationsOf(types, 'widened'));
    const diagnostics = await typescript.semanticDiagnostics();
    const found = diagnostics.flatMap((diagnostic): ProgramIssue[] => {
      const { fileName, pos, code } = diagnostic;
      if (code >= FIRST_IMPLICIT_ANY && code <= LAST_IMPLICIT_ANY) return [];
      if (fileName === PROGRAM) return [{ ...positionAt(source, sourceOffset(pos)), detail: mistakeWords(diagnostic) }];
      if (fileName !== CALL || isAboutFreeObject(diagnostic)) return [];
      const { name, what, schema } = misfitOf(call, pos);
      return [{ ...(places[name] ?? { line: 1, column: 1 }), detail: misfitWords(diagnostic, what, schema) }];
    });
    return found.slice(0, MOST_WARNINGS);
  }

  async function lookAtSyntax(typescript: TypeScriptProcess, source: string): Promise<TypeCheckResult> {
    files.set(PROGRAM, source);
    const found = await typescript.syntacticDiagnostics(PROGRAM);
    return syntaxIssues(source, found.slice(0, MOST_WARNINGS));
  }

  async function lookInTime(look: TypeCheck): Promise<TypeCheckResult> {
    // The check before this one may have ended the process.
    const typescript = await loaded();
    if (typescript === undefined) return undefined;
    try {
      return await inTime(look(typescript), deadlineMs);
    } catch {
      endProcess(typescript);
      return undefined;
    }
  }

  async function inTurn(look: TypeCheck): Promise<TypeCheckResult> {
    // Before the turn: whoever waits for others does not wait for TypeScript as well.
    if ((await loaded()) === undefined) return undefined;
    const end = await turns.acquire(waitMs);
    if (end === undefined) return undefined;
    clearTimeout(idle);
    const looking = lookInTime(look);
    current = looking;
    try {
      return await looking;
    } finally {
      endWhenIdle();
      end();
    }
  }

  return {
    check: async (source, looked, types) =>
      (await inTurn((typescript) => look(typescript, stripByteOrderMark(source), looked, types))) ?? [
        isTypeScriptInstalled() ? GIVEN_UP : NOT_INSTALLED,
      ],
    checkSyntax: async (source) =>
      (await inTurn((typescript) => lookAtSyntax(typescript, stripByteOrderMark(source)))) ?? [],
    async close() {
      isClosed = true;
      turns.close();
      clearTimeout(idle);
      if (compiler !== undefined) endProcess(compiler);
      await current;
      await Promise.all(endings);
    },
  };
}

/** @throws Error after so many milliseconds */
async function inTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The type checker is late.')), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Which members an object has that is filled later is not known: it may have those that a schema requires. */
function isAboutFreeObject({ text, messageChain = [] }: Diagnosed): boolean {
  return text.includes(FREE_OBJECT) || messageChain.some(isAboutFreeObject);
}
