// Databases for cases: one with the surroundings, copied for each case, and copied again for each way to carry it out.
import { copyFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createFakeClock } from '../../lib/clock.ts';
import type { Definition } from './document.testing.ts';
import type { Parts } from './parts.testing.ts';
import { type ServiceProcess, startProcess } from './process.testing.ts';
import { PLACE } from './callers.testing.ts';

/** Has the service do something that nothing disturbs; closes it. */
export async function undisturbed<T>(
  parts: Parts,
  file: string,
  work: (service: ServiceProcess) => Promise<T>,
): Promise<T> {
  const errors: unknown[] = [];
  const service = startProcess({
    file,
    clock: createFakeClock(),
    parts,
    watch: { carriedOut: () => {}, performed: () => {} },
    comesAgain: () => undefined,
    onTask: () => {},
    onError: (error) => errors.push(error),
  });
  let isDone = false;
  const worked = work(service).finally(() => {
    isDone = true;
  });
  try {
    worked.catch(() => {});
    while (!isDone) if ((await service.settle()) > 0) await service.commit(0, false);
    const done = await worked;
    if (errors.length > 0) throw errors[0];
    return done;
  } finally {
    await service.kill();
  }
}

export function save(parts: Parts, file: string, definitions: readonly Definition[]): Promise<void> {
  return undisturbed(parts, file, async (service) => {
    for (const { type, name, source } of definitions) {
      await service.definitions.create({ ...PLACE, type, name }, source, 'developer');
    }
  });
}

export function createPlaybook(parts: Parts, file: string): Promise<unknown> {
  return undisturbed(parts, file, ({ playbooks }) =>
    playbooks.create(PLACE, { name: 'Desk', description: '' }, 'developer'),
  );
}

export function copyOf(file: string, name: string): string {
  const copy = path.join(path.dirname(file), name);
  rmDatabase(copy);
  copyFileSync(file, copy);
  return copy;
}

function rmDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '.lock', '.acknowledged']) rmSync(`${file}${suffix}`, { force: true });
}
