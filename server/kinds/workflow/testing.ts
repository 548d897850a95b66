// Runs workflows in memory, for tests.
import type { Json } from '../../../shared/json.ts';
import { systemClock } from '../../lib/clock.ts';
import { createExpressions } from '../../lib/jq/index.ts';
import { createSchemaChecker } from '../../lib/schemas/index.ts';
import { createTextWork } from '../../lib/text-work/index.ts';
import { createSources } from '../../lib/yaml/index.ts';
import type { MovedStep } from '../durable.ts';
import type { Ending } from '../run.ts';
import { type SimulationResult, simulate, type SimulationOptions } from '../simulate.ts';
import { createWorkflowKind, type WorkflowKind } from './index.ts';

export interface TestRuns {
  kind: WorkflowKind;
  /** Runs the steps of a document that is given without its head. */
  run(steps: string, input?: Json, given?: Partial<SimulationOptions>): Promise<SimulationResult>;
  /** As `run`; answers the output, or fails with the ending. */
  output(steps: string, input?: Json, given?: Partial<SimulationOptions>): Promise<Json>;
  close(): Promise<void>;
}

const HEAD = `document: { dsl: '1.0.3', namespace: test, name: test, version: '1.0.0' }\n`;

export function createTestRuns(secrets: Record<string, string> = {}): TestRuns {
  const expressions = createExpressions();
  const schemas = createSchemaChecker();
  const textWork = createTextWork();
  const kind = createWorkflowKind({
    sources: createSources(textWork),
    expressions,
    schemas,
    version: '0.0.0',
    checkEvent: () => [],
    grants: { secrets: () => secrets, hosts: () => () => false, namedHosts: () => () => false },
    textWork,
    clock: systemClock,
  });
  const run: TestRuns['run'] = (steps, input = {}, given = {}) =>
    simulate(kind, { source: HEAD + dedent(steps), input, now: Date.UTC(2026, 0, 1), ...given });
  return {
    kind,
    run,
    async output(steps, input, given) {
      const { ending, waitsFor } = await run(steps, input, given);
      if (ending?.status !== 'succeeded') throw new Error(`Ended as ${JSON.stringify(ending ?? { waitsFor })}`);
      return ending.output;
    },
    async close() {
      kind.close();
      await expressions.close();
      await schemas.close();
      await textWork.close();
    },
  };
}

/** Takes away the indentation that every line has. */
function dedent(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const indent = Math.min(...lines.map((line) => line.length - line.trimStart().length));
  return lines.map((line) => line.slice(indent)).join('\n');
}

/** How steps were left, as `state reference`. */
export function statesOf(moved: readonly MovedStep[]): string[] {
  return moved.map(({ state, step }) => `${state} ${step}`);
}

export function rejectionOf(ending: Ending | undefined): unknown {
  return ending?.status === 'rejected' ? ending.rejection : ending;
}
