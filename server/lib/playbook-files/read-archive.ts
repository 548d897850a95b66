import { type TextWork, textJob } from '../text-work/index.ts';
import type { PlaybookRef } from '../worker-pool/index.ts';
import type { ArchiveReading, readArchiveJob } from './read-archive.job.ts';

const READ_ARCHIVE = textJob<typeof readArchiveJob>({
  module: new URL('./read-archive.job.ts', import.meta.url),
  name: 'readArchiveJob',
  deadlineMs: 10_000,
});

/**
 * Reads an archive as `readArchive` does, in a worker.
 * @param playbookKey the playbook that it runs for
 * @throws Refused `unavailable` when no worker is free in time
 */
export async function readArchiveInWorker(
  textWork: Pick<TextWork, 'run'>,
  bytes: Uint8Array,
  playbookKey: PlaybookRef,
): Promise<ArchiveReading> {
  const reading = await textWork.run(READ_ARCHIVE, { bytes }, playbookKey);
  if (reading !== 'unfinished') return reading;
  return { ok: false, faults: ['Reading the archive takes too long; make it smaller.'] };
}
