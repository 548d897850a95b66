// Runs a case against a version and a model, and judges the output.
import { setTimeout as wait } from 'node:timers/promises';
import type { Run, RunWithRecord } from '../../../../shared/api/index.ts';
import { type CaseResult, costOf, type Prices, readUsage, type Variant } from '../../../../shared/evaluation/index.ts';
import { DEFINITION_FACTS, type DefinitionType } from '../../../../shared/definition-types.ts';
import type { Json } from '../../../../shared/json.ts';
import { differencesOf } from '../../../../shared/json-differences.ts';
import { messageFirst } from '../../../../shared/program-error.ts';
import { statusSentence } from '../../../../shared/status-label.ts';
import { derivedId } from '../../../kernel/ids.ts';
import type { Expressions } from '../../../lib/jq/index.ts';
import { awaitRun } from '../await-run.ts';
import { type Client, ServiceRefusal } from '../client.ts';
import { problemWords } from '../output.ts';
import type { Case } from './cases.ts';

export interface Evaluated {
  /** The source of run ids: with the same id, a later call finds the runs of an earlier one. */
  evaluation: string;
  org: string | undefined;
  playbook: string;
  type: DefinitionType;
  name: string;
  /** How long a run that continues in the background is waited for. */
  waitMs: number;
  prices: Prices;
}

type Verdict = Pick<CaseResult, 'status' | 'detail' | 'output' | 'differences'>;

const MOST_DIFFERENCES = 10;
/** Things that a run may wait for and that an evaluation does not provide. */
const OUTSIDE = ['answer', 'upload', 'event'] as const;

/** The id of the run of a case: a UUIDv8 derived from everything that the run depends on. */
function runIdOf({ evaluation, playbook, type, name }: Evaluated, { version, model }: Variant, key: string): string {
  return derivedId(JSON.stringify(['evaluation', evaluation, playbook, type, name, version, model ?? null, key]));
}

export async function runCase(
  client: Client,
  evaluated: Evaluated,
  variant: Variant,
  one: Case,
  expressions: Expressions,
): Promise<CaseResult> {
  const { org, playbook, type, name } = evaluated;
  const run_id = runIdOf(evaluated, variant, one.key);
  const result = { case: one.name, ...variant, run_id };
  try {
    const started = await patiently(() =>
      client.call('run_definition', { org, playbook, type, name, input: one.input, run_id, ...variant }),
    );
    const run = started.status === 'started' ? await endOf(client, evaluated, run_id) : started;
    return { ...result, ...(await judge(run, one, expressions)), ...(await measured(client, evaluated, variant, run)) };
  } catch (error) {
    if (!(error instanceof ServiceRefusal)) throw error;
    return { ...result, ...refused(error), ...(await measuredRefusal(client, evaluated, variant, error)) };
  }
}

/** Milliseconds between tries. A published server limits the requests per minute. */
const LIMITED_WAIT_MS = 5000;
const LIMITED_TRIES = 24;

/** Repeats a request while the server refuses it because there were too many. */
async function patiently<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- each try follows a refusal
      return await send();
    } catch (error) {
      const isLimited = error instanceof ServiceRefusal && error.problem['kind'] === 'rate_limited';
      if (!isLimited || error.problem['run_id'] !== undefined || tries >= LIMITED_TRIES) throw error;
      // oxlint-disable-next-line no-await-in-loop -- as above
      await wait(LIMITED_WAIT_MS);
    }
  }
}

/** The run once it has ended; one that does not end in time, or that waits for people, is cancelled. */
async function endOf(client: Client, { org, playbook, waitMs }: Evaluated, runId: string): Promise<RunWithRecord> {
  const at = { org, playbook };
  const run = await awaitRun(client, at, runId, {
    isEnough: ({ waits_for: awaited = [] }) => awaited.some((one) => OUTSIDE.some((outside) => outside === one)),
    signal: AbortSignal.timeout(waitMs),
  });
  if (run.status !== 'started') return run;
  const reason = 'The evaluation did not wait for it.';
  // A run that has ended meanwhile cannot be cancelled.
  await client.call('cancel_run', { ...at, run_id: runId, reason }).catch(ignoreRefusal);
  return run;
}

async function judge(run: Run, one: Case, expressions: Expressions): Promise<Verdict> {
  if (run.status === 'started') {
    return notEvaluated(
      `${statusSentence('The run', run)} An evaluation does not provide that; the run was cancelled.`,
    );
  }
  if (run.status !== 'succeeded') return { status: 'failed', detail: run.detail ?? statusSentence('The run', run) };
  const { output = null } = run as { output?: Json };
  if ('output' in one.expected) {
    const differences = differencesOf(one.expected.output, output, MOST_DIFFERENCES);
    return differences.length === 0 ? { status: 'passed', output } : { status: 'failed', output, differences };
  }
  const { check } = one.expected;
  const checked = await expressions.evaluate(check, { input: one.input, output }, {}, 0);
  if (!checked.ok) return { status: 'failed', output, detail: `The check failed: ${checked.detail}` };
  if (checked.value === true) return { status: 'passed', output };
  return {
    status: 'failed',
    output,
    detail: `The check ${check} returned ${JSON.stringify(checked.value)}, not true.`,
  };
}

/** Reasons that say nothing about the output: the run was not started, or something that it needed was unavailable. */
const UNEVALUATED = ['unavailable', 'cancelled', 'unanswered', 'not_found', 'forbidden'];

function refused({ problem }: ServiceRefusal): Verdict {
  const words = problemWords({ ...problem, detail: messageFirst(String(problem['detail'])) });
  const isRun = typeof problem['run_id'] === 'string';
  return isRun && !UNEVALUATED.includes(String(problem['reason']))
    ? { status: 'failed', detail: words }
    : notEvaluated(words);
}

function notEvaluated(detail: string): Verdict {
  return { status: 'not_evaluated', detail };
}

type Measured = Pick<CaseResult, 'duration_ms' | 'tokens' | 'cost'>;

async function measured(client: Client, evaluated: Evaluated, variant: Variant, run: Run): Promise<Measured> {
  const { type, org, playbook } = evaluated;
  const { ended_at: ended, attempt_started_at: started } = run;
  const duration = ended === undefined ? {} : { duration_ms: Math.max(0, Date.parse(ended) - Date.parse(started)) };
  if (DEFINITION_FACTS[type].streamsText !== true) return duration;
  const { record } = await client.call('get_run', { org, playbook, run_id: run.run_id });
  const usage = readUsage(record);
  const cost = usage === undefined ? undefined : costOf(usage, variant.model, evaluated.prices);
  return {
    ...duration,
    ...(usage === undefined ? {} : { tokens: usage.tokens }),
    ...(cost === undefined ? {} : { cost }),
  };
}

async function measuredRefusal(
  client: Client,
  evaluated: Evaluated,
  variant: Variant,
  { problem }: ServiceRefusal,
): Promise<Measured> {
  const { run_id: runId } = problem;
  if (typeof runId !== 'string') return {};
  const { org, playbook } = evaluated;
  const run = await client.call('get_run', { org, playbook, run_id: runId }).catch(ignoreRefusal);
  return run === undefined ? {} : measured(client, evaluated, variant, run);
}

function ignoreRefusal(error: unknown): undefined {
  if (error instanceof ServiceRefusal) return undefined;
  throw error;
}
