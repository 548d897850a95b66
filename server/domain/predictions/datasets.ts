// Datasets of a playbook: CSV files that are checked as they stream in, and kept by their SHA-256. An upload is not an
// event: a build records what it takes from a dataset.
import type { Dataset } from '../../../shared/schemas/index.ts';
import { columnsOf, type PredictionFunction } from '../../kinds/prediction/index.ts';
import { type Clock, isoTime } from '../../lib/clock.ts';
import {
  columnIndex,
  type DatasetSummary,
  type Forecaster,
  type ForecastSpec,
  type Panel,
  type PanelCalls,
} from '../../lib/forecast/index.ts';
import { invalidInput, unavailable } from '../../lib/rejection.ts';
import { createSharedSlots } from '../../lib/shared-slots.ts';
import type { EventLog, PlaybookKey, ReadTransaction, WriteTransaction } from '../../kernel/log/index.ts';
import type { ReceivedBody, UploadBody, Uploaded } from '../../operations/index.ts';
import { requireActivePlaybook } from '../playbooks/index.ts';
import type { Pieces } from './pieces.ts';
import { type DatasetRow, insertDataset, selectDataset, selectDatasets } from './sql.ts';

/** A dataset and when it was stored. */
export type StoredDataset = Dataset & { at: string };

export interface DatasetFit {
  dataset: Dataset;
  hasPeriod: boolean;
  /** The first column that is missing. */
  missing?: string;
}

export interface Datasets {
  /**
   * Stores a file under its digest, once. The same file again changes nothing.
   * @throws Refused `invalid_input` with the line at which the file is wrong, or when its digest is another one
   */
  upload(playbookKey: PlaybookKey, digest: string, body: UploadBody, by: string): Promise<Uploaded<Dataset>>;
  /** The dataset of this digest; undefined where the playbook has none. */
  get(tx: ReadTransaction, playbookKey: PlaybookKey, digest: string): Promise<Dataset | undefined>;
  /** The same, and what of a function's period and columns it lacks. */
  fitOf(
    tx: ReadTransaction,
    playbookKey: PlaybookKey,
    prediction: PredictionFunction,
    digest: string,
  ): Promise<DatasetFit | undefined>;
  /**
   * Opens a dataset for a function.
   * @throws Refused `invalid_input` at the body where it does not fit
   */
  open(playbookKey: PlaybookKey, digest: string, spec: ForecastSpec, signal?: AbortSignal): Promise<Panel>;
  /** The same without opening it: its first call throws what `open` does. */
  at(playbookKey: PlaybookKey, digest: string, spec: ForecastSpec): Promise<PanelCalls>;
  /**
   * The newest dataset of a function: it has the function's columns and period. What it says of values is about the column
   * that the function forecasts.
   */
  newestOf(tx: ReadTransaction, playbookKey: PlaybookKey, prediction: PredictionFunction): Promise<Dataset | undefined>;
  /** The datasets of a function that were stored after this one, oldest first. */
  later(
    tx: ReadTransaction,
    playbookKey: PlaybookKey,
    prediction: PredictionFunction,
    digest: string,
  ): Promise<StoredDataset[]>;
}

export interface DatasetsOptions {
  log: EventLog;
  clock: Clock;
  pieces: Pieces;
  forecaster: Pick<Forecaster, 'inspect' | 'open' | 'at'>;
  /** Called in the transaction that stores a new dataset. */
  stored: (tx: WriteTransaction, playbookKey: PlaybookKey) => Promise<void>;
}

/** Uploads that are read at once. Each takes up to about 70 MB, for what is known of the rows before the last one arrives. */
const READ_AT_ONCE = 8;
const READ_OF_ONE = 4;
const BUSY_SECONDS = 10;

