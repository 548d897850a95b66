// Model versions of a function: which one is active, and what it serves with.
import type { Fact } from '../../kinds/prediction/index.ts';
import type { EventLog, PlaybookKey, ReadTransaction, StoredEvent, WriteTransaction } from '../../kernel/log/index.ts';
import { conflict, notFound } from '../../lib/rejection.ts';
import { type DefinitionKey, requireActiveDefinition } from '../definitions/index.ts';
import { requireActivePlaybook } from '../playbooks/index.ts';
import { attemptOf, metadataOf, requireRun, type RunRow, streamOf } from '../runs/index.ts';
import {
  type ActiveRow,
  allocateVersion,
  type FunctionKey,
  passVersionOn,
  selectActive,
  selectBuild,
  selectUnbuilt,
  selectVersion,
} from './models-sql.ts';
import type { VersionDetails } from './specs.ts';

export interface ActiveVersion extends ActiveRow {
  candidate: string;
  details: VersionDetails;
}

/** A version whose build has recorded it. */
export interface BuiltVersion {
  version: number;
  candidate: string;
  details: VersionDetails;
  /** The dataset that it was built with. */
  dataset: string;
  build: RunRow;
}

export interface Activation {
  function: string;
  version: number;
  rule: ActiveRow['rule'];
  activated_at: string;
}

export interface Versions {
  active(tx: ReadTransaction, key: FunctionKey): Promise<ActiveVersion | undefined>;
  built(tx: ReadTransaction, key: FunctionKey, version: number): Promise<BuiltVersion | undefined>;
  /** Gives a build its version; the same build again gets the same. */
  allocate(
    playbookKey: PlaybookKey,
    build: { name: string; runId: string; candidate: string; details: VersionDetails },
  ): Promise<number>;
  /** Records what becomes of a version, as part of the history of its build. @param cause the start of the build if absent */
  record(
    tx: WriteTransaction,
    build: RunRow,
    facts: readonly Fact[],
    from: { by: string; cause?: string | undefined },
  ): Promise<StoredEvent[]>;
  /** @throws Refused `not_found`, or `conflict` kind `already_active` */
  activate(key: Omit<DefinitionKey, 'type'>, version: number, by: string): Promise<Activation>;
}

export interface VersionsOptions {
  log: EventLog;
  /** Called in the transaction in which a caller activates a version. */
  activated: (tx: WriteTransaction, key: FunctionKey) => Promise<void>;
}

export function createVersions({ log, activated }: VersionsOptions): Versions {
  const record: Versions['record'] = (tx, build, facts, { by, cause = build.attempt_event_id }) =>
    log.append(tx, {
      org: build.org,
      playbook: build.playbook,
      stream: streamOf(build.run_id),
      events: facts.map((fact) => ({
        ...fact,
        metadata: { ...metadataOf(attemptOf(build, by)), causation_id: cause },
      })),
    });

  /** A version whose build ended before it recorded it, so that versions have no gaps. */
  async function freeVersion(tx: ReadTransaction, key: FunctionKey, runId: string): Promise<number | undefined> {
    const unbuilt = await selectUnbuilt(tx, key);
    if (unbuilt.some(({ run_id }) => run_id === runId)) return undefined;
    for (const { version, run_id } of unbuilt) {
      const { status } = await requireRun(tx, key, run_id);
      if (status !== 'started') return version;
    }
    return undefined;
  }

  return {
    async active(tx, key) {
      const active = await selectActive(tx, key);
      if (active === undefined) return undefined;
      const version = await selectVersion(tx, key, active.version);
      if (version === undefined) throw new Error(`The version ${active.version} of prediction/${key.name} is missing.`);
      return { ...active, candidate: version.candidate, details: JSON.parse(version.details) as VersionDetails };
    },
    async built(tx, key, version) {
      const row = await selectVersion(tx, key, version);
      if (row === undefined) return undefined;
      const { run_id: runId, candidate } = row;
      const dataset = (await selectBuild(tx, { ...key, runId }))?.dataset ?? '';
      const details = JSON.parse(row.details) as VersionDetails;
      return { version, candidate, details, dataset, build: await requireRun(tx, key, runId) };
    },
    allocate: ({ org, playbook }, { name, runId, candidate, details }) =>
      log.write({ org, playbook }, async (tx) => {
        const key = { org, playbook, name };
        const given = { run_id: runId, candidate, details: JSON.stringify(details) };
        const version = await freeVersion(tx, key, runId);
        if (version === undefined) return allocateVersion(tx, key, given);
        await passVersionOn(tx, key, { version, ...given });
        return version;
      }),
    record,
    activate: (key, version, by) =>
      log.write(key, async (tx) => {
        await requireActivePlaybook(tx, key);
        await requireActiveDefinition(tx, { ...key, type: 'prediction' });
        const built = await selectVersion(tx, key, version);
        if (built === undefined) throw notFound(`prediction/${key.name} has built no version ${version}.`);
        if ((await selectActive(tx, key))?.version === version) {
          throw conflict(`Version ${version} of prediction/${key.name} is active already.`, 'already_active');
        }
        const data = { function: key.name, version, rule: 'caller' };
        const build = await requireRun(tx, key, built.run_id);
        const [event] = await record(tx, build, [{ type: 'version_activated', data }], { by });
        if (event === undefined) throw new Error('An append answered without its event.');
        await activated(tx, key);
        return { function: key.name, version, rule: 'caller', activated_at: event.metadata.at };
      }),
  };
}
