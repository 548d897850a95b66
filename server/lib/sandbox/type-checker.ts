// Checks programs against the types of their schemas with TypeScript, in a warm process. What it finds is reported as
// warnings: a program with type errors can run, and one whose check was given up is saved all the same.
import { annotated, FREE_OBJECT } from './annotate.ts';
import { declarationsOf, type ProgramTypes } from './declarations.ts';
import type { CheckDone, ProgramIssue } from './job.ts';
import { positionAt, syntaxIssues } from './syntax-issues.ts';
import { howToInstall } from '../optional-packages.ts';
import {
  AMBIENT,
  CALL,
  FIXED_FILES,
  isTypeScriptInstalled,
  PROGRAM,
  type TypeScriptProcess,
} from './typescript-process.ts';
import { type TurnsOptions, TypeScriptTurns } from './typescript-turns.ts';
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

export function createTypeChecker(options: TurnsOptions = {}): TypeChecker {
  const files = new Map(Object.entries(FIXED_FILES));
  const turns = new TypeScriptTurns(files, options);
  return {
    async check(source, looked, types) {
      const issues = await turns.take((typescript) =>
        typeIssues({ files, typescript, source: stripByteOrderMark(source), looked, types }),
      );
      return issues ?? [isTypeScriptInstalled() ? GIVEN_UP : NOT_INSTALLED];
    },
    async checkSyntax(text) {
      const source = stripByteOrderMark(text);
      const issues = await turns.take(async (typescript) => {
        files.set(PROGRAM, source);
        const found = await typescript.syntacticDiagnostics(PROGRAM);
        return syntaxIssues(source, found.slice(0, MOST_WARNINGS));
      });
      return issues ?? [];
    },
    close: () => turns.close(),
  };
}

interface Checked {
  files: Map<string, string>;
  typescript: TypeScriptProcess;
  source: string;
  looked: CheckDone;
  types: ProgramTypes;
}

async function typeIssues({ files, typescript, source, looked, types }: Checked): Promise<ProgramIssue[]> {
  const { text: program, sourceOffset } = annotated(source, looked.insertions);
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
    return [{ ...(looked.places[name] ?? { line: 1, column: 1 }), detail: misfitWords(diagnostic, what, schema) }];
  });
  return found.slice(0, MOST_WARNINGS);
}

/** Which members an object has that is filled later is not known: it may have those that a schema requires. */
function isAboutFreeObject({ text, messageChain = [] }: Diagnosed): boolean {
  return text.includes(FREE_OBJECT) || messageChain.some(isAboutFreeObject);
}
