// The subset of jq that is compiled: most expressions, without a way to a worker.
//
// 1. It takes a text whole or leaves it whole, and what it takes means the same in jq.
// 2. It gives values only. An error, a number that jq may write in another way, a value that grows
//    large, work without a near end: all of this is left to jq, whose words and bounds count.
// 3. It never changes the input or the variables; results may share parts with them.
import type { Json } from '../../../../shared/json.ts';
import { compile } from './compile.ts';
import type { Filter } from './filter.ts';
import { parse } from './parse.ts';
import { MOST_WORK, type EvaluationContext, Unsupported } from './scope.ts';
import { partsOf, type Query } from './syntax.ts';
import { isSurelyBelow } from './text.ts';

export type Variables = Readonly<Record<string, Json>>;

/** The results, no more than two of them; undefined when jq has to be asked. */
export type Program = (input: Json, variables: Variables) => readonly Json[] | undefined;

/** A program for an expression that the subset takes, else undefined. */
export function compileExpression(text: string): Program | undefined {
  try {
    return toProgram(parse(text));
  } catch (error) {
    return leave(error);
  }
}

/** What jq may give beside the list around two results. */
const MOST_RESULT_BYTES = 4 * 1024 * 1024 - 1024;
/** Parts of an expression that the bound of work is meant for; a longer one may do less of each. */
const USUAL_PARTS = 20;

function toProgram(query: Query): Program {
  const parts = [...partsOf(query)];
  const names = [...new Set(parts.flatMap((part) => (part.kind === 'variable' ? [part.name] : [])))];
  const grows = parts.some(({ kind }) => GROWING.has(kind));
  const most = Math.trunc((MOST_WORK * USUAL_PARTS) / Math.max(USUAL_PARTS, parts.length));
  const filter = compile(query);
  return (input, variables) => {
    // A variable that is not there is an error even where it is not read.
    for (const name of names) if (!Object.hasOwn(variables, name)) return undefined;
    try {
      const results = run(filter, input, { variables, work: most });
      return grows && !results.every((result) => isSurelyBelow(result, MOST_RESULT_BYTES)) ? undefined : results;
    } catch (error) {
      return leave(error);
    }
  };
}

/** What may make a value that is larger than the input and the variables. */
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

/** jq is not asked for a third result, nor for an error behind the second. */
const ENOUGH: Unsupported = new Unsupported('two results');

/** A stack that is used up is jq's business too. */
function leave(error: unknown): undefined {
  if (error instanceof Unsupported || error instanceof RangeError) return undefined;
  throw error;
}
