// Expressions of definitions: real jq in workers decides what is right; the subset in front of it answers the same, sooner.
//
// 1. An expression is compiled alone before it is evaluated.
// 2. What comes back has to be one value: no result is null, more than one is an error.
// 3. A text, a result, the time and the memory of an evaluation are bounded; going over a bound is an error of the
//    expression and never one of the service.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { LRUCache } from 'lru-cache';
import type { Json } from '../../../shared/json.ts';
import { createWorkerPool, type Outcome, type Owner, ownerIn, type PlaybookPlace } from '../worker-pool/index.ts';
import type { JqReply, JqJob } from './job.ts';
import { readResults } from './read-results.ts';
import { expressionFault } from './program.ts';
import { compileExpression, type Program } from './subset/index.ts';

/** What an expression came to. No result is null; more than one is an error. */
export type Evaluation = { ok: true; value: Json } | { ok: false; detail: string };

export interface Expressions {
  /**
   * What is wrong with an expression's text, in a sentence; undefined when it compiles.
   * @param variables names, without `$`, that the expression may use
   * @param place the playbook whose turn it takes
   */
  check(expression: string, variables: readonly string[], place?: PlaybookPlace): Promise<string | undefined>;
  /**
   * Evaluates. Answers at once when the compiled subset takes the expression whole, else a promise of jq's answer.
   * The value may share parts with the input and the variables.
   * @param now milliseconds since 1970, what jq's `now` yields
   * @param place the playbook whose turn it takes
   */
  evaluate(
    expression: string,
    input: Json,
    variables: Readonly<Record<string, Json>>,
    now: number,
    place?: PlaybookPlace,
  ): Evaluation | Promise<Evaluation>;
  close(): Promise<void>;
}

export interface ExpressionsOptions {
  /** How many evaluations of jq may go on at once. */
  workers?: number;
  /** What an evaluation may take, from the moment a worker takes it. */
  deadlineMs?: number;
}

/** What a check may take. Compiling is short work: what makes it long is a busy machine, which is no fault of the text. */
const CHECK_DEADLINE_MS = 5_000;

/** How many texts are remembered, for what was checked and what was compiled. */
const MOST_REMEMBERED = 1000;

export function createExpressions({ workers = 2, deadlineMs = 500 }: ExpressionsOptions = {}): Expressions {
  const deadlines = { check: CHECK_DEADLINE_MS, evaluate: deadlineMs };
  const pool = createWorkerPool<JqJob, JqReply>({
    name: 'jq engine',
    script: new URL('./worker.ts', import.meta.url),
    data: compileWasm,
    size: workers,
    deadlineMs: ({ kind }) => deadlines[kind],
    limits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
  });
  const checked = new LRUCache<string, { issue: string | undefined }>({ max: MOST_REMEMBERED });
  const programs = new LRUCache<string, { program: Program | undefined }>({ max: MOST_REMEMBERED });

  /** The subset's program for an expression, which is undefined for what belongs to jq. */
  const programOf = (expression: string): Program | undefined => {
    const known = programs.get(expression);
    if (known !== undefined) return known.program;
    const program = expressionFault(expression, []) === undefined ? compileExpression(expression) : undefined;
    programs.set(expression, { program });
    return program;
  };

  const toAnswer = (outcome: Outcome<JqReply>, kind: JqJob['kind']): JqReply => {
    if (typeof outcome === 'object') return outcome;
    if (outcome === 'late') return { ok: false, text: `The expression took longer than ${deadlines[kind]} ms.` };
    return { ok: false, text: 'The expression crashed the jq worker.' };
  };

  return {
    async check(expression, variables, place) {
      const refused = expressionFault(expression, variables);
      if (refused !== undefined) return refused;
      const key = `${variables.join()}\n${expression}`;
      const known = checked.get(key);
      if (known !== undefined) return known.issue;
      const reply = await pool.carryOut({ kind: 'check', expression, variables }, scheduling('check', place));
      const { ok, text } = toAnswer(reply, 'check');
      const issue = ok ? undefined : text;
      // What the machine's load may have done is not held against the text for ever.
      if (typeof reply === 'string') return issue;
      checked.set(key, { issue });
      return issue;
    },

    evaluate(expression, input, variables, now, place) {
      const results = programOf(expression)?.(input, variables);
      if (results !== undefined) return single(results);
      // What is not named need not be written down for jq.
      const names = Object.keys(variables).filter((name) => expression.includes(`$${name}`));
      const refused = expressionFault(expression, names);
      if (refused !== undefined) return { ok: false, detail: refused };
      const values = JSON.stringify([input, ...names.map((name) => variables[name])]);
      return pool
        .carryOut({ kind: 'evaluate', expression, variables: names, values, now }, scheduling('evaluate', place))
        .then((reply) => toEvaluation(toAnswer(reply, 'evaluate')));
    },

    close: () => pool.close(),
  };
}

/** A document may have a thousand expressions to check: an evaluation does not wait for them. */
function scheduling(kind: JqJob['kind'], place: PlaybookPlace | undefined): { owner: Owner } {
  return { owner: place === undefined ? ['', kind] : ownerIn(place, kind) };
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

/** Compiled once a process; workers share it. */
function compileWasm(): Promise<WebAssembly.Module> {
  compiled ??= WebAssembly.compile(readFileSync(createRequire(import.meta.url).resolve('jq-wasm/jq.wasm')));
  return compiled;
}

const WHOLE = /^\s*\$\{([\s\S]+)\}\s*$/;

/** The text inside a string that is wholly `${ ... }`, white space around allowed; undefined for any other string. */
export function wholeExpression(text: string): string | undefined {
  return WHOLE.exec(text)?.[1]?.trim();
}
