// Checks the results of calls in examples against the output schemas of what is called.
import { Refused } from '../../../../lib/rejection.ts';
import { type Findings, MOST_FINDINGS } from '../../../../lib/yaml/index.ts';
import type { DeclaredSchemas } from '../../../checked.ts';
import type { FitSchema } from '../check-context.ts';
import { examplesOf } from '../dsl.ts';
import { callSites, type GivenResult, givenResults } from '../rules/example-calls.ts';
import { code } from '../schema/sentences.ts';
import type { Walk } from '../walk.ts';

export async function checkResults(
  walked: Walk,
  declared: ReadonlyMap<string, DeclaredSchemas>,
  fitSchema: FitSchema,
  findings: Pick<Findings, 'warn' | 'warnings'>,
): Promise<void> {
  const results = givenResults(examplesOf(walked.document));
  if (results.length === 0) return;
  const calledAt = new Map(callSites(walked).map(({ pointer, called }) => [pointer, called]));
  const byCalled = Map.groupBy(results, ({ key }) => calledAt.get(key) ?? key);
  for (const [called, some] of byCalled) {
    const schemas = declared.get(called);
    if (schemas === undefined || findings.warnings.length >= MOST_FINDINGS) continue;
    try {
      await checkAgainst(called, schemas, some, fitSchema, findings);
    } catch (error) {
      // A schema that takes too long to check must not refuse, or delay, the documents that call its definition.
      if (error instanceof Refused) return;
      throw error;
    }
  }
}

async function checkAgainst(
  called: string,
  { output, otherOutput }: DeclaredSchemas,
  results: readonly GivenResult[],
  fitSchema: FitSchema,
  findings: Pick<Findings, 'warn'>,
): Promise<void> {
  if (output === undefined) return;
  const values = results.map((result) => result.output);
  const issues = await fitSchema(output, values);
  const others = otherOutput === undefined ? undefined : await fitSchema(otherOutput, values);
  for (const [index, { pointer }] of results.entries()) {
    if (others?.[index]?.length === 0) continue;
    for (const issue of issues[index] ?? []) {
      findings.warn(`${pointer}${issue.pointer}`, `${code(called)} never returns this: ${issue.detail}`);
    }
  }
}
