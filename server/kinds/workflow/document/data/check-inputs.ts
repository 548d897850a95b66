// Checks the inputs of calls, as far as they are known before a run, against the schemas of what is called.
import type { Json } from '../../../../../shared/json.ts';
import { escapeToken } from '../../../../lib/json-pointer.ts';
import { Refused } from '../../../../lib/rejection.ts';
import { type Findings, MOST_FINDINGS } from '../../../../lib/yaml/index.ts';
import type { DeclaredSchemas } from '../../../checked.ts';
import type { FitSchema } from '../check-context.ts';
import { code } from '../schema/sentences.ts';
import type { Guess } from './known.ts';
import type { TracedCall } from './trace.ts';

interface CheckedCall {
  call: TracedCall;
  /** With null for unknown parts. */
  value: Json;
  /** Pointers of unknown parts. */
  unknown: readonly string[];
}

/** Keywords that compare parts of a value: with an unknown part, nothing certain can be said about the others. */
const COMPARING = /"(?:anyOf|oneOf|if|not|dependentSchemas|dependentRequired|\$dynamicRef|contains)":/;
/** How issues about names begin. What a schema says of a field follows in brackets. */
const IS_UNKNOWN_FIELD = /^[^(]* has an unknown field /;
const IS_MISSING_FIELD = /^[^(]* is missing the required field /;
/** Parts of all inputs of a document that are looked at; parts are often shared, so few lines can make many. */
const MOST_PARTS = 50_000;

export async function checkInputs(
  calls: readonly TracedCall[],
  declared: ReadonlyMap<string, DeclaredSchemas>,
  fitSchema: FitSchema,
  findings: Pick<Findings, 'warn' | 'warnings'>,
): Promise<void> {
  for (const [reference, checked] of checkedCalls(calls)) {
    const schema = declared.get(reference)?.input;
    if (schema === undefined || findings.warnings.length >= MOST_FINDINGS) continue;
    const isComparing = COMPARING.test(JSON.stringify(schema));
    const certain = checked.filter(({ unknown }) => !isComparing || unknown.length === 0);
    if (certain.length === 0) continue;
    try {
      const issues = await fitSchema(
        schema,
        certain.map(({ value }) => value),
      );
      for (const [index, one] of certain.entries()) report(reference, one, issues[index] ?? [], findings);
    } catch (error) {
      // A schema that takes too long to check must not refuse, or delay, the documents that call its definition.
      if (error instanceof Refused) return;
      throw error;
    }
  }
}

/** The calls whose input is known, by the definition that they call. */
function checkedCalls(calls: readonly TracedCall[]): Map<string, CheckedCall[]> {
  const found = new Map<string, CheckedCall[]>();
  const budget = { parts: MOST_PARTS };
  for (const call of calls) {
    const reference = `${call.type}/${call.name}`;
    const unknown: string[] = [];
    const value = partly(call.input, '', unknown, budget);
    if (budget.parts < 0) break;
    if (!unknown.includes('')) found.set(reference, [...(found.get(reference) ?? []), { call, value, unknown }]);
  }
  return found;
}

function report(
  reference: string,
  { call, unknown }: CheckedCall,
  issues: Awaited<ReturnType<FitSchema>>[number],
  findings: Pick<Findings, 'warn'>,
): void {
  const isUnknown = (at: string): boolean => unknown.some((part) => at === part || at.startsWith(`${part}/`));
  const holdsUnknown = (at: string): boolean => unknown.some((part) => part.startsWith(`${at}/`));
  for (const issue of issues) {
    // Of a value with unknown parts, only the names of its fields are certain.
    if (isUnknown(issue.pointer) && !IS_UNKNOWN_FIELD.test(issue.detail)) continue;
    if (holdsUnknown(issue.pointer) && !IS_MISSING_FIELD.test(issue.detail)) continue;
    const detail = `${code(reference)} rejects this input: ${issue.detail}`;
    findings.warn(`${call.pointer}${issue.pointer}`, detail, IS_UNKNOWN_FIELD.test(issue.detail) ? 'key' : 'value');
  }
}

/** The value as far as it is known, with null for unknown parts. @param unknown receives their pointers */
function partly(guess: Guess, pointer: string, unknown: string[], budget: { parts: number }): Json {
  budget.parts -= 1;
  const [known, ...more] = guess ?? [];
  if (known?.kind === 'value' && more.length === 0) return known.value;
  if (budget.parts < 0 || known?.kind !== 'object' || known.rest !== undefined || more.length > 0) {
    unknown.push(pointer);
    return null;
  }
  const members: [string, Json][] = [];
  for (const [name, member] of known.members) {
    if (budget.parts < 0) break;
    members.push([name, partly(member, `${pointer}/${escapeToken(name)}`, unknown, budget)]);
  }
  return Object.fromEntries(members);
}
