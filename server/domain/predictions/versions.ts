// Model versions of a function: which one is active, and what it serves with.
import type { EventLog, PlaybookKey, ReadTransaction, WriteTransaction } from '../../kernel/log/index.ts';
import { conflict, notFound } from '../../lib/rejection.ts';
import { type DefinitionKey, requireActiveDefinition } from '../definitions/index.ts';
import { requireActivePlaybook } from '../playbooks/index.ts';
import { attemptOf, metadataOf, requireRun, streamOf } from '../runs/index.ts';
import { type ActiveRow, allocateVersion, type FunctionKey, selectActive, selectVersion } from './models-sql.ts';
import type { VersionDetails } from './specs.ts';

export interface ActiveVersion extends ActiveRow {
  candidate: string;
  details: VersionDetails;
}

export interface Activation {
  function: string;
  version: number;
  rule: ActiveRow['rule'];
  activated_at: string;
}

export interface Versions {
  active(tx: ReadTransaction, key: FunctionKey): Promise<ActiveVersion | undefined>;
  /** Gives a build its version; the same build again gets the same. */
  allocate(
    place: PlaybookKey,
    build: { name: string; runId: string; candidate: string; details: VersionDetails },
  ): Promise<number>;
  /** @throws Refused `not_found`, or `conflict` kind `already_active` */
  activate(key: Omit<DefinitionKey, 'type'>, version: number, by: string): Promise<Activation>;
}

export function createVersions(log: EventLog): Versions {
  async function record(tx: WriteTransaction, key: FunctionKey, version: number, runId: string, by: string) {
    // It is part of the history of the build that made the version.
    const row = await requireRun(tx, key, runId);
    const [event] = await log.append(tx, {
      org: key.org,
      playbook: key.playbook,
      stream: streamOf(runId),
      events: [
        {
          type: 'version_activated',
          data: { function: key.name, version, rule: 'caller' },
          metadata: { ...metadataOf(attemptOf(row, by)), causation_id: row.attempt_event_id },
        },
      ],
    });
    if (event === undefined) throw new Error('An append answered without its event.');
    return event;
  }

  return {
    async active(tx, key) {
      const active = await selectActive(tx, key);
      if (active === undefined) return undefined;
      const version = await selectVersion(tx, key, active.version);
      if (version === undefined) throw new Error(`The version ${active.version} of prediction/${key.name} is missing.`);
      return { ...active, candidate: version.candidate, details: JSON.parse(version.details) as VersionDetails };
    },
    allocate: ({ org, playbook }, { name, runId, candidate, details }) =>
      log.write({ org, playbook }, (tx) =>
        allocateVersion(tx, { org, playbook, name }, { run_id: runId, candidate, details: JSON.stringify(details) }),
      ),
    activate: (key, version, by) =>
      log.write(key, async (tx) => {
        await requireActivePlaybook(tx, key);
        await requireActiveDefinition(tx, { ...key, type: 'prediction' });
        const built = await selectVersion(tx, key, version);
        if (built === undefined) throw notFound(`prediction/${key.name} has built no version ${version}.`);
        if ((await selectActive(tx, key))?.version === version) {
          throw conflict(`Version ${version} of prediction/${key.name} is active already.`, 'already_active');
        }
        const event = await record(tx, key, version, built.run_id, by);
        return { function: key.name, version, rule: 'caller', activated_at: event.metadata.at };
      }),
  };
}