export function createDatasets({ log, clock, pieces, forecaster, stored: onStored }: DatasetsOptions): Datasets {
  const reading = createSharedSlots({
    most: READ_AT_ONCE,
    mostOfOne: READ_OF_ONE,
    clock,
    refusal: () =>
      unavailable(`${READ_AT_ONCE} datasets are being read; try again in a moment.`, { retryAfter: BUSY_SECONDS }),
  });

  async function store(playbookKey: PlaybookKey, body: ReceivedBody, by: string): Promise<Uploaded<Dataset>> {
    const writer = pieces.begin(playbookKey);
    try {
      const summary = await forecaster.inspect(passedTo(body, (bytes) => writer.add(bytes)));
      await writer.flush();
      const digest = body.sha256;
      const kept: KeptSummary = { dataset: digest, bytes: body.bytes, ...summary };
      const row = { dataset: digest, upload: writer.upload, summary: JSON.stringify(kept) };
      const stored = await log.write(playbookKey, async (tx) => {
        await requireActivePlaybook(tx, playbookKey);
        // The same file may have been uploaded twice at a time.
        const there = await selectDataset(tx, playbookKey, digest);
        if (there !== undefined) return there;
        await insertDataset(tx, playbookKey, row, { at: isoTime(clock.now()), by });
        await writer.finish(tx);
        await onStored(tx, playbookKey);
        return row;
      });
      const isNew = stored.upload === writer.upload;
      if (!isNew) await pieces.remove(writer);
      return { isNew, answer: datasetOf(stored) };
    } catch (error) {
      // What cannot be removed now is removed at the next start.
      await pieces.remove(writer).catch(() => {});
      throw error;
    }
  }

  async function readerOf({ org, playbook }: PlaybookKey, digest: string): Promise<() => AsyncGenerator<Buffer>> {
    const row = await log.read((tx) => selectDataset(tx, { org, playbook }, digest));
    if (row === undefined) throw new Error(`The dataset ${digest} is missing.`);
    return () => pieces.read({ org, playbook, upload: row.upload });
  }

  return {
    async upload(playbookKey, digest, body, by) {
      const received = await body.receive();
      refuseOtherDigest(received, digest);
      const known = await log.read((tx) => selectDataset(tx, playbookKey, digest));
      if (known !== undefined) return { isNew: false, answer: datasetOf(known) };
      return reading.hold(`${playbookKey.org} ${by}`, () => store(playbookKey, received, by));
    },
    async get(tx, playbookKey, digest) {
      const row = await selectDataset(tx, playbookKey, digest);
      return row && datasetOf(row);
    },
    async fitOf(tx, playbookKey, prediction, digest) {
      const row = await selectDataset(tx, playbookKey, digest);
      return row && { dataset: datasetOf(row, prediction.dataset.value), ...fitOf(prediction, row) };
    },
    async open(playbookKey, digest, spec, signal) {
      return forecaster.open(digest, spec, await readerOf(playbookKey, digest), signal === undefined ? {} : { signal });
    },
    async at(playbookKey, digest, spec) {
      return forecaster.at(digest, spec, await readerOf(playbookKey, digest));
    },
    async newestOf(tx, playbookKey, prediction) {
      for await (const { stored, fits } of newestFirst(tx, playbookKey, prediction)) if (fits) return stored;
      return undefined;
    },
    async later(tx, playbookKey, prediction, digest) {
      const found: StoredDataset[] = [];
      for await (const { stored, fits } of newestFirst(tx, playbookKey, prediction)) {
        if (stored.dataset === digest) return found.toReversed();
        if (fits) found.push(stored);
      }
      return [];
    },
  };
}

/** All datasets of a playbook, as a function sees them: `first`, `last` and `missing` describe its value. */
async function* newestFirst(
  tx: ReadTransaction,
  playbookKey: PlaybookKey,
  prediction: PredictionFunction,
): AsyncGenerator<{ stored: StoredDataset; fits: boolean }> {
  for (let before: number | undefined; ; ) {
    // oxlint-disable-next-line no-await-in-loop -- mostly the first ones are enough
    const rows = await selectDatasets(tx, playbookKey, { before, limit: LOOKED_AT });
    for (const row of rows) {
      const stored = { ...datasetOf(row, prediction.dataset.value), at: row.at };
      const { hasPeriod, missing } = fitOf(prediction, row);
      yield { stored, fits: hasPeriod && missing === undefined };
    }
    before = rows.at(-1)?.number;
    if (before === undefined) return;
  }
}

function fitOf(prediction: PredictionFunction, row: Pick<DatasetRow, 'summary'>): Omit<DatasetFit, 'dataset'> {
  const { period, form, columns } = JSON.parse(row.summary) as KeptSummary;
  const missing = columnsOf(prediction).find((column) => columnIndex(columns, column) === -1);
  // Dates may stand for longer periods, or be the days that they look like.
  const hasPeriod = [period, form].includes(prediction.period);
  return { hasPeriod, ...(missing === undefined ? {} : { missing }) };
}

/** What is kept of a dataset; those of earlier versions have no `values`. */
type KeptSummary = Dataset & Partial<Pick<DatasetSummary, 'values' | 'form'>>;

/** How many datasets are read at once to find the newest of a function. */
const LOOKED_AT = 4;

/** @param value the column that `first`, `last` and `missing` describe; without it the first column of numbers */
function datasetOf({ summary }: Pick<DatasetRow, 'summary'>, value?: string): Dataset {
  const { values = {}, form: _form, ...dataset } = JSON.parse(summary) as KeptSummary;
  const names = Object.keys(values);
  const column = value === undefined ? undefined : names[columnIndex(names, value)];
  return { ...dataset, ...(column === undefined ? undefined : values[column]) };
}

function refuseOtherDigest({ sha256 }: ReceivedBody, digest: string): void {
  if (sha256 === digest) return;
  const detail = `The body has the SHA-256 ${sha256}, and the path names ${digest}; send the file whose digest is in the path.`;
  throw invalidInput([{ pointer: '/sha256', detail }]);
}

/** The bytes as they are read, each passed on before the next are read. */
async function* passedTo(body: AsyncIterable<Buffer>, take: (bytes: Buffer) => Promise<void>): AsyncGenerator<Buffer> {
  for await (const bytes of body) {
    await take(bytes);
    yield bytes;
  }
}
