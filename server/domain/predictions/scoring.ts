// Scores the candidates of a build and decides on the best one. Nothing of it is recorded here, but the number of the
// version, which a build gets once: doing it again, after a crash, gives the same facts.
import type { JsonObject } from '../../../shared/json.ts';
import type { Fact, PredictionFunction, Predictor } from '../../kinds/prediction/index.ts';
import type { EventLog, PlaybookKey } from '../../kernel/log/index.ts';
import {
  chooseBar,
  chooseBest,
  type Evaluation,
  type GateVerdict,
  type Panel,
  passGate,
  type RawFault,
  type Scores,
  signatureOf,
  type StaticCodes,
  type TensorBatch,
} from '../../lib/forecast/index.ts';
import type { Fault, ModelRunner } from '../../lib/onnx/index.ts';
import type { Candidates } from './candidates.ts';
import type { Datasets } from './datasets.ts';
import { createIncumbents, type Incumbent, type Incumbents } from './incumbents.ts';
import { selectCandidates } from './models-sql.ts';
import { isFedAlike, specOf } from './specs.ts';
import type { Versions } from './versions.ts';

export interface ScoringOptions {
  log: EventLog;
  datasets: Datasets;
  candidates: Pick<Candidates, 'read'>;
  versions: Pick<Versions, 'active' | 'allocate'>;
  models: Pick<ModelRunner, 'open'>;
}

/** Windows that a model is selected and judged on at least. */
const LEAST_WINDOWS = 3;

interface Scored {
  digest: string;
  bytes: number;
  scores: Scores;
  evaluation: Evaluation;
}

type Disqualified = { because: string; detail: string };

export class Scoring {
  readonly #options: ScoringOptions;
  readonly #incumbents: Incumbents;

  constructor(options: ScoringOptions) {
    this.#options = options;
    this.#incumbents = createIncumbents(options.log, options.versions);
  }

