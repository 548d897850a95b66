// Recall functions: a view that is kept of the playbook's events, one at a time, and answers from it.
import type { SourceIssue } from '../../../shared/issues.ts';
import { DRAFT_BOUNDS, LIMITS } from '../../../shared/limits.ts';
import { declarationsOf, type ProgramForm, type ProgramIssue } from '../../lib/sandbox/index.ts';
import { ownerIn } from '../../lib/worker-pool/index.ts';
import { MOST_FINDINGS } from '../../lib/yaml/index.ts';
import { overviewOf } from '../document/index.ts';
import type { Checked, CheckContext, Declarations, ReadFilter } from '../checked.ts';
import { eventsOfReads, eventWords, missingWords, misspellingsOf } from '../declarations.ts';
import type { Kind } from '../kind.ts';
import type { Rejection } from '../../lib/rejection.ts';
import type { Ending, RunRequest } from '../run.ts';
import { inSource, checkProgram, type ProgramRules, type ProgramTools } from '../program/index.ts';
import { endProgram, seedOf } from '../program-ending.ts';
import { eventsOfExample, tryEvents } from './examples.ts';
import { foldEvents } from './fold.ts';
import { kindsOf, readReads, readsWords, referencesOf } from './reads.ts';

export { createFold, type Fold } from './fold.ts';
export { type ViewEvent as Filtered, isKept } from './reads.ts';

/** The view that a run reads. */
export type ViewStatus =
  /** It has read everything up to the checkpoint; the state is JSON text, empty for `initial`. */
  | { standing: 'current'; checkpoint: number; state: string }
  | { standing: 'building' | 'stalled'; checkpoint: number; detail: string };

/** What the views of a playbook are asked for. */
export interface Views {
  /** Brings the view of the run's version up to what has been recorded. @throws Refused `unavailable` */
  bringUp(run: Pick<RunRequest, 'org' | 'playbook' | 'name' | 'version' | 'signal'>): Promise<ViewStatus>;
  /** The newest events of the playbook that the filters keep, oldest first, as `evolve` gets them. */
  newest(
    playbookKey: Pick<CheckContext, 'org' | 'playbook'>,
    reads: readonly ReadFilter[],
    most: number,
  ): Promise<{ id: string; text: string }[]>;
}

export interface RecallOptions extends ProgramTools {
  /** Absent where there are none, as for examples. */
  views?: Views | undefined;
}

const FORM: ProgramForm = {
  exports: ['description', 'input', 'output', 'examples', 'expose', 'reads', 'initial', 'evolve', 'answer'],
  parameters: { evolve: ['State', 'PlaybookEvent'], answer: ['State', 'Input'] },
  keepsView: true,
};
const RULES: ProgramRules = {
  functions: {
    evolve: 'A recall function needs `export function evolve(state, event) { ... }`, which returns the next state.',
    answer: 'A recall function needs `export function answer(state, input) { ... }`, which returns the output.',
  },
  values: {
    reads: 'A recall function needs `export const reads = [{ events: { type: "..." } }]`: which events it reads.',
    initial: 'A recall function needs `export const initial = { ... }`: the state before the first event.',
  },
  hasEvents: true,
};
/** How many of the playbook's newest events a program is tried with before it is saved. */
const TRIED_EVENTS = 20;
/** When a run that found its view unfinished may find it built. */
const RETRY_AFTER_SECONDS = 2;

