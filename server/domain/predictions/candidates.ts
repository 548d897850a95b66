// Candidates of builds: ONNX models that a trainer uploads. A model is received whole, tried, and only then stored.
import { LIMITS } from '../../../shared/limits.ts';
import { signatureOf } from '../../lib/forecast/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { yieldToEventLoop } from '../../lib/event-loop.ts';
import { type Fault, type ModelRunner, modelsAreBusy } from '../../lib/onnx/index.ts';
import { invalidInput, type Refused } from '../../lib/rejection.ts';
import { createSharedSlots, type SharedSlots } from '../../lib/shared-slots.ts';
import type { EventLog, PlaybookKey, ReadTransaction, WriteTransaction } from '../../kernel/log/index.ts';
import type { ReceivedBody, UploadBody, Uploaded } from '../../operations/index.ts';
import { attemptOf, metadataOf, streamOf } from '../runs/index.ts';
import type { Builds, OpenBuild } from './builds.ts';
import { type CandidateRow, insertModelFile, selectCandidates, selectModelFile, selectRefusals } from './models-sql.ts';
import type { Pieces, PieceWriter } from './pieces.ts';
import { specOf } from './specs.ts';

export interface CandidatesOptions {
  log: EventLog;
  clock: Clock;
  pieces: Pieces;
  builds: Builds;
  models: Pick<ModelRunner, 'tryUpload'>;
}

/** As many as there are processes that try models; a caller uses one of them. */
const TRIED_AT_ONCE = 2;
/** Refused candidates that a build records. Later ones are only reported to the trainer. */
const MOST_REFUSALS = 32;
/** Windows of real data that a candidate is tried with. */
const SAMPLES = 3;

export class Candidates {
  readonly #options: CandidatesOptions;
  readonly #trials: SharedSlots;

  constructor(options: CandidatesOptions) {
    this.#options = options;
    this.#trials = createSharedSlots({
      most: TRIED_AT_ONCE,
      mostOfOne: 1,
      clock: options.clock,
      refusal: modelsAreBusy,
    });
  }

  /** @throws Refused like the operations of builds; `invalid_input` at the body for a model that is not accepted */
  async upload(playbookKey: PlaybookKey, runId: string, body: UploadBody, by: string): Promise<Uploaded<CandidateRow>> {
    const build = await this.#options.builds.requireOpen(playbookKey, runId);
    const received = await body.receive();
    const { sha256: candidate, bytes } = received;
    const known = await this.#options.log.read((tx) => this.#knownIn(tx, build, candidate));
    if (known !== undefined) return { isNew: false, answer: known };
    const { fault, value: facts } = await this.#trials.hold(`${playbookKey.org} ${by}`, () =>
      this.#attempt(build, received),
    );
    if (fault !== undefined) throw await this.#refuse(build, candidate, fault, by);
    return this.#store(build, received, { candidate, bytes, opset: facts.opset }, by);
  }

  /** The file of a model that was uploaded to the playbook. */
  async read({ org, playbook }: PlaybookKey, candidate: string): Promise<Buffer> {
    const upload = await this.#options.log.read((tx) => selectModelFile(tx, { org, playbook }, candidate));
    if (upload === undefined) throw new Error(`The model ${candidate} is missing.`);
    return readWhole(this.#options.pieces.read({ org, playbook, upload }));
  }

  /** Loads the model and runs it. */
  async #attempt(build: OpenBuild, body: ReceivedBody) {
    const panel = await this.#options.builds.panelOf(build);
    const count = Math.min(SAMPLES, panel.facts.windowRows);
    const samples = count === 0 ? undefined : await panel.windows({ from: 0, count });
    return this.#options.models.tryUpload(() => readWhole(body), signatureOf(specOf(build.prediction)), samples);
  }

  async #record(tx: WriteTransaction, build: OpenBuild, by: string, type: string, data: CandidateData) {
    const row = await this.#options.builds.requireOpenIn(tx, build, build.runId);
    await this.#options.log.append(tx, {
      org: build.org,
      playbook: build.playbook,
      stream: streamOf(build.runId),
      events: [
        {
          type,
          data: { ...data },
          metadata: { ...metadataOf(attemptOf(row, by)), causation_id: row.attempt_event_id },
        },
      ],
    });
  }

  /**
   * The same model, where it was uploaded to the build before.
   * @throws Refused as the builds do, and where another one is too many
   */
  async #knownIn(tx: ReadTransaction, build: OpenBuild, candidate: string): Promise<CandidateRow | undefined> {
    await this.#options.builds.requireOpenIn(tx, build, build.runId);
    const there = await selectCandidates(tx, build);
    const known = there.find((one) => one.candidate === candidate);
    if (known !== undefined || there.length < LIMITS.candidates) return known;
    const detail = `The build has ${LIMITS.candidates} candidates, which is the limit; answer with the best of them.`;
    throw invalidInput([{ pointer: '', detail }]);
  }

  /** Keeps the file, unless the playbook has it, in the transaction that records the candidate. */
  #keep(build: OpenBuild, writer: PieceWriter, row: CandidateRow, by: string): Promise<Kept> {
    return this.#options.log.write(build, async (tx) => {
      const known = await this.#knownIn(tx, build, row.candidate);
      if (known !== undefined) return { isNew: false, answer: known, isStored: false };
      const isStored = (await selectModelFile(tx, build, row.candidate)) === undefined;
      if (isStored) {
        await insertModelFile(tx, build, { candidate: row.candidate, upload: writer.upload });
        await writer.finish(tx);
      }
      await this.#record(tx, build, by, 'candidate_uploaded', row);
      return { isNew: true, answer: row, isStored };
    });
  }

  /** Stores a model that was accepted. */
  async #store(build: OpenBuild, body: ReceivedBody, row: CandidateRow, by: string): Promise<Uploaded<CandidateRow>> {
    const writer = this.#options.pieces.begin(build);
    try {
      for await (const part of body) await writer.add(part);
      await writer.flush();
      const { isStored, ...uploaded } = await this.#keep(build, writer, row, by);
      if (!isStored) await this.#options.pieces.remove(writer);
      return uploaded;
    } catch (error) {
      // What cannot be removed now is removed at the next start.
      await this.#options.pieces.remove(writer).catch(() => {});
      throw error;
    }
  }

  async #refuse(build: OpenBuild, candidate: string, { kind, detail }: Fault, by: string): Promise<Refused> {
    await this.#options.log.write(build, async (tx) => {
      if ((await selectRefusals(tx, build)) >= MOST_REFUSALS) return;
      await this.#record(tx, build, by, 'candidate_refused', { candidate, because: kind, detail });
    });
    return invalidInput([{ pointer: '', detail }]);
  }
}

interface Kept extends Uploaded<CandidateRow> {
  /** Whether the pieces of the upload are the model's file from now on. */
  isStored: boolean;
}

type CandidateData = CandidateRow | { candidate: string; because: string; detail: string };

/** A model is tried whole. Its parts are joined one by one, so that a large one does not hold up the thread. */
async function readWhole(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of body) parts.push(part);
  const whole = Buffer.allocUnsafeSlow(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    at += part.copy(whole, at);
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await yieldToEventLoop();
  }
  return whole;
}
