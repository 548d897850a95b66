// The course of a build, derived from the events of its run.
import type { EventRecord, RunWithRecord } from '../../../shared/api/index.ts';
import type { Scores, Standing } from './queries.ts';

export interface ScoredModel {
  /** The digest of a candidate, or the name of a baseline. */
  name: string;
  isBaseline: boolean;
  /** On the windows that select; undefined for a candidate that is not scored. */
  scores: Scores | undefined;
  /** Why a candidate was disqualified. */
  disqualified: string | undefined;
  isBest: boolean;
}

export interface UploadedCandidate {
  candidate: string;
  bytes: number;
  opset: number;
}

export interface BuildStory {
  /** The trainer that was asked. */
  trainer: string | undefined;
  candidates: UploadedCandidate[];
  /** Candidates in the order of their scores, then the baselines. */
  models: ScoredModel[];
  /** The version that the build made. */
  version: number | undefined;
  isActivated: boolean;
  /** Why the version was not activated, or not yet, or the build ended without one. */
  detail: string | undefined;
  /** The figures of the judge windows, if the version was not activated. */
  gate: Gate | undefined;
  /** The latest grades of a shadow evaluation. */
  shadow: ShadowGrades | undefined;
}

export interface ShadowGrades {
  periods: number;
  score: number | null;
  active_score: number | null;
}

export interface Gate {
  score?: number | null;
  bar?: number | null;
  active_score?: number | null;
  wins?: number | null;
  coverage?: number | null;
}

const BASELINE_NAMES: Readonly<Record<string, string>> = {
  seasonal_naive: 'Seasonal naive',
  drift: 'Drift',
  theta: 'Theta',
};

/** @param events of the run, oldest first */
export function buildStory(events: readonly EventRecord[]): BuildStory {
  const story: BuildStory = {
    trainer: undefined,
    candidates: [],
    models: [],
    version: undefined,
    isActivated: false,
    detail: undefined,
    gate: undefined,
    shadow: undefined,
  };
  let best: unknown;
  const add = (model: Partial<ScoredModel> & { name: string }): void => {
    story.models.push({ isBaseline: false, scores: undefined, disqualified: undefined, isBest: false, ...model });
  };
  for (const { type, data } of events) {
    switch (type) {
      case 'build_asked':
        story.trainer = String(data['trainer']);
        break;
      case 'candidate_uploaded':
        story.candidates.push(data as unknown as UploadedCandidate);
        break;
      case 'candidate_scored':
        add({ name: String(data['candidate']), scores: data['scores'] as Scores });
        break;
      case 'candidate_disqualified':
        add({ name: String(data['candidate']), disqualified: String(data['detail']) });
        break;
      case 'baseline_scored': {
        const baseline = String(data['baseline']);
        add({ name: BASELINE_NAMES[baseline] ?? baseline, isBaseline: true, scores: data['scores'] as Scores });
        break;
      }
      case 'version_built':
        story.version = Number(data['version']);
        best = data['candidate'];
        break;
      case 'version_activated':
        story.isActivated = true;
        break;
      case 'activation_refused':
        // An approval that was refused has no figures.
        if (data['score'] !== undefined) story.gate = data;
        story.detail = String(data['detail']);
        break;
      case 'shadow_graded':
        story.shadow = data as unknown as ShadowGrades;
        break;
      case 'shadow_failed':
        story.detail = `The shadow evaluation failed. ${String(data['detail'])}`;
        break;
      case 'baseline_not_walked':
      case 'build_ended':
        if (typeof data['detail'] === 'string') story.detail ??= data['detail'];
        break;
      default:
    }
  }
  const rank = ({ isBaseline, scores }: ScoredModel): number => (isBaseline ? 1e12 : 0) + (scores?.score ?? 1e9);
  story.models = story.models
    .map((model) => ({ ...model, isBest: model.name === best }))
    .toSorted((a, b) => rank(a) - rank(b));
  return story;
}

const WAITS_FOR = { shadow: 'its shadow evaluation', approval: 'its approval' } as const;

/** The stage of a build, as a short text. @param pending the version of the function that waits */
export function buildStage(
  run: Pick<RunWithRecord, 'status' | 'waits_for'>,
  story: BuildStory,
  pending?: Standing['pending'],
): string {
  const { version, isActivated } = story;
  if (run.status === 'started') {
    if (story.trainer === undefined) return 'Starting';
    return run.waits_for?.includes('upload') === true ? `Waiting for its trainer, ${story.trainer}` : 'Scoring';
  }
  if (version === undefined) return 'Ended without a version';
  if (pending?.version === version) return `Ended: version ${version} waits for ${WAITS_FOR[pending.for]}`;
  return isActivated ? `Ended: version ${version} activated` : `Ended: version ${version} not activated`;
}
