// Warnings about the calls that examples give results for: they have to be calls of the document, and are not evaluated.
import { isJsonObject, type Json } from '../../../../../shared/json.ts';
import { nearestName } from '../../../../../shared/nearest-name.ts';
import { wholeExpression } from '../../../../lib/jq/index.ts';
import { escapeToken } from '../../../../lib/json-pointer.ts';
import type { Findings } from '../../../../lib/yaml/index.ts';
import type { DefinitionType } from '../../../../../shared/definition-types.ts';
import type { Example } from '../../../checked.ts';
import { calledDefinition } from '../called-definitions.ts';
import { examplesOf } from '../dsl.ts';
import { code } from '../schema/sentences.ts';
import type { Walk } from '../walk.ts';
import { EXAMPLES } from './examples.ts';

interface CallSite {
  pointer: string;
  /** TYPE/NAME or SERVER/TOOL; absent: only a run knows it. */
  called?: string;
  definition?: { type: DefinitionType; name: string };
}

/** A result in an example. */
export interface GivenResult {
  /** The pointer of a step, TYPE/NAME or SERVER/TOOL. */
  key: string;
  output: Json;
  pointer: string;
}

/** The steps that call something besides a function of the document. */
export function callSites({ document, steps }: Walk): CallSite[] {
  const functions = document.use?.functions ?? {};
  return steps.flatMap(({ task, kind, descriptor, pointer }): CallSite[] => {
    if (kind !== 'call' && kind !== 'run') return [];
    const { definition, tool } = descriptor.reaches?.(task) ?? {};
    if (definition !== undefined) return [{ pointer, called: `${definition.type}/${definition.name}`, definition }];
    if (tool !== undefined) return [{ pointer, called: tool }];
    return Object.hasOwn(functions, descriptor.functionName?.(task) ?? '') ? [] : [{ pointer }];
  });
}

/** The results in all examples of a document. */
export function givenResults(examples: readonly Example[]): GivenResult[] {
  return examples.flatMap(({ calls = {}, sequences = {} }, index) => {
    const at = (member: string, key: string): string => `${EXAMPLES}/${index}/${member}/${escapeToken(key)}`;
    const inSequences = Object.entries(sequences).flatMap(([key, results]) =>
      results.flatMap((result, number) =>
        'output' in result ? [{ key, output: result.output, pointer: `${at('sequences', key)}/${number}/output` }] : [],
      ),
    );
    return [
      ...Object.entries(calls).map(([key, output]) => ({ key, output, pointer: at('calls', key) })),
      ...inSequences,
    ];
  });
}

export function warnOfExampleCalls(walked: Walk, findings: Findings): void {
  const examples = examplesOf(walked.document);
  if (examples.length === 0) return;
  const sites = callSites(walked);
  for (const [index, { calls, failures, sequences }] of examples.entries()) {
    for (const [member, given] of Object.entries({ calls, failures, sequences })) {
      for (const key of Object.keys(given ?? {})) {
        if (isCall(key, sites)) continue;
        findings.warn(`${EXAMPLES}/${index}/${member}/${escapeToken(key)}`, () => noCallWords(key, sites), 'key');
      }
    }
  }
  for (const { output, pointer } of givenResults(examples)) warnOfExpressions(output, pointer, findings);
}

function isCall(key: string, sites: readonly CallSite[]): boolean {
  if (sites.some(({ pointer, called }) => key === pointer || key === called)) return true;
  const isUnclear = sites.some(({ called }) => called === undefined);
  return isUnclear && !key.startsWith('/') && calledDefinition(key) === undefined;
}

const MOST_LISTED = 5;

function noCallWords(key: string, sites: readonly CallSite[]): string {
  const isPointer = key.startsWith('/');
  const keys = [...new Set(sites.flatMap(({ pointer, called }) => (isPointer ? pointer : (called ?? []))))];
  const head = isPointer ? `No step at ${code(key)} makes a call` : `The workflow does not call ${code(key)}`;
  const near = nearestName(key, keys);
  if (near !== undefined) return `${head}; did you mean ${code(near)}?`;
  if (keys.length === 0) return `${head}; remove this entry.`;
  const listed = keys.slice(0, MOST_LISTED).map(code).join(', ');
  const more = keys.length > MOST_LISTED ? ` and ${keys.length - MOST_LISTED} others` : '';
  return `${head}; its calls are ${isPointer ? 'at ' : ''}${listed}${more}.`;
}

function warnOfExpressions(value: Json, pointer: string, findings: Findings): void {
  if (typeof value === 'string') {
    if (wholeExpression(value) === undefined) return;
    findings.warn(
      pointer,
      'Results in examples are not evaluated, so the call returns this text; write the value itself.',
    );
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) warnOfExpressions(item, `${pointer}/${index}`, findings);
  } else if (isJsonObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      warnOfExpressions(member, `${pointer}/${escapeToken(name)}`, findings);
    }
  }
}