  readonly score: Predictor['score'] = async (run, prediction, { dataset, candidates: named }, signal) => {
    const { org, playbook, runId, name } = run;
    const playbookKey = { org, playbook };
    const spec = specOf(prediction);
    const panel = await this.#options.datasets.open(playbookKey, dataset, spec, signal);
    const baselines = await panel.baselines({ signal });
    const windows = panel.facts.windows.length;
    const isJudged = windows >= LEAST_WINDOWS;
    const scene = { panel, prediction };
    const { scored, facts: ofCandidates } = await this.#evaluateAll({ ...playbookKey, runId }, named, scene, signal);
    const facts: Fact[] = [
      ...(isJudged
        ? Object.entries(baselines).map(([name, { select }]) => scoresOf(name, select))
        : [notWalked(windows)]),
      ...ofCandidates,
    ];
    const best = chooseBest(scored);
    if (best === undefined) {
      const detail = 'Every candidate was disqualified; the history of the build says why.';
      const end: Fact = { type: 'build_ended', data: { activated: false, detail } };
      const rejection = { reason: 'conflict', kind: 'unworkable', detail } as const;
      return { facts: [...facts, end], ending: { status: 'rejected', rejection } };
    }
    const { select, judge, calibration } = best.evaluation;
    const { codes, last } = panel.facts;
    const details = { spec, codes, calibration, scores: { select, judge }, isJudged, last };
    const version = await this.#options.versions.allocate(playbookKey, {
      name,
      runId,
      candidate: best.digest,
      details,
    });
    const own = { function: name, version };
    facts.push({ type: 'version_built', data: { ...own, candidate: best.digest, dataset } });

    const barName = chooseBar(baselines) ?? 'seasonal_naive';
    const bar = baselines[barName];
    const { beat, wins, coverage_within: coverageWithin } = prediction.activate;
    const rules = { beat, wins, coverageWithin };
    const { verdict, hold, compared, activates } = await this.#incumbents.decide(
      { ...playbookKey, name, runId },
      async (active) => {
        const outcome = active && (await this.#evaluateActive(playbookKey, active, scene, signal));
        const isScored = outcome !== undefined && !('because' in outcome);
        const made = passGate(best.evaluation, bar, isScored ? outcome : undefined, rules, prediction.coverage);
        const held = holdOf(prediction, active, { isJudged, passes: made.passes, barName });
        return {
          verdict: made,
          hold: held,
          compared: comparedWith(active, isScored ? undefined : outcome),
          activates: held === undefined ? { version, candidate: best.digest, details } : undefined,
        };
      },
    );
    if (hold === undefined) facts.push({ type: 'version_activated', data: { ...own, rule: 'gate', ...compared } });
    else {
      const data = { ...own, ...hold(verdict), ...figuresOf(verdict), ...compared };
      facts.push({ type: 'activation_refused', data });
    }
    const activated = activates !== undefined;
    const why = hold === undefined ? {} : { detail: hold(verdict).detail };
    facts.push({ type: 'build_ended', data: { candidate: best.digest, version, activated, ...why } });
    return {
      facts,
      ending: {
        status: 'succeeded',
        output: { candidate: best.digest, version, activated, scores: { ...judge }, ...why },
        record: { dataset, windows, ...figuresOf(verdict), ...compared },
        hasNoShape: true,
      },
    };
  };

  /** Runs a model on every window, or says what is wrong with it. */
  async #evaluate(
    playbookKey: PlaybookKey,
    candidate: string,
    { panel, prediction, codes }: { panel: Panel; prediction: PredictionFunction; codes?: StaticCodes },
    signal: AbortSignal,
  ): Promise<Evaluation | Disqualified> {
    const model = await this.#options.candidates.read(playbookKey, candidate);
    const { fault, value: opened } = await this.#options.models.open(model, signatureOf(specOf(prediction)), signal);
    if (fault !== undefined) return disqualified(fault);
    try {
      let failed: Fault | undefined;
      const run = async (batch: TensorBatch): Promise<Float32Array | undefined> => {
        const ran = await opened.run(batch);
        failed = ran.fault;
        return ran.value;
      };
      const scored = await panel.score(run, codes === undefined ? { signal } : { signal, codes });
      if (failed !== undefined) return disqualified(failed);
      if (scored === undefined) throw new Error('A model that did not fail has no score.');
      return 'because' in scored ? disqualified(scored) : scored;
    } finally {
      await opened.close();
    }
  }

  async #evaluateAll(
    playbookKey: PlaybookKey & { runId: string },
    named: readonly string[],
    scene: { panel: Panel; prediction: PredictionFunction },
    signal: AbortSignal,
  ): Promise<{ scored: Scored[]; facts: Fact[] }> {
    const sizes = new Map(
      (await this.#options.log.read((tx) => selectCandidates(tx, playbookKey))).map(({ candidate, bytes }) => [
        candidate,
        bytes,
      ]),
    );
    const scored: Scored[] = [];
    const facts: Fact[] = [];
    for (const candidate of named) {
      const bytes = sizes.get(candidate);
      const outcome =
        bytes === undefined
          ? { because: 'not_uploaded', detail: 'It was not uploaded to this build.' }
          : // oxlint-disable-next-line no-await-in-loop -- one model after the other
            await this.#evaluate(playbookKey, candidate, scene, signal);
      if ('because' in outcome) facts.push({ type: 'candidate_disqualified', data: { candidate, ...outcome } });
      else {
        const { select, judge } = outcome;
        facts.push({ type: 'candidate_scored', data: { candidate, scores: { ...select } } });
        // With fewer than three windows, all of them judge.
        const scores = select.score === null ? judge : select;
        scored.push({ digest: candidate, bytes: bytes ?? 0, scores, evaluation: outcome });
      }
    }
    return { scored, facts };
  }

  /** The active version on the windows of this build, or why it cannot be scored there. */
  async #evaluateActive(
    playbookKey: PlaybookKey,
    { version, candidate, details }: Incumbent,
    scene: { panel: Panel; prediction: PredictionFunction },
    signal: AbortSignal,
  ): Promise<Evaluation | Disqualified> {
    const { spec, codes } = details;
    if (isFedAlike(spec, specOf(scene.prediction))) {
      return this.#evaluate(playbookKey, candidate, { ...scene, codes }, signal);
    }
    const detail = `Version ${version} was built for other columns, context or horizon.`;
    return { because: 'fed_otherwise', detail };
  }
}