export function createRecallKind({ views, ...tools }: RecallOptions): Kind {
  const { sandbox, types, schemas } = tools;

  return {
    type: 'recall',
    traits: { endsAtOnce: true, runsCurrentVersion: true },
    async check(source, context): Promise<Checked> {
      const found = await checkProgram(source, FORM, RULES, tools);
      if (!found.ok) return found;
      const { looked, exports, warnings } = found;
      const { own, ...declared } = exports;
      const at = (name: string, detail: string): ProgramIssue => ({
        ...(looked.places[name] ?? { line: 1, column: 1 }),
        detail,
      });
      const issues: SourceIssue[] = [];
      const reads = readReads(own['reads'], (detail) => void issues.push(inSource(at('reads', detail))));
      if (issues.length > 0) return { ok: false, issues };
      const references = referencesOf(reads);
      const unknown = references.filter(({ type, name }) => !context.definitionExists(type, name));
      const view = { initial: own['initial'] ?? null, events: kindsOf(reads) };
      const { inputSchema, outputSchema } = exports;
      const typed = { Input: inputSchema, Output: outputSchema, view };
      const mistyped = await types.check(source, looked, typed);
      return {
        ok: true,
        document: {
          ...declared,
          overview: overviewOf(exports, [
            `**Reads**\n\n${readsWords(reads)}`,
            '**Does** Keeps a view of these events, applied in the order in which they were recorded, and answers from it.',
          ]),
          references,
          reads,
          events: eventsOfReads(reads),
          declarations: declarationsOf(typed),
          warnings: [
            ...warnings,
            ...unknown
              .slice(0, MOST_FINDINGS)
              .map(({ type, name }) =>
                at('reads', missingWords(context, type, name, 'its events are read once it is saved.')),
              ),
            ...mistyped,
            ...(await tryNewest({ views, sandbox }, source, reads, context, at('evolve', ''))),
          ].map(inSource),
          checkUses: async (declarations) =>
            (await misspeltTypes(reads, declarations)).map((detail) => inSource(at('reads', detail))),
        },
      };
    },
    async start(run): Promise<Ending> {
      if (views === undefined) throw new Error('There are no views here.');
      const view = await views.bringUp(run);
      const own = { checkpoint: view.checkpoint };
      switch (view.standing) {
        case 'building':
        case 'stalled':
          return { status: 'rejected', rejection: unfinished(view), record: own };
        case 'current': {
          const turn = { owner: ownerIn(run, `recall/${run.name}`), signal: run.signal };
          const ran = await sandbox.run({ ...answerJob(run), state: view.state }, turn);
          return endProgram(ran, run.outputSchema, schemas, own);
        }
      }
    },
    async startUnsaved(run, document): Promise<Ending> {
      if (views === undefined) throw new Error('There are no views here.');
      const owner = ownerIn(run, 'drafts');
      let remaining = await views.newest(run, document.reads ?? [], DRAFT_BOUNDS.viewEvents);
      const record = { events: remaining.length };
      let state = '';
      while (remaining.length > 0) {
        const events = remaining.map(({ text }) => text);
        const folding = { source: run.source, state, events, owner, signal: run.signal };
        // oxlint-disable-next-line no-await-in-loop -- each batch begins with the state of the one before
        const progress = await foldEvents(sandbox, folding);
        if (progress.stalled !== undefined) {
          const detail = `\`evolve\` fails for the event ${remaining[progress.count]?.id}: ${progress.stalled}`;
          return { status: 'rejected', rejection: { reason: 'conflict', kind: 'stalled', detail }, record };
        }
        state = progress.state ?? state;
        remaining = remaining.slice(progress.count);
      }
      const ran = await sandbox.run({ ...answerJob(run), state }, { owner, signal: run.signal });
      return endProgram(ran, run.outputSchema, schemas, record);
    },
    async runExample({ playbookKey, source, document, example, now, signal }): Promise<Ending> {
      const kept = eventsOfExample(example.events ?? [], document.reads ?? [], now);
      const outcome = await tryEvents(sandbox, source, kept);
      if ('detail' in outcome) {
        const detail = `\`evolve\` fails for ${outcome.failed ?? 'these events'}: ${outcome.detail}`;
        return { status: 'rejected', rejection: { reason: 'conflict', kind: 'stalled', detail } };
      }
      const job = { ...answerJob({ source, input: example.input, startedAt: now }), state: outcome.state };
      const ran = await sandbox.run(job, { owner: ownerIn(playbookKey, 'examples'), signal });
      return endProgram(ran, document.outputSchema, schemas);
    },
  };
}

/** A warning if folding the newest events fails; they are not folded from the first event on. */
async function tryNewest(
  { views, sandbox }: Pick<RecallOptions, 'views' | 'sandbox'>,
  source: string,
  reads: readonly ReadFilter[],
  context: CheckContext,
  otherwise: ProgramIssue,
): Promise<ProgramIssue[]> {
  if (views === undefined) return [];
  const events = await views.newest(context, reads, TRIED_EVENTS);
  const outcome = await tryEvents(sandbox, source, events);
  if ('state' in outcome) return [];
  const { line, column, words } = placed(outcome.detail, otherwise);
  const which =
    outcome.failed === undefined
      ? `these events, the newest ${events.length}`
      : `the event ${outcome.failed}, one of the newest ${events.length}`;
  const detail = `\`evolve\` fails for ${which} that \`reads\` selects, starting from \`initial\`: ${words}`;
  return [{ line, column, detail }];
}

function unfinished({ standing, detail }: Exclude<ViewStatus, { standing: 'current' }>): Rejection {
  return standing === 'building'
    ? { reason: 'unavailable', kind: 'rebuilding', detail, retryAfter: RETRY_AFTER_SECONDS }
    : { reason: 'conflict', kind: 'stalled', detail };
}

function answerJob({ source, input, startedAt }: Pick<RunRequest, 'source' | 'input' | 'startedAt'>) {
  return {
    source,
    input: JSON.stringify(input),
    now: startedAt,
    seed: seedOf(input),
    outputBytes: LIMITS.recallOutputBytes,
  };
}

/** A detail that begins with its location, divided. */
function placed(detail: string, otherwise: ProgramIssue): { line: number; column: number; words: string } {
  const [, line, column, words] = /^Line (\d+), column (\d+): (.*)$/s.exec(detail) ?? [];
  if (words === undefined) return { line: otherwise.line, column: otherwise.column, words: detail };
  return { line: Number(line), column: Number(column), words };
}

/** Events may come from outside, so a type is reported only if it looks like a misspelling of one that is emitted. */
async function misspeltTypes(reads: readonly ReadFilter[], declarations: Declarations): Promise<string[]> {
  const { receives } = eventsOfReads(reads);
  if (receives.length === 0) return [];
  const { emits, emitsAny } = await declarations.events();
  if (emitsAny) return [];
  const misspelt = misspellingsOf(emits, receives);
  return receives.flatMap((type) => {
    const near = misspelt(type);
    return near === undefined ? [] : [eventWords(type, near, ['emits', 'emitted'])];
  });
}
