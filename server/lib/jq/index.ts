// Expressions of definitions. jq in workers is authoritative; the subset in front of it returns the same results, faster.
//
// 1. An expression is compiled on its own before it is evaluated.
// 2. The result must be one value: no result counts as null, more than one is an error.
// 3. The length of an expression, its result, and the time and memory of an evaluation are limited. Exceeding a limit is
//    an error of the expression, never of the service.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { LRUCache } from 'lru-cache';
import type { Json } from '../../../shared/json.ts';
import { WorkerPool, IDLE_MS, type Outcome, type Owner, ownerIn, type PlaybookRef } from '../worker-pool/index.ts';
import type { JqReply, JqJob } from './job.ts';
import { readResults } from './read-results.ts';
import { expressionFault } from './program.ts';
import { compileExpression, type Program } from './subset/index.ts';

export { type ExpressionTree, parseExpression, partsOfExpression } from './subset/index.ts';

/** The result of an expression. No result is null; more than one is an error. */
export type Evaluation = { ok: true; value: Json } | { ok: false; detail: string };

export interface Expressions {
  /**
   * Returns why an expression does not compile; undefined if it compiles.
   * @param variables names, without `$`, that the expression may use
   * @param playbookKey the playbook, for fair scheduling
   */
  check(expression: string, variables: readonly string[], playbookKey?: PlaybookRef): Promise<string | undefined>;
  /**
   * Evaluates an expression: synchronously if the subset supports it completely, otherwise in jq.
   * The value may share parts with the input and the variables.
   * @param now the result of jq's `now`, in milliseconds since 1970
   * @param playbookKey the playbook, for fair scheduling
   */
  evaluate(
    expression: string,
    input: Json,
    variables: Readonly<Record<string, Json>>,
    now: number,
    playbookKey?: PlaybookRef,
  ): Evaluation | Promise<Evaluation>;
  close(): Promise<void>;
}

export interface ExpressionsOptions {
  /** The maximum number of concurrent jq evaluations. */
  workers?: number;
  /** The time limit of an evaluation, from when a worker takes it. */
  deadlineMs?: number;
}

/** The time limit of a check. Compiling is fast; if it takes long, the machine is busy, which is not the expression's fault. */
const CHECK_DEADLINE_MS = 5_000;

/** The size of the caches of checked and of compiled expressions. */
const MOST_REMEMBERED = 1000;

export function createExpressions({ workers = 2, deadlineMs = 500 }: ExpressionsOptions = {}): Expressions {
  const deadlines = { check: CHECK_DEADLINE_MS, evaluate: deadlineMs };
  const pool = new WorkerPool<JqJob, JqReply>({
    name: 'jq engine',
    script: new URL('./worker.ts', import.meta.url),
    data: compileWasm,
    size: workers,
    deadlineMs: ({ kind }) => deadlines[kind],
    limits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
    idle: { ms: IDLE_MS, kept: 0 },
  });
  const checked = new LRUCache<string, { issue: string | undefined }>({ max: MOST_REMEMBERED });
  const { programOf, evaluate: evaluateAtOnce } = createAtOnce();

  /** What the subset supports means the same in jq, and every `$name` in the text is known: jq need not start for it. */
  const isSurelyValid = (expression: string, variables: readonly string[]): boolean =>
    programOf(expression) !== undefined &&
    Array.from(expression.matchAll(/\$\s*(\w*)/g), ([, name = '']) => name).every((name) => variables.includes(name));

  const toAnswer = (outcome: Outcome<JqReply>, kind: JqJob['kind']): JqReply => {
    if (typeof outcome === 'object') return outcome;
    if (outcome === 'late') return { ok: false, text: `The expression took longer than ${deadlines[kind]} ms.` };
    return { ok: false, text: 'The expression crashed the jq worker.' };
  };

  return {
    async check(expression, variables, playbookKey) {
      const refused = expressionFault(expression, variables);
      if (refused !== undefined) return refused;
      if (isSurelyValid(expression, variables)) return undefined;
      const key = `${variables.join()}\n${expression}`;
      const known = checked.get(key);
      if (known !== undefined) return known.issue;
      const reply = await pool.run({ kind: 'check', expression, variables }, scheduling('check', playbookKey));
      const { ok, text } = toAnswer(reply, 'check');
      const issue = ok ? undefined : text;
      // An outcome that the load of the machine may have caused is not cached.
      if (typeof reply === 'string') return issue;
      checked.set(key, { issue });
      return issue;
    },

    evaluate(expression, input, variables, now, playbookKey) {
      const atOnce = evaluateAtOnce(expression, input, variables);
      if (atOnce !== undefined) return atOnce;
      // Only variables that occur in the expression are serialized for jq.
      const names = Object.keys(variables).filter((name) => expression.includes(`$${name}`));
      const refused = expressionFault(expression, names);
      if (refused !== undefined) return { ok: false, detail: refused };
      const values = JSON.stringify([input, ...names.map((name) => variables[name])]);
      return pool
        .run({ kind: 'evaluate', expression, variables: names, values, now }, scheduling('evaluate', playbookKey))
        .then((reply) => toEvaluation(toAnswer(reply, 'evaluate')));
    },

    close: () => pool.close(),
  };
}

/** Evaluations without jq. */
export interface AtOnce {
  /** The compiled program of the subset; undefined if only jq supports the expression. */
  programOf: (expression: string) => Program | undefined;
  /** Undefined: only jq can evaluate the expression, or report what is wrong. */
  evaluate: (expression: string, input: Json, variables: Readonly<Record<string, Json>>) => Evaluation | undefined;
}

export function createAtOnce(): AtOnce {
  const programs = new LRUCache<string, { program: Program | undefined }>({ max: MOST_REMEMBERED });

  function programOf(expression: string): Program | undefined {
    const known = programs.get(expression);
    if (known !== undefined) return known.program;
    const program = expressionFault(expression, []) === undefined ? compileExpression(expression) : undefined;
    programs.set(expression, { program });
    return program;
  }

  return {
    programOf,
    evaluate(expression, input, variables) {
      const results = programOf(expression)?.(input, variables);
      return results === undefined ? undefined : single(results);
    },
  };
}

/** Checks and evaluations have separate turns, so that an evaluation does not wait for a document's thousand checks. */
function scheduling(kind: JqJob['kind'], playbookKey: PlaybookRef | undefined): { owner: Owner } {
  return { owner: playbookKey === undefined ? ['', kind] : ownerIn(playbookKey, kind) };
}

function toEvaluation({ ok, text }: JqReply): Evaluation {
  return ok ? single(readResults(text)) : { ok: false, detail: text };
}

function single(results: readonly Json[]): Evaluation {
  if (results.length > 1)
    return { ok: false, detail: 'The expression returns more than one result; collect them into a list.' };
  return { ok: true, value: results[0] ?? null };
}

let compiled: Promise<WebAssembly.Module> | undefined;

/** Compiled once per process and shared by the workers. */
function compileWasm(): Promise<WebAssembly.Module> {
  compiled ??= WebAssembly.compile(readFileSync(createRequire(import.meta.url).resolve('jq-wasm/jq.wasm')));
  return compiled;
}

const WHOLE = /^\s*\$\{([\s\S]+)\}\s*$/;

/** The expression in a string that is entirely `${ ... }`, ignoring surrounding white space; undefined for other strings. */
export function wholeExpression(text: string): string | undefined {
  return WHOLE.exec(text)?.[1]?.trim();
}
