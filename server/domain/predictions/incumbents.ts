// The version that a build's new one is compared with.
//
// 1. Builds of a function decide one after the other.
// 2. A build records that it activates its version when its run ends, which is after it has decided. Until then, the next
//    build is compared with that version, and not with the one that is still active.
// 3. A decision that another activation has overtaken is made again.
import type { EventLog } from '../../kernel/log/index.ts';
import { createSerial } from '../../lib/gate.ts';
import { requireRun } from '../runs/index.ts';
import type { BuildKey, FunctionKey } from './models-sql.ts';
import type { ActiveVersion, Versions } from './versions.ts';

/** A version that answers questions, or will as soon as its build has ended. */
export type Incumbent = Pick<ActiveVersion, 'version' | 'candidate' | 'details'>;

export interface Incumbents {
  /**
   * Decides on a version of a build.
   * @param decide is called with the version to compare with, if there is one; `activates` is what the build will activate
   */
  decide<Decision extends { activates: Incumbent | undefined }>(
    build: FunctionKey & BuildKey,
    decide: (incumbent: Incumbent | undefined) => Promise<Decision>,
  ): Promise<Decision>;
}

export function createIncumbents(log: EventLog, versions: Pick<Versions, 'active'>): Incumbents {
  const serially = createSerial();
  const activating = new Map<string, { build: BuildKey; version: Incumbent }>();

  async function find(key: string, build: FunctionKey & BuildKey): Promise<Incumbent | undefined> {
    const next = activating.get(key);
    const { active, isOpen } = await log.read(async (tx) => ({
      active: await versions.active(tx, build),
      isOpen: next !== undefined && (await requireRun(tx, next.build, next.build.runId)).ended_at === null,
    }));
    if (isOpen && next?.build.runId !== build.runId) return next?.version;
    activating.delete(key);
    return active;
  }

  return {
    decide(build, decide) {
      const key = JSON.stringify([build.org, build.playbook, build.name]);
      return serially(key, async () => {
        for (;;) {
          // oxlint-disable-next-line no-await-in-loop -- again where something else was activated meanwhile
          const incumbent = await find(key, build);
          // oxlint-disable-next-line no-await-in-loop -- the same
          const decision = await decide(incumbent);
          // oxlint-disable-next-line no-await-in-loop -- the same
          if ((await find(key, build))?.version !== incumbent?.version) continue;
          const { org, playbook, runId } = build;
          const version = decision.activates;
          if (version !== undefined) activating.set(key, { build: { org, playbook, runId }, version });
          return decision;
        }
      });
    },
  };
}
