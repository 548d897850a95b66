// Runs the examples of a definition in memory, as `cuebook test` does.
import type { DefinitionType } from '../../../shared/definition-types.ts';
import { TESTED_BOUNDS } from '../../../shared/limits.ts';
import type { TestedDefinition } from '../../../shared/schemas/index.ts';
import { boundedIssues } from '../../lib/bounded-issues.ts';
import type { Clock } from '../../lib/clock.ts';
import { startDeadline, untilAborted } from '../../lib/deadline.ts';
import type { EventLog, PlaybookKey } from '../../kernel/log/index.ts';
import type { Kind } from '../../kinds/kind.ts';
import { contextOf, sourceIssues } from '../definitions/index.ts';
import { answerOf, type NamedOutcome } from './answer.ts';
import { type TriedDefinition, tryExample } from './try-example.ts';

/** A document whose examples are to be run. */
export interface TestRequest {
  playbookKey: PlaybookKey;
  type: DefinitionType;
  /** The name of a saved definition; any other for a document that is not saved. */
  name: string;
  source: string;
  signal: AbortSignal;
}

export interface Examples {
  /**
   * Checks the document and runs its examples. Nothing is recorded, and no tool or model is called.
   * @throws Refused `unavailable` if no checker is ready
   */
  test(request: TestRequest): Promise<TestedDefinition>;
}

export interface ExamplesOptions {
  /** Those of `createExampleKinds`. */
  kinds: Readonly<Record<DefinitionType, Kind>>;
  log: EventLog;
  clock: Clock;
}

/** How long all examples of a request may take together, in milliseconds. */
const MOST_MS = 10_000;
const NO_TIME = `Not run: all examples together may take ${MOST_MS / 1000} seconds.`;
const NONE = { passed: 0, failed: 0, not_run: 0, examples: [] };

export function createExamples({ kinds, log, clock }: ExamplesOptions): Examples {
  return {
    async test({ playbookKey, type, name, source, signal }) {
      const kind = kinds[type];
      const tooLong = sourceIssues(source);
      if (tooLong.length > 0) return { valid: false, issues: tooLong, ...NONE };
      const checked = await kind.check(source, await contextOf(log, playbookKey));
      if (!checked.ok) {
        const issues = boundedIssues(checked.issues).map(({ standsFor: _standsFor, ...issue }) => issue);
        return { valid: false, issues, ...NONE };
      }
      const { document } = checked;
      const examples = document.examples.slice(0, TESTED_BOUNDS.examples);
      const deadline = startDeadline(clock, MOST_MS, signal);
      const tried: TriedDefinition = { playbookKey: playbookKey, name, source, document };
      const outcomes: NamedOutcome[] = [];
      try {
        // One at a time, so that a request uses one worker.
        for (const example of examples) {
          const outcome = deadline.signal.aborted
            ? undefined
            : // oxlint-disable-next-line no-await-in-loop -- see above
              await untilAborted(tryExample(kind, tried, example, { signal: deadline.signal }), deadline.signal);
          outcomes.push({ name: example.name, ...(outcome ?? { status: 'not_run', detail: NO_TIME }) });
        }
      } finally {
        deadline.callOff();
      }
      return { valid: true, issues: [], ...answerOf(outcomes, document.examples.length - examples.length) };
    },
  };
}
