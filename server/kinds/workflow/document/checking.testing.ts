// A document checked as saving checks it: with real jq and real schemas.
import { afterAll, expect } from 'vitest';
import { createExpressions } from '../../../lib/jq/index.ts';
import { checkSchemaDocument, createSchemaChecker } from '../../../lib/schemas/index.ts';
import { createTestSources } from '../../../lib/yaml/sources.testing.ts';
import type { DocumentContext } from './check-context.ts';
import { type CheckedWorkflow, checkWorkflowDocument } from './check-document.ts';
import { workflow } from './samples.testing.ts';

export interface Checking {
  /** As `line:column pointer detail`, without the `/source` of each pointer. */
  issuesOf: (body: string, context?: Partial<DocumentContext>) => Promise<string[]>;
  warningsOf: (body: string, context?: Partial<DocumentContext>) => Promise<string[]>;
  checked: (body: string, context?: Partial<DocumentContext>) => Promise<CheckedWorkflow>;
}

/** Is let go after the tests of the file. The body of a document begins at its third line. */
export function createChecking(): Checking {
  const expressions = createExpressions({ workers: 1, deadlineMs: 5000 });
  const schemas = createSchemaChecker();
  const sources = createTestSources();
  afterAll(() => Promise.all([expressions.close(), schemas.close()]));

  const check = (body: string, context: Partial<DocumentContext> = {}) =>
    checkWorkflowDocument(body.startsWith('document:') ? body : workflow(body), {
      sources,
      checkExpression: (expression, variables) => expressions.check(expression, variables),
      checkSchema: async (schema, pointer) => checkSchemaDocument(schema, pointer),
      fitSchema: (schema, values) => schemas.compileSchema(schema, 'It').checkEach(values, ''),
      ...context,
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

  async function checked(body: string, context?: Partial<DocumentContext>): Promise<CheckedWorkflow> {
    const result = await check(body, context);
    if (!result.ok) throw new Error(result.issues.map(shown).join('\n'));
    return result;
  }
  return {
    checked,
    async issuesOf(body, context) {
      const result = await check(body, context);
      return result.ok ? [] : result.issues.map(shown);
    },
    warningsOf: async (body, context) => (await checked(body, context)).warnings.map(shown),
  };
}

/** A document with one mistake: where it is reported, and some words of the report. */
export type Mistake = [name: string, body: string, at: string, words: string];

/** Matches an issue that is a whole sentence. @param at where the issue is, as `line:column pointer` */
export function issueAt(at: string, words: string): unknown {
  const literal = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return expect.stringMatching(new RegExp(`^(?=[^]*${literal(words)})${literal(at)} [^]*[.?]\\)?$`));
}
