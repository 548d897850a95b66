// What the models of a playbook were used for: tokens and, at the operator's prices, costs by day, definition and model.
import { costOf, type Prices, readUsage } from '../../../shared/evaluation/index.ts';
import type { ModelUsage } from '../../../shared/schemas/index.ts';
import { readMember } from '../../kernel/contents/index.ts';
import { type EventLog, type PlaybookKey, selectTyped, type StoredEvent } from '../../kernel/log/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { yieldToEventLoop } from '../../lib/event-loop.ts';
import { requirePlaybook } from '../playbooks/index.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const ENDINGS = ['run_succeeded', 'run_rejected', 'run_failed'];
const ROWS_A_READ = 500;
/** The most endings that are looked at, the newest ones. */
const MOST_ENDINGS = 50_000;

type Row = ModelUsage['by_day'][number]['usage'];

/** One ending of a run that used a model. */
interface UsedRun {
  day: string;
  definition: string;
  model: string;
  tokens: Row['tokens'];
  cost: number | undefined;
}

export type ReadModelUsage = (playbookKey: PlaybookKey, days: number) => Promise<ModelUsage>;

/** @param prices those of the operator at the time of the call */
export function createModelUsage(log: EventLog, clock: Clock, prices: () => Prices): ReadModelUsage {
  return async (playbookKey, days) => {
    await log.read((tx) => requirePlaybook(tx, playbookKey));
    const today = Math.floor(clock.now() / DAY_MS);
    const first = dayOf((today - days + 1) * DAY_MS);
    const used: UsedRun[] = [];
    const known = prices();
    let after: number | undefined;
    let isComplete = false;
    for (let count = 0; count < MOST_ENDINGS / ROWS_A_READ && !isComplete; count += 1) {
      // oxlint-disable-next-line no-await-in-loop -- each page follows the one before
      isComplete = await log.read(async (tx) => {
        const page = await selectTyped(tx, playbookKey, { types: ENDINGS, order: 'desc', after, limit: ROWS_A_READ });
        after = page.at(-1)?.readPosition ?? undefined;
        for (const ending of page) {
          const day = ending.metadata.at.slice(0, 10);
          if (day < first) return true;
          if (ending.data['tokens'] === undefined) continue;
          // oxlint-disable-next-line no-await-in-loop -- a record that is kept apart is read by itself
          const run = usedBy(ending, day, await readMember(tx, ending, 'record'), known);
          if (run !== undefined) used.push(run);
        }
        return page.length < ROWS_A_READ;
      });
      // oxlint-disable-next-line no-await-in-loop -- everything else has its turn
      await yieldToEventLoop();
    }
    const by = (member: 'day' | 'definition' | 'model') => Map.groupBy(used, (run) => run[member]);
    const ofDay = by('day');
    return {
      days,
      complete: isComplete,
      total: sumOf(used),
      by_day: Array.from({ length: days }, (_, index) => {
        const day = dayOf((today - days + 1 + index) * DAY_MS);
        return { day, usage: sumOf(ofDay.get(day) ?? []) };
      }),
      by_definition: sorted(by('definition')).map(([definition, usage]) => ({ definition, usage })),
      by_model: sorted(by('model')).map(([model, usage]) => ({ model, usage })),
    };
  };
}

function usedBy(
  { metadata, data }: StoredEvent,
  day: string,
  record: Parameters<typeof readUsage>[0] | undefined,
  prices: Prices,
): UsedRun | undefined {
  const usage = readUsage(record ?? { tokens: data['tokens'] ?? null });
  const { definition } = metadata;
  if (usage === undefined || definition === undefined) return undefined;
  const [requested = 'unknown', resolved = requested] = usage.models;
  return {
    day,
    definition: `${definition.type}/${definition.name}`,
    model: resolved,
    tokens: usage.tokens,
    cost: costOf(usage, undefined, prices),
  };
}

function sumOf(runs: readonly UsedRun[]): Row {
  const tokens = { input: 0, output: 0, cached: 0 };
  for (const run of runs) {
    tokens.input += run.tokens.input;
    tokens.output += run.tokens.output;
    tokens.cached += run.tokens.cached;
  }
  const costs = runs.flatMap(({ cost }) => cost ?? []);
  const cost = costs.length === 0 ? {} : { cost: costs.reduce((sum, one) => sum + one, 0) };
  return { runs: runs.length, tokens, ...cost, unpriced_runs: runs.length - costs.length };
}

/** Those that used most tokens first. */
function sorted(groups: ReadonlyMap<string, readonly UsedRun[]>): [string, Row][] {
  const size = ({ tokens }: Row): number => tokens.input + tokens.output;
  return [...groups]
    .map(([name, runs]): [string, Row] => [name, sumOf(runs)])
    .toSorted(([, one], [, other]) => size(other) - size(one));
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
