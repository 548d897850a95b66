// Runs cases against versions and models. Each case is a recorded run.
import {
  type CaseResult,
  dependsOnDocument,
  type Prices,
  type Variant,
  whyNotEvaluated,
} from '../../../shared/evaluation/index.ts';
import { differencesOf } from '../../../shared/json-differences.ts';
import type { Json } from '../../../shared/json.ts';
import type { Run } from '../../../shared/api/index.ts';
import { parse } from 'yaml';
import { call } from '../../api/call.ts';
import { inParallel } from '../../api/in-parallel.ts';
import { ProblemError } from '../../api/problem-error.ts';
import type { DefinitionKey } from '../../api/queries.ts';
import type { EvaluationCase } from './cases.ts';
import { measuresOf } from './measures.ts';

export interface EvaluationRequest {
  key: DefinitionKey;
  cases: readonly EvaluationCase[];
  variants: readonly Variant[];
  prices: Prices;
  signal: AbortSignal;
  /** @param index of the case among those of all variants, one variant after the other */
  onResult: (index: number, result: CaseResult) => void;
}

const CONCURRENT = 4;
const MOST_DIFFERENCES = 10;
/** How long a run that continues in the background is waited for, and how often it is read, in milliseconds. */
const MOST_WAIT = 60_000;
const READ_EVERY = 500;
/** What a run may wait for that an evaluation does not provide. */
const OUTSIDE: readonly string[] = ['answer', 'upload', 'event'];
/** What the run needed was not there: this says nothing about the output. */
const UNEVALUATED = ['unavailable', 'cancelled', 'unanswered', 'not_found', 'forbidden'];

export async function evaluate({ cases, variants, onResult, ...rest }: EvaluationRequest): Promise<void> {
  const refusals = await refusalsOf(rest, variants);
  const jobs = variants.flatMap((variant) => cases.map((one, index) => ({ variant, one, index })));
  await inParallel(
    jobs.entries(),
    CONCURRENT,
    async ([place, { variant, one, index }]) => {
      const name = one.name ?? `line ${index + 1}`;
      const detail = refusals.get(variant.version);
      onResult(
        place,
        detail === undefined
          ? await runCase(rest, variant, one, name)
          : { case: name, ...variant, status: 'not_evaluated', detail },
      );
    },
    rest.signal,
  );
}

type Surroundings = Pick<EvaluationRequest, 'key' | 'prices' | 'signal'>;

/** Why the cases of a version are not run, by the version. */
async function refusalsOf(
  { key, signal }: Surroundings,
  variants: readonly Variant[],
): Promise<ReadonlyMap<number, string | undefined>> {
  if (!dependsOnDocument(key.type)) return new Map();
  const versions = [...new Set(variants.map(({ version }) => version))];
  return new Map(
    await Promise.all(
      versions.map(async (version) => {
        const { source } = await call('get_definition_version', { ...key, version: String(version) }, signal);
        return [version, whyNotEvaluated(key.type, key.name, parse(source))] as const;
      }),
    ),
  );
}

async function runCase(
  { key, prices, signal }: Surroundings,
  variant: Variant,
  one: EvaluationCase,
  name: string,
): Promise<CaseResult> {
  const run_id = crypto.randomUUID();
  const result = { case: name, ...variant, run_id };
  const { playbook } = key;
  const began = Date.now();
  const measured = async (): Promise<Partial<CaseResult>> => {
    const run = await call('get_run', { playbook, run_id }).catch(() => undefined);
    if (run?.ended_at === undefined) return { duration_ms: Date.now() - began };
    const duration_ms = Date.parse(run.ended_at) - Date.parse(run.attempt_started_at);
    return { duration_ms, ...measuresOf(run.record, variant.model, prices) };
  };
  try {
    const started = await call('run_definition', { ...key, ...variant, input: one.input, run_id }, signal);
    const run = started.status === 'started' ? await endOf(playbook, run_id, signal) : started;
    return { ...result, ...(await judge(key, run, one, signal)), ...(await measured()) };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const { problem } = error;
    const isRun = problem.run_id !== undefined && !UNEVALUATED.includes(String(problem.reason));
    const status = isRun ? ('failed' as const) : ('not_evaluated' as const);
    return { ...result, status, detail: error.message, ...(problem.run_id === undefined ? {} : await measured()) };
  }
}

/** The run once it has ended; one that does not end in time, or that waits for people, is cancelled. */
async function endOf(playbook: string, runId: string, signal: AbortSignal): Promise<Run> {
  const until = Date.now() + MOST_WAIT;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- until the run has ended
    const run = await call('get_run', { playbook, run_id: runId }, signal);
    if (run.status !== 'started') return run;
    if (Date.now() > until || run.waits_for?.some((one) => OUTSIDE.includes(one)) === true) {
      // oxlint-disable-next-line no-await-in-loop -- the last request
      await call('cancel_run', { playbook, run_id: runId, reason: 'The evaluation did not wait for it.' }).catch(
        () => {},
      );
      return run;
    }
    // oxlint-disable-next-line no-await-in-loop -- as above
    await new Promise((resolve) => setTimeout(resolve, READ_EVERY));
  }
}

type Verdict = Pick<CaseResult, 'status' | 'detail' | 'output' | 'differences'>;

async function judge(key: DefinitionKey, run: Run, one: EvaluationCase, signal: AbortSignal): Promise<Verdict> {
  if (run.status === 'started') {
    return {
      status: 'not_evaluated',
      detail: 'The run waits for something that an evaluation does not provide. It was cancelled.',
    };
  }
  if (run.status !== 'succeeded') return { status: 'failed', detail: run.detail ?? 'The run did not succeed.' };
  const output = run.output ?? null;
  if (one.check !== undefined)
    return { output, ...(await checked(key, one.check, { input: one.input, output }, signal)) };
  const differences = differencesOf(one.expect ?? null, output, MOST_DIFFERENCES);
  return differences.length === 0 ? { status: 'passed', output } : { status: 'failed', output, differences };
}

/** The service evaluates the expression: as the only step of a workflow that is not saved. */
async function checked(
  { playbook }: DefinitionKey,
  check: string,
  over: { input: Json; output: Json },
  signal: AbortSignal,
): Promise<Pick<CaseResult, 'status' | 'detail'>> {
  const source = JSON.stringify({
    document: { dsl: '1.0.3', namespace: 'cases', name: 'check', version: '1.0.0' },
    do: [{ check: { set: `\${ ${check} }` } }],
  });
  const ran = await call('run_draft', { playbook, type: 'workflow', source, input: over }, signal);
  if (ran.status !== 'succeeded') {
    return { status: 'failed', detail: `The check failed: ${ran.issues[0]?.detail ?? ran.detail ?? 'unknown reason'}` };
  }
  if (ran.output === true) return { status: 'passed' };
  return { status: 'failed', detail: `The check ${check} returned ${JSON.stringify(ran.output)}, not true.` };
}
