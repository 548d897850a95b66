import type { JsonObject } from '../../../shared/json.ts';
import type { Projection, StoredEvent, WriteTransaction } from '../../kernel/log/index.ts';
import {
  type ActiveRow,
  countRefusal,
  type FunctionKey,
  insertCandidate,
  putActive,
  putBuild,
  putBuiltVersion,
} from './models-sql.ts';
import {
  deleteEndedWait,
  deletePending,
  type EndedWait,
  insertEndedWait,
  type PendingVersion,
  putPending,
  selectPending,
  type ShadowProgress,
} from './pending-sql.ts';

export const predictionProjection: Projection = {
  tables: [
    'prediction_builds',
    'build_candidates',
    'build_refusals',
    'built_versions',
    'active_versions',
    'pending_versions',
    'ended_waits',
  ],
  apply(tx, event) {
    const { data, metadata } = event;
    switch (event.type) {
      case 'dataset_assembled':
        return putBuild(tx, buildOf(event), {
          name: String(metadata.definition?.name),
          day: dayOf(metadata.at),
          dataset: String(data['dataset']),
        });
      case 'candidate_uploaded':
        return insertCandidate(tx, buildOf(event), {
          candidate: String(data['candidate']),
          bytes: Number(data['bytes']),
          opset: Number(data['opset']),
        });
      case 'candidate_refused':
        return countRefusal(tx, buildOf(event));
      case 'version_built':
        return putBuiltVersion(tx, functionOf(event), Number(data['version']));
      case 'version_activated':
        return applyActivated(tx, event);
      case 'activation_refused':
        return applyRefused(tx, event);
      case 'shadow_predicted':
      case 'shadow_graded':
        return progress(tx, event);
      case 'shadow_passed':
        return applyPassed(tx, event);
      case 'shadow_failed':
        return waitIsOver(tx, event);
      case 'definition_retired':
        return data['type'] === 'prediction' ? applyRetired(tx, event) : undefined;
      default:
        return undefined;
    }
  },
};

async function applyActivated(tx: WriteTransaction, event: StoredEvent): Promise<void> {
  const { data, metadata } = event;
  const rule = data['rule'] as ActiveRow['rule'];
  await putActive(tx, functionOf(event), { version: Number(data['version']), rule, at: metadata.at });
  if (rule === 'gate') await supersede(tx, event);
  return waitIsOver(tx, event);
}

async function applyRefused(tx: WriteTransaction, event: StoredEvent): Promise<void> {
  const { because } = event.data;
  if (because !== 'shadow' && because !== 'approval') return waitIsOver(tx, event);
  await supersede(tx, event);
  return putPending(tx, functionOf(event), { ...sinceOf(event), for: because, shadow: null });
}

/** What activates it, where no approval is needed, is recorded with it. */
async function applyPassed(tx: WriteTransaction, event: StoredEvent): Promise<void> {
  const waited = await selectPending(tx, functionOf(event));
  if (waited?.version !== event.data['version']) return;
  await putPending(tx, functionOf(event), { ...sinceOf(event), for: 'approval', shadow: null });
}

async function applyRetired(tx: WriteTransaction, { org, playbook, data }: StoredEvent): Promise<void> {
  const key = { org, playbook, name: String(data['name']) };
  return drop(tx, key, await selectPending(tx, key), { because: 'retired', newer: null });
}

/** The UTC day of a time. */
export function dayOf(at: string): string {
  return at.slice(0, 10);
}

function buildOf({ org, playbook, metadata }: StoredEvent) {
  return { org, playbook, runId: String(metadata.run_id) };
}

function functionOf({ org, playbook, data }: StoredEvent): FunctionKey {
  return { org, playbook, name: String(data['function']) };
}

function sinceOf({ data, metadata }: StoredEvent): { version: number; since: string } {
  return { version: Number(data['version']), since: metadata.at };
}

/** The version of the event waits no longer, and the reason is recorded. */
async function waitIsOver(tx: WriteTransaction, event: StoredEvent): Promise<void> {
  const key = functionOf(event);
  const version = Number(event.data['version']);
  await deleteEndedWait(tx, key, version);
  if ((await selectPending(tx, key))?.version === version) await deletePending(tx, key);
}

/** A version that passed the gate takes the place of another one that waits. */
async function supersede(tx: WriteTransaction, event: StoredEvent): Promise<void> {
  const key = functionOf(event);
  const pending = await selectPending(tx, key);
  const newer = Number(event.data['version']);
  if (pending?.version !== newer) await drop(tx, key, pending, { because: 'superseded', newer });
}

async function drop(
  tx: WriteTransaction,
  key: FunctionKey,
  pending: PendingVersion | undefined,
  why: Omit<EndedWait, 'version'>,
): Promise<void> {
  if (pending === undefined) return;
  await deletePending(tx, key);
  await insertEndedWait(tx, key, { version: pending.version, ...why });
}

async function progress(tx: WriteTransaction, event: StoredEvent): Promise<void> {
  const key = functionOf(event);
  const pending = await selectPending(tx, key);
  if (pending?.version !== event.data['version'] || pending?.for !== 'shadow') return;
  const shadow =
    event.type === 'shadow_predicted' ? predicted(pending.shadow, event.data) : graded(pending.shadow, event.data);
  await putPending(tx, key, { ...pending, shadow });
}

/** New predictions continue the evaluation, unless another version was activated: then it starts over. */
function predicted(before: ShadowProgress | null, data: JsonObject): ShadowProgress {
  const activeVersion = Number(data['active_version']);
  const dataset = String(data['dataset']);
  const origin = String(data['origin']);
  const so = before?.activeVersion === activeVersion ? before : NOTHING_GRADED;
  const { periods, values, score, activeScore } = so;
  const from = { dataset, origin, periods };
  return { activeVersion, from, dataset, until: origin, periods, values, score, activeScore };
}

const NOTHING_GRADED = { periods: 0, values: 0, score: null, activeScore: null };

function graded(before: ShadowProgress | null, data: JsonObject): ShadowProgress | null {
  return (
    before && {
      ...before,
      dataset: String(data['dataset']),
      until: String(data['until']),
      periods: Number(data['periods']),
      values: Number(data['values']),
      score: data['score'] as number | null,
      activeScore: data['active_score'] as number | null,
    }
  );
}
