// Shadow evaluations: a version that waits predicts beside the active one, and values that come later grade both.
//
// 1. A step ends with events, which are recorded together or not at all; a step that broke off is done again.
// 2. Predictions are made from the first dataset with later periods than the build's, and graded with the next ones,
//    each period with the values that came first. Where all of their periods are graded, new ones are made. Of datasets
//    that were there before the version waited, only the newest is used, to predict from.
// 3. Predictions are kept in blocks, one for each batch that a model is run on, each a commit of its own. They belong to a
//    version and a dataset, so that new ones leave those alone that are still to be graded.
// 4. One evaluation runs at a time, and one model of it: a model process stays free for builds.
import type { Logger } from 'pino';
import type { JsonObject } from '../../../shared/json.ts';
import type { Fact, PredictionFunction } from '../../kinds/prediction/index.ts';
import type { EventLog } from '../../kernel/log/index.ts';
import { type Calibration, isNoWorse, type Panel, serveForecasts, signatureOf } from '../../lib/forecast/index.ts';
import type { ModelRunner } from '../../lib/onnx/index.ts';
import { Refused } from '../../lib/rejection.ts';
import { createSerial } from '../../lib/gate.ts';
import type { Candidates } from './candidates.ts';
import type { Datasets } from './datasets.ts';
import type { FunctionKey } from './models-sql.ts';
import {
  deleteBlocks,
  type PendingVersion,
  type PredictionBlock,
  putActiveOutput,
  putBlock,
  selectBlock,
  type ShadowKey,
  type ShadowProgress,
} from './pending-sql.ts';
import { isFedAlike } from './specs.ts';
import type { ActiveVersion, BuiltVersion, Versions } from './versions.ts';

/** A version that waits for its shadow evaluation, with the function that it was built for. */
export interface Shadowed extends FunctionKey {
  pending: PendingVersion;
  built: BuiltVersion;
  prediction: PredictionFunction;
}

export interface ShadowStep {
  /** None where there is nothing to do before the next dataset. */
  facts: Fact[];
  /** The newest dataset that was looked at; undefined where none is later than what was used. */
  newest: string | undefined;
}

export interface ShadowsOptions {
  log: EventLog;
  datasets: Pick<Datasets, 'later' | 'open'>;
  candidates: Pick<Candidates, 'read'>;
  versions: Pick<Versions, 'active'>;
  models: Pick<ModelRunner, 'open'>;
  logger: Pick<Logger, 'warn'>;
}

/** How many blocks one commit removes at most. */
const REMOVED_AT_ONCE = 8;

/** A model that cannot predict. */
interface Disqualified {
  because: string;
  detail: string;
}

type Keep = (block: number, made: Omit<PredictionBlock, 'active_output'>) => Promise<void>;

interface Graded {
  periods: number;
  until: string;
  values: number;
  score: number | null;
  activeScore: number | null;
}

export class Shadows {
  readonly #options: ShadowsOptions;
  readonly #serially = createSerial();

  constructor(options: ShadowsOptions) {
    this.#options = options;
  }

  step(shadowed: Shadowed, signal: AbortSignal): Promise<ShadowStep> {
    return this.#serially('', () => this.#step(shadowed, signal));
  }

  /** Removes predictions that are no longer needed. */
  async clean(key: FunctionKey, pending: PendingVersion | undefined): Promise<void> {
    const from = pending?.for === 'shadow' ? pending.shadow?.from : undefined;
    const kept = pending && from && { version: pending.version, dataset: from.dataset };
    const cleanSome = (): Promise<number> =>
      this.#options.log.write(key, (tx) => deleteBlocks(tx, key, kept, REMOVED_AT_ONCE));
    while ((await cleanSome()) > 0);
  }

