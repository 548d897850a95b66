// What the languages of definitions need: programs, their types, jq, YAML and templates. Kinds share them.
import { createExpressions, type Expressions } from '../lib/jq/index.ts';
import { createSandbox, createTypeChecker, type Sandbox, type TypeChecker } from '../lib/sandbox/index.ts';
import { createTemplates, type Templates } from '../lib/templates/index.ts';
import type { TextWork } from '../lib/text-work/index.ts';
import { createSources, type Sources } from '../lib/yaml/index.ts';

export interface Languages {
  sandbox: Sandbox;
  types: TypeChecker;
  expressions: Expressions;
  sources: Sources;
  templates: Templates;
  /** Ends worker threads and child processes. */
  close(): Promise<void>;
}

export interface LanguagesOptions {
  textWork: TextWork;
  /** Milliseconds that jq may take for one expression; absent: the default of expressions. */
  expressionDeadlineMs?: number;
}

export function createLanguages({ textWork, expressionDeadlineMs }: LanguagesOptions): Languages {
  const sandbox = createSandbox();
  const types = createTypeChecker();
  const expressions = createExpressions(expressionDeadlineMs === undefined ? {} : { deadlineMs: expressionDeadlineMs });
  return {
    sandbox,
    types,
    expressions,
    sources: createSources(textWork),
    templates: createTemplates(textWork),
    async close() {
      await Promise.all([sandbox.close(), types.close(), expressions.close()]);
    },
  };
}
