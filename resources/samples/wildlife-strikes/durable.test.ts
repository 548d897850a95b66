// The sample's interactions and workflows: saved without a warning, with examples that hold.
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { createExpressions } from '../../../server/lib/jq/index.ts';
import { createSchemaChecker } from '../../../server/lib/schemas/index.ts';
import { createTestSources } from '../../../server/lib/yaml/sources.testing.ts';
import { createTextWork } from '../../../server/lib/text-work/index.ts';
import { createTemplates } from '../../../server/lib/templates/index.ts';
import { createInteractionKind } from '../../../server/kinds/interaction/index.ts';
import type { CloudEvent } from '../../../server/kinds/durable.ts';
import { ANY_TOOLS } from '../../../server/kinds/tools.ts';
import { simulate } from '../../../server/kinds/simulate.ts';
import { createTestRuns } from '../../../server/kinds/workflow/testing.ts';
import { folder } from './reports.testing.ts';

const NEVER = new AbortController().signal;

describe('the interactions', () => {
  const files = readdirSync(folder).filter((file) => file.endsWith('.interaction.yaml'));
  const expressions = createExpressions();
  const schemas = createSchemaChecker();
  const textWork = createTextWork();
  afterAll(() => Promise.all([expressions.close(), schemas.close(), textWork.close()]));
  const kind = createInteractionKind({
    sources: createTestSources(),
    tools: ANY_TOOLS,
    expressions,
    schemas,
    templates: createTemplates(textWork),
    requestUrl: () => '',
  });

  test.each(files)('%s is saved without a warning and its examples can be asked', async (file) => {
    const source = readFileSync(new URL(file, folder), 'utf8');
    const surroundings = { org: 'local', playbook: 'wildlife-strikes', definitionExists: () => true };
    const checked = await kind.check(source, surroundings);
    expect(checked).toMatchObject({ ok: true, document: { warnings: [] } });
    if (!checked.ok) return;
    expect(checked.document.examples.length).toBeGreaterThan(0);
    const tried = { playbookKey: surroundings, source, document: checked.document, now: 0, signal: NEVER };
    for (const example of checked.document.examples) expect(await kind.tryExample?.({ ...tried, example })).toEqual([]);
  });
});

describe('the workflows', () => {
  const files = readdirSync(folder).filter((file) => file.endsWith('.workflow.yaml'));
  const runs = createTestRuns();
  afterAll(() => runs.close());

  test.each(files)(
    '%s is saved without a warning and gives what its examples say',
    async (file) => {
      const source = readFileSync(new URL(file, folder), 'utf8');
      const surroundings = { org: 'local', playbook: 'wildlife-strikes', definitionExists: () => true };
      const checked = await runs.kind.check(source, surroundings);
      expect(checked).toMatchObject({ ok: true, document: { warnings: [] } });
      if (!checked.ok) return;
      expect(checked.document.examples.length).toBeGreaterThan(0);
      for (const { input, output, events, calls } of checked.document.examples) {
        const now = Date.UTC(2026, 2, 2);
        const given = { source, input, now, events: (events ?? []) as CloudEvent[], calls: calls ?? {} };
        expect(await simulate(runs.kind, given)).toMatchObject({ ending: { status: 'succeeded', output } });
      }
    },
    60_000,
  );
});
