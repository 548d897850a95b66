// Candidates of builds: ONNX models that a trainer uploads, tried before they are kept.
import { createHash } from 'node:crypto';
import { LIMITS } from '../../../shared/limits.ts';
import { signatureOf } from '../../lib/forecast/index.ts';
import { yieldToEventLoop } from '../../lib/event-loop.ts';
import type { ModelRunner } from '../../lib/onnx/index.ts';
import { invalidInput } from '../../lib/rejection.ts';
import type { EventLog, PlaybookKey, WriteTransaction } from '../../kernel/log/index.ts';
import type { UploadBody, Uploaded } from '../../operations/index.ts';
import { attemptOf, metadataOf, streamOf } from '../runs/index.ts';
import type { Builds, OpenBuild } from './builds.ts';
import { type CandidateRow, insertModelFile, selectCandidates, selectModelFile } from './models-sql.ts';
import type { Pieces } from './pieces.ts';
import { specOf } from './specs.ts';

export interface Candidates {
  /** @throws Refused as the builds do; `invalid_input` at the body for a model that is not accepted */
  upload(place: PlaybookKey, runId: string, body: UploadBody, by: string): Promise<Uploaded<CandidateRow>>;
  /** The file of a model that was uploaded to the playbook. */
  read(place: PlaybookKey, candidate: string): Promise<Buffer>;
}

export interface CandidatesOptions {
  log: EventLog;
  pieces: Pieces;
  builds: Builds;
  models: Pick<ModelRunner, 'tryUpload'>;
}

/** Windows of real data that a candidate is tried with. */
const SAMPLES = 3;

export function createCandidates({ log, pieces, builds, models }: CandidatesOptions): Candidates {
  /** Loads the model and runs it. */
  async function attempt(build: OpenBuild, model: Buffer) {
    const panel = await builds.panelOf(build);
    const count = Math.min(SAMPLES, panel.facts.windowRows);
    const samples = count === 0 ? undefined : await panel.windows({ from: 0, count });
    return models.tryUpload(model, signatureOf(specOf(build.prediction)), samples);
  }

  async function record(tx: WriteTransaction, build: OpenBuild, by: string, type: string, data: CandidateData) {
    const row = await builds.requireOpenIn(tx, build, build.runId);
    await log.append(tx, {
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

  /** Keeps the file, unless the playbook has it, in the transaction that records the candidate. */
  async function keep(build: OpenBuild, model: Buffer, row: CandidateRow, by: string): Promise<Uploaded<CandidateRow>> {
    const writer = pieces.begin(build);
    try {
      await writer.add(model);
      await writer.flush();
      const kept = await log.write(build, async (tx) => {
        const there = await selectCandidates(tx, build);
        const known = there.find(({ candidate }) => candidate === row.candidate);
        if (known !== undefined) return { isNew: false, answer: known, isStored: false };
        refuseMore(there);
        const isStored = (await selectModelFile(tx, build, row.candidate)) === undefined;
        if (isStored) {
          await insertModelFile(tx, build, { candidate: row.candidate, upload: writer.upload });
          await writer.finish(tx);
        }
        await record(tx, build, by, 'candidate_uploaded', row);
        return { isNew: true, answer: row, isStored };
      });
      if (!kept.isStored) await pieces.remove(writer);
      return { isNew: kept.isNew, answer: kept.answer };
    } catch (error) {
      // What cannot be removed now is removed at the next start.
      await pieces.remove(writer).catch(() => {});
      throw error;
    }
  }

  return {
    async upload(place, runId, body, by) {
      const build = await builds.requireOpen(place, runId);
      const hash = createHash('sha256');
      const model = await readWhole(body, (part) => hash.update(part));
      const candidate = hash.digest('hex');
      const there = await log.read((tx) => selectCandidates(tx, build));
      const known = there.find((one) => one.candidate === candidate);
      if (known !== undefined) return { isNew: false, answer: known };
      refuseMore(there);
      const { fault, value: facts } = await attempt(build, model);
      if (fault !== undefined) {
        const { kind: because, detail } = fault;
        await log.write(build, (tx) => record(tx, build, by, 'candidate_refused', { candidate, because, detail }));
        throw invalidInput([{ pointer: '', detail }]);
      }
      return keep(build, model, { candidate, bytes: model.length, opset: facts.opset }, by);
    },
    async read({ org, playbook }, candidate) {
      const upload = await log.read((tx) => selectModelFile(tx, { org, playbook }, candidate));
      if (upload === undefined) throw new Error(`The model ${candidate} is missing.`);
      return readWhole(pieces.read({ org, playbook, upload }));
    },
  };
}

type CandidateData = CandidateRow | { candidate: string; because: string; detail: string };

function refuseMore(there: readonly CandidateRow[]): void {
  if (there.length < LIMITS.candidates) return;
  const detail = `The build has ${LIMITS.candidates} candidates, which is the limit; answer with the best of them.`;
  throw invalidInput([{ pointer: '', detail }]);
}

/** A model is tried whole. Its parts are joined one by one, so that a large one does not hold up the thread. */
async function readWhole(body: AsyncIterable<Buffer>, onPart: (part: Buffer) => void = () => {}): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of body) {
    onPart(part);
    parts.push(part);
  }
  const whole = Buffer.allocUnsafeSlow(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    at += part.copy(whole, at);
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await yieldToEventLoop();
  }
  return whole;
}
