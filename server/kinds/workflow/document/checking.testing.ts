// A document checked as saving checks it: with real jq and real schemas.
import { checkSchemaDocument } from '../../../lib/schemas/index.ts';
import { afterAll } from 'vitest';
import { createExpressions } from '../../../lib/jq/index.ts';
import { createSchemaChecker } from '../../../lib/schemas/index.ts';
import { createTestSources } from '../../../lib/yaml/sources.testing.ts';
import { checkWorkflowDocument, type CheckedWorkflow } from './check-document.ts';
import { workflow } from './samples.testing.ts';
import type { DocumentSurroundings } from './surroundings.ts';

export interface Checking {
  /** As `line:column pointer detail`, without the `/source` of each pointer. */
  issuesOf: (body: string, surroundings?: Partial<DocumentSurroundings>) => Promise<string[]>;
  warningsOf: (body: string, surroundings?: Partial<DocumentSurroundings>) => Promise<string[]>;
  checked: (body: string, surroundings?: Partial<DocumentSurroundings>) => Promise<CheckedWorkflow>;
}

/** Is let go after the tests of the file. The body of a document begins at its third line. */
export function createChecking(): Checking {
  const expressions = createExpressions({ workers: 1, deadlineMs: 5000 });
  const schemas = createSchemaChecker();
  const sources = createTestSources();
  afterAll(() => Promise.all([expressions.close(), schemas.close()]));

  const check = (body: string, surroundings: Partial<DocumentSurroundings> = {}) =>
    checkWorkflowDocument(body.startsWith('document:') ? body : workflow(body), {
      sources,
      checkExpression: (expression, variables) => expressions.check(expression, variables),
      checkSchema: async (schema, pointer) => checkSchemaDocument(schema, pointer),
      fitsSchema: (schema, value) => schemas.compileSchema(schema, 'It').check(value, ''),
      ...surroundings,
    });
  const shown = ({
    line,
    column,
    pointer,
    detail,
  }: {
    line: number;
    column: number;
    pointer: string;
    detail: string;
  }) => `${line}:${column} ${pointer.replace('/source', '')} ${detail}`;

  async function checked(body: string, surroundings?: Partial<DocumentSurroundings>): Promise<CheckedWorkflow> {
    const result = await check(body, surroundings);
    if (!result.ok) throw new Error(result.issues.map(shown).join('\n'));
    return result;
  }
  return {
    checked,
    async issuesOf(body, surroundings) {
      const result = await check(body, surroundings);
      return result.ok ? [] : result.issues.map(shown);
    },
    warningsOf: async (body, surroundings) => (await checked(body, surroundings)).warnings.map(shown),
  };
}
