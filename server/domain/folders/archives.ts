// A playbook as a zip archive: the same files as a folder, and the same changes as applying it.
import { sha256 } from '../../kernel/contents/index.ts';
import type { PlaybookKey } from '../../kernel/log/index.ts';
import { canonicalJson } from '../../lib/canonical-json.ts';
import type { Clock } from '../../lib/clock.ts';
import {
  type DigestedArchive,
  archivePieces,
  fileNameOf,
  readArchiveInWorker,
} from '../../lib/playbook-files/index.ts';
import { conflict, invalidInput, Refused, unavailable } from '../../lib/rejection.ts';
import { createSharedSlots } from '../../lib/shared-slots.ts';
import type { TextWork } from '../../lib/text-work/index.ts';
import type { UploadBody } from '../../operations/index.ts';
import type { FolderChanges, Folders } from './folders.ts';

export interface ImportChanges extends FolderChanges {
  /** The id in the archive, which may be another one than that of the playbook. */
  archived: string;
  /** The files that are not part of a playbook. */
  ignored: string[];
}

export interface Archives {
  /** A zip archive of the playbook's files, in pieces. */
  export(playbookKey: PlaybookKey): Promise<AsyncIterable<Uint8Array>>;
  /** Says what importing would change, checks the documents, and changes nothing. @throws Refused `invalid_input` */
  plan(playbookKey: PlaybookKey, body: UploadBody, by: string): Promise<ImportChanges>;
  /**
   * Imports the archive that was planned, all or nothing.
   * @throws Refused `conflict` if the archive is another one, or the playbook changed since
   */
  import(playbookKey: PlaybookKey, plan: string, body: UploadBody, by: string): Promise<ImportChanges>;
}

/** Each takes up to about 25 MB: the archive, its texts and their checked documents. */
const READ_AT_ONCE = 4;
const READ_OF_ONE = 2;
const BUSY_SECONDS = 10;

export interface ArchivesOptions {
  folders: Folders;
  textWork: Pick<TextWork, 'run'>;
  clock: Clock;
}

export function createArchives({ folders, textWork, clock }: ArchivesOptions): Archives {
  const reading = createSharedSlots({
    most: READ_AT_ONCE,
    mostOfOne: READ_OF_ONE,
    clock,
    refusal: () =>
      unavailable(`${READ_AT_ONCE} archives are being imported; try again in a moment.`, { retryAfter: BUSY_SECONDS }),
  });

  /** Receives the archive, and processes it once the caller has a slot. */
  async function reads<T>(
    playbookKey: PlaybookKey,
    body: UploadBody,
    by: string,
    work: (archive: DigestedArchive) => Promise<T>,
  ): Promise<T> {
    const received = await body.receive();
    return reading.hold(`${playbookKey.org} ${by}`, async () => {
      const pieces: Buffer[] = [];
      for await (const piece of received) pieces.push(piece);
      const archive = await readArchiveInWorker(textWork, Buffer.concat(pieces), playbookKey);
      if (archive.ok) return work(archive.archive);
      throw invalidInput(archive.faults.map((detail) => ({ pointer: '', detail })));
    });
  }

  async function apply(
    playbookKey: PlaybookKey,
    archive: DigestedArchive,
    options: { dryRun: boolean; plan?: string; by: string },
  ): Promise<FolderChanges> {
    try {
      return await folders.apply(playbookKey, archive, { plan: undefined, ...options, prune: false });
    } catch (error) {
      throw error instanceof Refused ? inFiles(error, archive) : error;
    }
  }

  /** The changes without a check of the documents. */
  function changesOf(playbookKey: PlaybookKey, archive: DigestedArchive, by: string): Promise<FolderChanges> {
    const definitions = archive.definitions.map(({ type, name, sha256: digest }) => ({ type, name, sha256: digest }));
    return folders.apply(playbookKey, { ...archive, definitions }, { dryRun: true, prune: false, plan: undefined, by });
  }

  return {
    async export(playbookKey) {
      const { definitions, ...manifest } = await folders.export(playbookKey);
      return archivePieces(manifest, definitions);
    },
    plan: (playbookKey, body, by) =>
      reads(playbookKey, body, by, async (archive) =>
        answerOf(archive, await apply(playbookKey, archive, { dryRun: true, by })),
      ),
    import: (playbookKey, plan, body, by) =>
      reads(playbookKey, body, by, async (archive) => {
        const planned = await changesOf(playbookKey, archive, by);
        if (planOf(archive, planned) !== plan) throw planIsOld(playbookKey);
        return answerOf(archive, await apply(playbookKey, archive, { dryRun: false, plan: planned.plan, by }));
      }),
  };
}

function answerOf(archive: DigestedArchive, changes: FolderChanges): ImportChanges {
  const { playbook: archived, ignored } = archive;
  return { ...changes, plan: planOf(archive, changes), archived, ignored };
}

/** Names the changes together with the contents: another archive that changes the same definitions is another plan. */
function planOf({ name, description, definitions }: DigestedArchive, { plan }: FolderChanges): string {
  const contents = definitions.map((one) => [one.type, one.name, one.sha256]);
  return sha256(canonicalJson([plan, name, description, contents]));
}

/** The refusal with the file of each definition instead of its index in a list. */
function inFiles(refused: Refused, { definitions }: DigestedArchive): Refused {
  const { rejection, problem, members } = refused;
  if (rejection.issues === undefined) return refused;
  const issues = rejection.issues.map((issue) => {
    const definition = definitions[Number(/^\/definitions\/(\d+)\//.exec(issue.pointer)?.[1] ?? -1)];
    return definition === undefined ? issue : { ...issue, pointer: `/${fileNameOf(definition)}` };
  });
  return new Refused({ ...rejection, issues }, { problem, members: { ...members } });
}

function planIsOld({ playbook }: PlaybookKey): Refused {
  return conflict(
    `The archive is not the one that was planned, or the playbook ${playbook} has changed since; nothing was imported. Plan the import again.`,
  );
}