  /** The dataset as the version reads it; undefined where it does not fit. */
  async #open(shadowed: Shadowed, dataset: string, signal: AbortSignal): Promise<Panel | undefined> {
    const { org, playbook, name, built } = shadowed;
    try {
      return await this.#options.datasets.open({ org, playbook }, dataset, built.details.spec, signal);
    } catch (error) {
      if (!(error instanceof Refused) || error.rejection.reason !== 'invalid_input') throw error;
      const { detail } = error.rejection;
      this.#options.logger.warn(
        { org, playbook, name, dataset, detail },
        'A dataset does not fit a shadow evaluation.',
      );
      return undefined;
    }
  }

  /** Runs a model on the whole panel, block after block; what is wrong with it ends it. */
  async #predict(
    key: FunctionKey,
    { candidate, details }: Pick<BuiltVersion, 'candidate' | 'details'>,
    panel: Panel,
    keep: Keep,
    signal: AbortSignal,
  ): Promise<Disqualified | undefined> {
    const { spec, codes } = details;
    const model = await this.#options.candidates.read(key, candidate);
    const { fault, value: opened } = await this.#options.models.open(model, signatureOf(spec), signal);
    if (fault !== undefined) return { because: fault.kind, detail: fault.detail };
    try {
      const most = panel.facts.batchRows;
      for (let from = 0; from < panel.facts.latestRows; from += most) {
        const count = Math.min(most, panel.facts.latestRows - from);
        const { series, levels, ...batch } = await panel.latest({ from, count, codes }, { signal });
        const ran = await opened.run(batch);
        if (ran.fault !== undefined) return { because: ran.fault.kind, detail: ran.fault.detail };
        const scales = Float64Array.from(levels.flatMap(({ mean, scale }) => [mean, scale]));
        await keep(from / most, {
          series: JSON.stringify(series),
          levels: bytesOf(scales),
          output: bytesOf(ran.value),
        });
      }
      return undefined;
    } finally {
      await opened.close();
    }
  }

  /** Both versions predict what comes after the dataset. */
  async #predictBoth(
    shadowed: Shadowed,
    active: ActiveVersion,
    { dataset, panel }: { dataset: string; panel: Panel },
    signal: AbortSignal,
  ): Promise<JsonObject | Disqualified> {
    const { built } = shadowed;
    const shadow = shadowKeyOf(shadowed, dataset);
    const keep: Keep = (block, made) => this.#options.log.write(shadow, (tx) => putBlock(tx, shadow, block, made));
    const wrong = await this.#predict(shadow, built, panel, keep, signal);
    if (wrong !== undefined) return wrong;
    const { spec } = built.details;
    if (isFedAlike(active.details.spec, spec)) {
      const keepOutput: Keep = (block, { output }) =>
        this.#options.log.write(shadow, (tx) => putActiveOutput(tx, shadow, block, output));
      const fault = await this.#predict(shadow, active, panel, keepOutput, signal);
      if (fault !== undefined) await this.#forgetActive(shadow);
    }
    return {
      dataset,
      active_version: active.version,
      origin: panel.facts.last,
      predictions: panel.facts.latestRows * spec.horizon,
    };
  }

  /** The active version failed somewhere: nothing of it is graded. */
  async #forgetActive(shadow: ShadowKey): Promise<void> {
    for (let block = 0; await this.#options.log.read((tx) => selectBlock(tx, shadow, block)); block += 1) {
      const number = block;
      await this.#options.log.write(shadow, (tx) => putActiveOutput(tx, shadow, number, null));
    }
  }

  /** Grades the predictions with the values of a panel; undefined where those of all their periods are graded. */
  async #grade(
    shadowed: Shadowed,
    active: ActiveVersion,
    progress: ShadowProgress,
    panel: Panel,
    signal: AbortSignal,
  ): Promise<Graded | undefined> {
    const { built } = shadowed;
    const { dataset, origin } = progress.from;
    const shadow = shadowKeyOf(shadowed, dataset);
    let sum = 0;
    let activeSum: number | null = 0;
    let values = 0;
    let now: { periods: number; until: string } | undefined;
    for (let number = 0; ; number += 1) {
      const at = number;
      const block = await this.#options.log.read((tx) => selectBlock(tx, shadow, at));
      if (block === undefined) break;
      const gradeOf = (output: Buffer, calibration: Calibration) =>
        panel.grade(
          {
            origin,
            series: JSON.parse(block.series) as string[],
            intervals: serveForecasts(float32Of(output), levelsOf(block.levels), calibration),
            after: progress.until,
          },
          { signal },
        );
      const own = await gradeOf(block.output, built.details.calibration);
      if (own.until !== null) now = { periods: own.periods, until: own.until };
      values += own.values;
      sum += (own.score ?? 0) * own.values;
      if (block.active_output === null) activeSum = null;
      else if (activeSum !== null) {
        const other = await gradeOf(block.active_output, active.details.calibration);
        activeSum += (other.score ?? 0) * other.values;
      }
    }
    if (now === undefined) return undefined;
    const all = progress.values + values;
    const mean = (before: number | null, added: number): number | null =>
      all === 0 ? null : ((before ?? 0) * progress.values + added) / all;
    const isCompared = activeSum !== null && (progress.values === 0 || progress.activeScore !== null);
    return {
      periods: progress.periods + now.periods,
      until: now.until,
      values: all,
      score: mean(progress.score, sum),
      activeScore: isCompared ? mean(progress.activeScore, activeSum ?? 0) : null,
    };
  }

  /** What a dataset with later periods brings. */
  async #stepWith(
    shadowed: Shadowed,
    { dataset, panel, active }: { dataset: string; panel: Panel; active: ActiveVersion },
    signal: AbortSignal,
  ): Promise<Fact[]> {
    const { built, prediction, pending } = shadowed;
    const own = { function: shadowed.name, version: built.version };
    const predicted = async (graded?: Graded): Promise<Fact> => {
      const made = await this.#predictBoth(shadowed, active, { dataset, panel }, signal);
      if (!('because' in made)) return { type: 'shadow_predicted', data: { ...own, ...made } };
      const { because, detail } = made;
      return {
        type: 'shadow_failed',
        data: { ...own, ...gradeData(dataset, graded ?? pending.shadow), because, detail },
      };
    };
    const progress = pending.shadow;
    if (progress?.activeVersion !== active.version) return [await predicted()];
    const graded = await this.#grade(shadowed, active, progress, panel, signal);
    if (graded === undefined) return [await predicted()];
    const data = { ...own, ...gradeData(dataset, graded) };
    const facts: Fact[] = [{ type: 'shadow_graded', data: { ...data, until: graded.until } }];
    if (graded.periods >= prediction.shadowPeriods) return [...facts, verdictOf(graded, data)];
    const isUsedUp = graded.periods - progress.from.periods >= built.details.spec.horizon;
    return isUsedUp ? [...facts, await predicted(graded)] : facts;
  }

  async #step(shadowed: Shadowed, signal: AbortSignal): Promise<ShadowStep> {
    const { built, prediction, pending } = shadowed;
    const { active, later } = await this.#options.log.read(async (tx) => ({
      active: await this.#options.versions.active(tx, shadowed),
      later: await this.#options.datasets.later(tx, shadowed, prediction, pending.shadow?.dataset ?? built.dataset),
    }));
    const newest = later.at(-1)?.dataset;
    if (active === undefined) return { facts: [], newest };
    const last = pending.shadow?.until ?? built.details.last;
    // Values that were there before the version waited grade nothing: its trainer may have seen them.
    const before = later.findLastIndex(({ at }) => at <= pending.since);
    for (const found of later.slice(Math.max(before, 0))) {
      const panel = await this.#open(shadowed, found.dataset, signal);
      if (panel === undefined || panel.facts.last <= last) continue;
      return { facts: await this.#stepWith(shadowed, { ...found, panel, active }, signal), newest };
    }
    return { facts: [], newest };
  }
}

