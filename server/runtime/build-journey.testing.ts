// A playbook with a dataset and builds, as clients use it that repeat what was not answered. Kills are planned by stage.
import { createHash, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Answer, KilledService, Moment, Sent } from './build-kills.testing.ts';
import { CONTEXT, drift, HORIZON, linear, seasonalNaive } from '../lib/onnx/models.testing.ts';
import { MIB } from '../../shared/product.ts';

const PLAYBOOKS = '/v1/orgs/local/playbooks';

/** Its request expires after 7 days. */
const FUNCTION = `description: Tickets by month.
dataset: { value: tickets }
period: month
context: ${CONTEXT}
horizon: ${HORIZON}
trainer: { inbox: forecasters }
activate: { coverage_within: 1 }
`;
/**
 * The stages that a kill hits, in groups. A journey is killed at most once in each group, so that no run is in progress at
 * three kills, after which it would be given up.
 */
export const STAGES = {
  dataset: ['dataset in part', 'dataset being stored', 'dataset stored'],
  start: ['run started', 'dataset assembled', 'trainer asked', 'rows being read'],
  candidate: ['candidate in part', 'candidate being tried', 'candidate being stored', 'candidate recorded'],
  answer: ['answer sent', 'answer recorded', 'first candidate being scored', 'next candidate being scored'],
  end: ['version numbered', 'build ended'],
  cancel: ['cancelled while waiting', 'cancelled while scoring', 'cancelled once numbered', 'cancelled'],
  activation: ['activation sent', 'activation recorded'],
  approval: ['approval asked', 'approval answered', 'version approved'],
  shadow: ['later dataset stored', 'shadow predicted', 'shadow graded', 'shadow passed'],
  expiry: ['request expires', 'request expired'],
} as const;
export type Group = keyof typeof STAGES;
export type Stage = (typeof STAGES)[Group][number];
/** Each of the others needs a build of its own. */
export const OF_FIRST_BUILD: readonly Group[] = ['dataset', 'start', 'candidate', 'answer', 'end'];
export const OF_OTHERS: readonly Group[] = ['cancel', 'activation', 'approval', 'shadow', 'expiry'];

/** Its versions are evaluated in the shadow and approved. */
const WATCHED = `${FUNCTION.replace('activate: {', 'activate: { beat: 0, approval: { interaction: approve },')}shadow: { periods: 1 }
`;
const APPROVE = `ask:
  to: boss
  message: Activate it?
  answer: { type: object, required: [approved], properties: { approved: { type: boolean } } }
`;
const EXPIRES_MS = 7 * 24 * 60 * 60 * 1000;

/** Values that repeat every five months, and notes that make the file 2.2 MiB long, so that it is stored in three pieces. */
function csvOf(journey: number, months = 60): Buffer {
  const lines = ['series,period,tickets,note'];
  for (const [number, series] of ['north', 'south', 'west'].entries()) {
    for (let at = 0; at < months; at += 1) {
      const label = `${2019 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`;
      const noise = ((at * 7919 + number * 104_729 + journey) % 101) / 100;
      lines.push(`${series},${label},${([10, 30, 50, 20, 40][at % 5] ?? 0) + noise},${'n'.repeat(12_800)}`);
    }
  }
  return Buffer.from(`${lines.join('\n')}\n`);
}

/** The same model with 2 MiB of documentation. */
function large(model: Uint8Array): Buffer {
  return Buffer.concat([model, Buffer.from([0x32, 0x80, 0x80, 0x80, 0x01]), Buffer.alloc(2 * MIB, 'a')]);
}

export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const BEST = large(seasonalNaive(5));
/** Better than the baselines, and worse than the best. */
const FAIR = Buffer.from(
  linear((from, step) => (from === CONTEXT - 5 + (step % 5) ? 0.8 : 0) + (from === CONTEXT - 1 ? 0.2 : 0), 0),
);
const MODELS = [BEST, Buffer.from(drift()), Buffer.from(seasonalNaive(4))];

/** An event of a run is recorded. */
function recorded(runId: string, type: string): Moment {
  const sql = 'SELECT COUNT(*) FROM events WHERE stream = ? AND type = ?';
  return (view) => view.count(sql, `run-${runId}`, type) > 0;
}

