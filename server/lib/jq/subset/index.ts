// The subset of jq that is compiled to closures: most expressions, without a worker.
//
// 1. It supports an expression completely or not at all, and a supported expression means the same in jq.
// 2. It only returns values. Errors, numbers that jq may print differently, large values and long work are left to jq,
//    whose messages and limits apply.
// 3. It never changes the input or the variables; results may share parts with them.
import type { Json } from '../../../../shared/json.ts';
import { compile } from './compile.ts';
import type { Filter } from './filter.ts';
import { parse } from './parse.ts';
import { MOST_WORK, type EvaluationContext, Unsupported } from './scope.ts';
import { partsOf, type Query } from './syntax.ts';
import { isSurelyBelow } from './text.ts';

export { partsOf as partsOfExpression, type Query as ExpressionTree } from './syntax.ts';

export type Variables = Readonly<Record<string, Json>>;

/** Returns at most two results; undefined if jq must evaluate the expression. */
export type Program = (input: Json, variables: Variables) => readonly Json[] | undefined;

/** The program of an expression; undefined if the subset does not support it. */
export function compileExpression(text: string): Program | undefined {
  try {
    return toProgram(parse(text));
  } catch (error) {
    return leaveToJq(error);
  }
}

/** The syntax tree of an expression; undefined if it is outside the grammar of the subset. It may call any function. */
export function parseExpression(text: string): Query | undefined {
  try {
    return parse(text);
  } catch (error) {
    return leaveToJq(error);
  }
}

/** The size limit of a result in jq, less the list around two results. */
const MOST_RESULT_BYTES = 4 * 1024 * 1024 - 1024;
/** The number of parts for which `MOST_WORK` is meant; in longer expressions, the limit is lower. */
const USUAL_PARTS = 20;

function toProgram(query: Query): Program {
  const parts = [...partsOf(query)];
  const names = [...new Set(parts.flatMap((part) => (part.kind === 'variable' ? [part.name] : [])))];
  const grows = parts.some(({ kind }) => GROWING.has(kind));
  const most = Math.trunc((MOST_WORK * USUAL_PARTS) / Math.max(USUAL_PARTS, parts.length));
  const filter = compile(query);
  return (input, variables) => {
    // A missing variable is an error even if it is never read.
    for (const name of names) if (!Object.hasOwn(variables, name)) return undefined;
    try {
      const results = run(filter, input, { variables, work: most });
      return grows && !results.every((result) => isSurelyBelow(result, MOST_RESULT_BYTES)) ? undefined : results;
    } catch (error) {
      return leaveToJq(error);
    }
  };
}

/** Forms whose value may be larger than the input and the variables. */
const GROWING: ReadonlySet<Query['kind']> = new Set<Query['kind']>(['text', 'list', 'object', 'operation', 'call']);

function run(filter: Filter, input: Json, scope: EvaluationContext): readonly Json[] {
  if (filter.one !== undefined) return [filter.one(input, scope)];
  const results: Json[] = [];
  try {
    filter.each(input, scope, (value) => {
      results.push(value);
      if (results.length === 2) throw ENOUGH;
    });
  } catch (error) {
    if (error !== ENOUGH) throw error;
  }
  return results;
}

/** As in jq's program, evaluation stops at the second result. */
const ENOUGH: Unsupported = new Unsupported('two results');

/** A stack overflow is left to jq too. */
function leaveToJq(error: unknown): undefined {
  if (error instanceof Unsupported || error instanceof RangeError) return undefined;
  throw error;
}
