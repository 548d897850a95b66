import type { Example, Kind } from '../kinds/kind.ts';
import { canonicalJson } from '../kernel/canonical-json.ts';
import { systemClock } from '../kernel/clock.ts';
import { createIds } from '../kernel/ids.ts';
import { Refused } from '../kernel/rejection.ts';
import { createSchemaChecker } from '../kernel/schemas/index.ts';
import { createKinds } from '../kinds/registry.ts';
import { CommandFailure, EXIT } from './failure.ts';
import { type DefinitionFile, readFolder } from './folder-files.ts';
import { show } from './output.ts';

interface TestResult {
  definition: string;
  example?: string;
  passed: boolean;
  detail?: string;
}

/** Carries out the examples of a folder's definitions in memory and compares what they give with what they say. */
export async function test(folder: string, options: { json?: boolean | undefined }): Promise<void> {
  const schemas = createSchemaChecker();
  const kinds = createKinds(schemas);
  const results: TestResult[] = [];
  try {
    for (const file of readFolder(folder).definitions)
      results.push(...(await testDefinition(kinds.byType[file.type], file)));
  } finally {
    await kinds.close();
    await schemas.close();
  }
  const failed = results.filter(({ passed }) => !passed);
  show(options, results, () =>
    [
      ...results.map(
        ({ definition, example, passed, detail }) =>
          `${passed ? 'ok  ' : 'FAIL'} ${definition}${example === undefined ? '' : `: ${example}`}${detail === undefined ? '' : `\n     ${detail}`}`,
      ),
      `${results.length - failed.length} passed, ${failed.length} failed`,
    ].join('\n'),
  );
  if (failed.length > 0) throw new CommandFailure(`${failed.length} of ${results.length} did not pass.`, EXIT.failed);
}

async function testDefinition(kind: Kind, file: DefinitionFile): Promise<TestResult[]> {
  const definition = `${file.type}/${file.name}`;
  try {
    const checked = await kind.check(file.source);
    if (!checked.ok) {
      const detail = checked.issues.map((issue) => issue.detail).join('\n     ');
      return [{ definition, passed: false, detail }];
    }
    const results: TestResult[] = [{ definition, passed: true }];
    for (const example of checked.document.examples) {
      results.push({ definition, example: example.name, ...(await carryOut(kind, file, example)) });
    }
    return results;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return [{ definition, passed: false, detail: error.message }];
  }
}

async function carryOut(
  kind: Kind,
  file: DefinitionFile,
  example: Example,
): Promise<Pick<TestResult, 'passed' | 'detail'>> {
  const ending = await kind.start({
    org: 'local',
    playbook: 'test',
    runId: createIds(systemClock)(),
    attempt: 1,
    name: file.name,
    version: 1,
    source: file.source,
    input: example.input,
    startedAt: systemClock.now(),
    signal: new AbortController().signal,
  });
  switch (ending.status) {
    case 'succeeded':
      if (example.output === undefined || canonicalJson(ending.output) === canonicalJson(example.output))
        return { passed: true };
      return {
        passed: false,
        detail: `gave ${JSON.stringify(ending.output)} instead of ${JSON.stringify(example.output)}`,
      };
    case 'rejected':
      return { passed: false, detail: ending.rejection.detail };
    case 'failed':
      return { passed: false, detail: ending.detail };
  }
}