function numbered(runId: string): Moment {
  return (view) => view.count('SELECT COUNT(*) FROM model_versions WHERE run_id = ?', runId) > 0;
}

function triesModels(models: number): Moment {
  return (view) => view.modelProcesses() >= models;
}

const isStoring: Moment = (view) => view.count('SELECT COUNT(*) FROM unfinished_uploads') > 0;
const atOnce: Moment = () => true;
const whenDone: Moment = () => false;

/** What must be there at any time: the digests of files. */
export type Acknowledged = Set<string>;

/** One playbook with a dataset and builds. */
export interface Journey {
  /** The builds that were started. */
  runIds: readonly string[];
  /** @param plan the stages in which the server is killed */
  travel(): Promise<void>;
}

export function createJourney(
  service: KilledService,
  number: number,
  plan: Set<Stage>,
  acknowledged: Acknowledged,
): Journey {
  const runIds: string[] = [];
  const playbook = `journey-${number}`;
  const at = `${PLAYBOOKS}/${playbook}`;

  async function travel(): Promise<void> {
    await post(PLAYBOOKS, { playbook: playbook, name: playbook });
    await post(`${at}/definitions/interaction`, { name: 'approve', source: APPROVE });
    for (const [name, source] of Object.entries({ tickets: FUNCTION, watched: WATCHED })) {
      expect(await post(`${at}/definitions/prediction`, { name, source })).toMatchObject({ status: 201 });
    }
    await uploadDataset();
    await firstBuild();
    if (isPlanned('cancel')) await cancelledBuild();
    if (isPlanned('activation')) await activatedBuild();
    await checkBuildsToday();
    if (isPlanned('approval') || isPlanned('shadow')) await watchedBuilds();
    if (isPlanned('expiry')) await expiredBuild();
    expect([...plan]).toEqual([]);
  }

  function isPlanned(group: Group): boolean {
    return STAGES[group].some((stage) => plan.has(stage));
  }

  /** Where a kill is planned for the stage, the work is done up to the kill. It is to be repeated then. */
  async function killAt(stage: Stage, moment: Moment, work: () => Promise<unknown>, mostLooks?: number): Promise<void> {
    if (plan.delete(stage)) await service.killDuring(moment, work, mostLooks);
  }

  function post(route: string, body: object, sent: Sent = {}): Promise<Answer> {
    return service.send('POST', route, { ...sent, body: Buffer.from(JSON.stringify(body)) });
  }

  /** Calls back with the bytes of the request on their way. */
  async function killOnceSent(stage: Stage, work: (sent: Sent) => Promise<unknown>): Promise<void> {
    let isSent = false;
    const onSent = (): void => {
      isSent = true;
    };
    await killAt(
      stage,
      () => isSent,
      () => work({ onSent }),
    );
  }

  async function putDataset(body: Buffer, more: Pick<Sent, 'only' | 'onSent'> = {}): Promise<void> {
    const digest = digestOf(body);
    const sent = { type: 'text/csv', body, ...more };
    const { status } = await service.send('PUT', `${at}/datasets/${digest}`, sent);
    expect([200, 201]).toContain(status);
    acknowledged.add(digest);
  }

  async function uploadDataset(): Promise<void> {
    const upload = (): Promise<void> => putDataset(csvOf(number));
    await killOnceSent('dataset in part', ({ onSent }) =>
      putDataset(csvOf(number), { only: 1.5 * MIB, ...(onSent && { onSent }) }),
    );
    await killAt('dataset being stored', isStoring, upload);
    await killAt('dataset stored', whenDone, upload);
    await upload();
  }

  /** Starts a build under its run id; one whose start a kill interrupted is attempted again. */
  async function startBuild(name = 'tickets'): Promise<string> {
    const runId = randomUUID();
    runIds.push(runId);
    const start = async (): Promise<void> => {
      const route = `${at}/definitions/prediction/${name}/run`;
      const { body } = await post(route, { run_id: runId, input: { build: {} } });
      expect(body).toMatchObject({ run_id: runId, status: 'started' });
    };
    await killAt('run started', recorded(runId, 'run_started'), start);
    await killAt('dataset assembled', recorded(runId, 'dataset_assembled'), start);
    await killAt('trainer asked', recorded(runId, 'interaction_requested'), start);
    await start();
    return runId;
  }

  async function uploadModel(runId: string, model: Buffer, only?: number, onSent?: () => void): Promise<void> {
    const sent = { type: 'application/octet-stream', body: model, ...(only === undefined ? {} : { only }) };
    const route = `${at}/runs/${runId}/build/candidates`;
    const { status, body } = await service.send('POST', route, { ...sent, ...(onSent && { onSent }) });
    expect(status, JSON.stringify(body)).toBeOneOf([200, 201]);
    expect(body.candidate).toBe(digestOf(model));
    acknowledged.add(digestOf(model));
  }

  async function uploadAll(runId: string): Promise<void> {
    const upload = () => uploadModel(runId, BEST);
    await killOnceSent('candidate in part', ({ onSent }) => uploadModel(runId, BEST, MIB, onSent));
    await killAt('candidate being tried', triesModels(1), upload);
    await killAt('candidate being stored', isStoring, upload);
    await killAt('candidate recorded', recorded(runId, 'candidate_uploaded'), upload);
    for (const model of MODELS) await uploadModel(runId, model);
  }

  async function answer(runId: string, sent: Sent = {}, models = MODELS): Promise<void> {
    const candidates = models.map(digestOf);
    const { status, body } = await post(`${at}/runs/${runId}/answer`, { answer: { candidates } }, sent);
    expect(status, JSON.stringify(body)).toBe(200);
  }

  async function read(runId: string): Promise<Answer['body']> {
    return (await service.send('GET', `${at}/runs/${runId}`)).body;
  }

  async function ended(runId: string): Promise<Answer['body']> {
    for (;;) {
      const run = await read(runId);
      if (run.status !== 'started') return run;
    }
  }

  /** A build that is answered, with its output. */
  async function answeredBuild(): Promise<{ version: number; activated: boolean }> {
    const runId = await startBuild();
    const rows = () => service.send('GET', `${at}/runs/${runId}/build/rows`);
    await killAt('rows being read', atOnce, rows);
    expect(await rows()).toMatchObject({ status: 200 });
    await uploadAll(runId);

    await killOnceSent('answer sent', (sent) => answer(runId, sent));
    const work = async (): Promise<void> => {
      await answer(runId);
      await ended(runId);
    };
    await killAt('answer recorded', recorded(runId, 'request_answered'), work);
    await killAt('first candidate being scored', triesModels(1), work);
    await killAt('next candidate being scored', triesModels(2), work);
    await killAt('version numbered', numbered(runId), work);
    await killAt('build ended', recorded(runId, 'build_ended'), work);
    await work();
    const run = await read(runId);
    expect(run).toMatchObject({ status: 'succeeded', output: { candidate: digestOf(BEST) } });
    return run.output;
  }

  async function firstBuild(): Promise<void> {
    expect(await answeredBuild()).toMatchObject({ version: 1, activated: true });
  }

  async function cancelledBuild(): Promise<void> {
    const runId = await startBuild();
    await uploadAll(runId);
    if (plan.has('cancelled while scoring')) {
      await answer(runId);
      await service.waitFor(triesModels(1));
    }
    // A version that was given and is not recorded is the next build's.
    const score = async (): Promise<void> => {
      await answer(runId);
      await ended(runId);
    };
    await killAt('cancelled once numbered', numbered(runId), score, 0);
    const cancel = async (): Promise<void> => {
      const { status } = await post(`${at}/runs/${runId}/cancel`, {});
      // It may have ended meanwhile.
      expect([200, 409]).toContain(status);
      await ended(runId);
    };
    for (const stage of ['cancelled while waiting', 'cancelled while scoring'] as const) {
      await killAt(stage, recorded(runId, 'run_cancel_requested'), cancel);
    }
    await killAt('cancelled', recorded(runId, 'run_rejected'), cancel);
    await cancel();
    const run = await read(runId);
    if (run.status !== 'succeeded') expect(run).toMatchObject({ status: 'rejected', reason: 'cancelled' });
  }

  /** The same models again do not pass the gate: a caller activates the version. */
  async function activatedBuild(): Promise<void> {
    const { version, activated } = await answeredBuild();
    expect(activated).toBe(false);
    const activate = async (sent: Sent = {}): Promise<void> => {
      const route = `${at}/definitions/prediction/tickets/activate`;
      const { status, body } = await post(route, { version }, sent);
      if (status !== 200) expect(body).toMatchObject({ kind: 'already_active' });
    };
    await killOnceSent('activation sent', activate);
    const isActivated: Moment = (view) =>
      view.count(
        `SELECT COUNT(*) FROM active_versions WHERE playbook = ? AND name = 'tickets' AND version = ?`,
        playbook,
        String(version),
      ) > 0;
    await killAt('activation recorded', isActivated, activate);
    await activate();
    const { body } = await service.send('GET', `${at}/definitions/prediction/tickets`);
    expect(body.standing).toMatchObject({ active: { version, rule: 'caller' } });
  }

  /** Each build counts once, however often it was tried; unless the day changed on the way. */
  async function checkBuildsToday(): Promise<void> {
    const { body } = await service.send('GET', `${at}/definitions/prediction/tickets`);
    const { body: first } = await service.send('GET', `${at}/runs/${runIds[0]}`);
    if (first.started_at.slice(0, 10) !== new Date(service.now()).toISOString().slice(0, 10)) return;
    expect(body.standing).toMatchObject({ builds_today: runIds.length });
  }

  /** Two builds: the first version is approved, the second one is evaluated in the shadow before. */
  async function watchedBuilds(): Promise<void> {
    const build = async (model: Buffer): Promise<string> => {
      const runId = await startBuild('watched');
      await uploadModel(runId, model);
      await answer(runId, {}, [model]);
      expect(await ended(runId)).toMatchObject({ output: { activated: false } });
      return runId;
    };
    await approved(await build(FAIR), 1);

    const runId = await build(BEST);
    const predict = async (): Promise<void> => {
      await putDataset(csvOf(number, 61));
      await service.waitFor(recorded(runId, 'shadow_predicted'));
    };
    await killAt('later dataset stored', whenDone, () => putDataset(csvOf(number, 61)));
    await killAt('shadow predicted', recorded(runId, 'shadow_predicted'), predict);
    await predict();
    const grade = async (): Promise<void> => {
      await putDataset(csvOf(number, 62));
      await service.waitFor(recorded(runId, 'shadow_passed'));
    };
    await killAt('shadow graded', recorded(runId, 'shadow_graded'), grade);
    await killAt('shadow passed', recorded(runId, 'shadow_passed'), grade);
    await grade();
    await approved(runId, 2);
  }

  /** Answers the request for the approval of a version, and waits until it is active. */
  async function approved(runId: string, version: number): Promise<void> {
    const asked: Moment = (view) =>
      view.count(`SELECT COUNT(*) FROM requests WHERE playbook = ? AND name = 'approve'`, playbook) > 0;
    const approve = async (): Promise<void> => {
      const { body } = await service.send('GET', `${at}/interactions?function=approve`);
      const [request] = body.interactions;
      if (request !== undefined) await post(`${at}/runs/${request.run_id}/answer`, { answer: { approved: true } });
      await service.waitFor(recorded(runId, 'version_activated'));
    };
    await killAt('approval asked', asked, () => service.waitFor(asked));
    await service.waitFor((view) => asked(view) || recorded(runId, 'version_activated')(view));
    const isAnswered: Moment = (view) => !asked(view);
    await killAt('approval answered', isAnswered, approve);
    await killAt('version approved', recorded(runId, 'version_activated'), approve);
    await approve();
    const { body } = await service.send('GET', `${at}/definitions/prediction/watched`);
    expect(body.standing).toMatchObject({ active: { version, rule: 'approval' }, pending: null });
  }

  async function expiredBuild(): Promise<void> {
    const runId = await startBuild();
    service.turnClockOn(EXPIRES_MS);
    if (plan.has('request expired')) await service.restart();
    await killAt('request expires', atOnce, () => ended(runId));
    await killAt('request expired', recorded(runId, 'run_rejected'), () => ended(runId));
    expect(await ended(runId)).toMatchObject({ status: 'rejected', reason: 'unanswered', kind: 'expired' });
  }

  return { runIds, travel };
}
