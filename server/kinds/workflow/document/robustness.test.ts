import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Json } from '../../../../shared/json.ts';
import { checkSchemaDocument } from '../../../lib/schemas/index.ts';
import { createTestSources } from '../../../lib/yaml/sources.testing.ts';
import { changed } from './changed.testing.ts';
import { checkWorkflowDocument } from './check-document.ts';
import { SAMPLES, workflow } from './samples.testing.ts';
import type { DocumentContext } from './check-context.ts';

/** There are thousands of changes: the test looks at some of them; all were looked at once. */
const EVERY = 7;
// Expressions are not looked at here.
const sources = createTestSources();
const context: DocumentContext = {
  sources,
  checkExpression: async () => undefined,
  checkSchema: async (schema, pointer) => checkSchemaDocument(schema, pointer),
};

/** What is wrong with the answer about a source; empty where nothing is. */
async function faultsOf(source: string): Promise<string[]> {
  const check = await checkWorkflowDocument(source, context);
  if (!check.ok) {
    const misplaced = check.issues.filter(
      ({ pointer, line, column }) => !pointer.startsWith('/source') || line * column < 1,
    );
    return check.issues.length === 0 ? ['refused without an issue'] : misplaced.map(({ detail }) => detail);
  }
  const { nodes, edges } = check.graph;
  const ids = new Set(nodes.map(({ id }) => id));
  return [
    ...(ids.size === nodes.length ? [] : ['two nodes of one id']),
    ...edges
      .filter(({ from, to }) => !ids.has(from) || !ids.has(to))
      .map(({ from, to }) => `an edge from ${from} to ${to}`),
  ];
}

test.each(Object.entries(SAMPLES))(
  '%s: whatever is changed in it, the check answers and the drawing is whole',
  async (_, body) => {
    const all = [...changed(parse(workflow(body)) as Json, '')];
    for (const [what, document] of all.filter((_change, index) => index % EVERY === 0)) {
      expect(await faultsOf(JSON.stringify(document)), what).toEqual([]);
    }
  },
);