/** How the evaluation ends. A version without any graded value has not shown that it is no worse. */
function verdictOf({ score, activeScore }: Graded, data: JsonObject): Fact {
  if (score !== null && (activeScore === null || isNoWorse(score, activeScore))) return { type: 'shadow_passed', data };
  const [because, detail] =
    score === null
      ? ['no_values', 'The periods have no value that can be graded.']
      : ['worse', 'Its score is higher than that of the active version.'];
  return { type: 'shadow_failed', data: { ...data, because, detail } };
}

/** The figures of an evaluation so far. */
export function gradeData(dataset: string, graded: Omit<Graded, 'until'> | null): JsonObject {
  const { periods, values, score, activeScore } = graded ?? { periods: 0, values: 0, score: null, activeScore: null };
  return { dataset, periods, values, score, active_score: activeScore };
}

function shadowKeyOf({ org, playbook, name, built: { version } }: Shadowed, dataset: string): ShadowKey {
  return { org, playbook, name, version, dataset };
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array | Float64Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** A copy: what a database returns need not be aligned. */
function float32Of(bytes: Buffer): Float32Array {
  return new Float32Array(new Uint8Array(bytes).buffer);
}

function levelsOf(bytes: Buffer): { mean: number; scale: number }[] {
  const figures = new Float64Array(new Uint8Array(bytes).buffer);
  return Array.from({ length: figures.length / 2 }, (_, at) => ({
    mean: figures[2 * at] ?? 0,
    scale: figures[2 * at + 1] ?? 1,
  }));
}