function disqualified(fault: Fault | RawFault): Disqualified {
  return { because: 'kind' in fault ? fault.kind : fault.because, detail: fault.detail };
}

function scoresOf(baseline: string, scores: Scores): Fact {
  return { type: 'baseline_scored', data: { baseline, scores: { ...scores } } };
}

function notWalked(windows: number): Fact {
  const detail = `The dataset has ${windows} windows, and ${LEAST_WINDOWS} are needed to select and judge a model.`;
  return { type: 'baseline_not_walked', data: { windows, detail } };
}

/** Which version the new one was compared with. One that cannot be scored is no obstacle, but is named with its reason. */
function comparedWith(active: Incumbent | undefined, unscored: Disqualified | undefined): JsonObject {
  return {
    ...(active === undefined ? {} : { active_version: active.version }),
    ...(unscored === undefined ? {} : { active_unscored: { ...unscored } }),
  };
}

/** Why a version is not activated, or not yet; undefined where it is. */
function holdOf(
  prediction: PredictionFunction,
  active: Incumbent | undefined,
  { isJudged, passes, barName }: { isJudged: boolean; passes: boolean; barName: string },
): ((verdict: GateVerdict) => { because: string; detail: string }) | undefined {
  const { approval } = prediction.activate;
  // Where there are too few windows for the gate, an approval decides.
  if (!isJudged && approval === 'none') {
    return () => ({
      because: 'baseline_not_walked',
      detail: `Fewer than ${LEAST_WINDOWS} windows cannot judge a version; activate it with activate_version.`,
    });
  }
  if (isJudged && !passes) {
    return (verdict) => ({
      because: verdict.missed[0] ?? 'bar',
      detail: `The version did not pass the gate: ${missedWords(verdict, prediction, barName).join('; ')}.`,
    });
  }
  const periods = prediction.shadowPeriods;
  if (periods > 0 && active !== undefined) {
    const over = periods === 1 ? 'the next period' : `the next ${periods} periods`;
    return () => ({ because: 'shadow', detail: `The version is compared with the active one over ${over} first.` });
  }
  if (approval !== 'none') {
    const detail = `The version waits for its approval by interaction/${approval.interaction}.`;
    return () => ({ because: 'approval', detail });
  }
  return undefined;
}

/** Each missed rule with its figures. */
function missedWords(
  { missed, score, bar, activeScore, windows, coverage: measured }: GateVerdict,
  { activate, coverage }: PredictionFunction,
  barName: string,
): string[] {
  const { won, needed, judged } = windows;
  const isNotBelow = (other: number | null, name: string): string =>
    score === null || other === null
      ? `it cannot be compared with ${name}, since one of them has no score on the judge windows`
      : `its score of ${figure(score)} is not at least ${figure(activate.beat * 100)}% lower than the ${figure(other)} of ${name}`;
  const words: Readonly<Record<GateVerdict['missed'][number], string>> = {
    bar: isNotBelow(bar, `the best baseline (${barName})`),
    active: isNotBelow(activeScore, 'the active version'),
    wins: `it is better than the best baseline on ${won} of ${judged} judge windows, and must be on ${needed}`,
    coverage:
      measured === null
        ? 'its coverage could not be measured'
        : `its intervals hold ${figure(measured * 100)}% of the values, more than ${figure(activate.coverage_within * 100)} points below the wanted ${figure(coverage * 100)}%`,
  };
  return missed.map((rule) => words[rule]);
}

/** Three significant digits. */
function figure(value: number): string {
  return String(Number(value.toPrecision(3)));
}

/** The figures of the judge windows, as `activation_refused` has them. */
function figuresOf({ score, bar, activeScore, wins, coverage }: GateVerdict): JsonObject {
  return { score, bar, active_score: activeScore, wins, coverage };
}
