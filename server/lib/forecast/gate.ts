// The arithmetic of a build's decisions.
import type { Evaluation, Scores } from './evaluation.ts';

/** Figures that differ by less are equal. */
const TIE = 1e-9;

export interface Contender {
  /** Of the windows that select. */
  scores: Scores;
  /** The size of the model. */
  bytes: number;
  digest: string;
}

/** The best one: by score, then MASE, then bytes, then digest. */
export function chooseBest<Each extends Contender>(contenders: readonly Each[]): Each | undefined {
  const best = leastBy(
    leastBy(contenders, ({ scores }) => scores.score),
    ({ scores }) => scores.mase,
  );
  return best.toSorted((a, b) => a.bytes - b.bytes || (a.digest < b.digest ? -1 : 1))[0];
}

/** The name of the best baseline on the windows that select: the bar. The first one where there is none. */
export function chooseBar<Name extends string>(baselines: Readonly<Record<Name, Evaluation>>): Name | undefined {
  const names = Object.keys(baselines) as Name[];
  const contenders = names.map((name, at) => ({ name, scores: baselines[name].select, bytes: at, digest: name }));
  return chooseBest(contenders)?.name;
}

function leastBy<Each>(all: readonly Each[], figureOf: (each: Each) => number | null): Each[] {
  const figures = all.map((each) => figureOf(each) ?? Number.POSITIVE_INFINITY);
  const least = figures.reduce((low, figure) => Math.min(low, figure), Number.POSITIVE_INFINITY);
  return all.filter((_, at) => (figures[at] ?? 0) <= least + TIE);
}

export interface GateRules {
  /** By which share a score must be lower than the bar's and the active version's. */
  beat: number;
  /** The share of the judge windows, rounded to whole ones, on which it must be lower than the bar's. */
  wins: number;
  /** How far the measured coverage may be below the wanted one. */
  coverageWithin: number;
}

export interface GateVerdict {
  passes: boolean;
  /** The rules that are not met. */
  missed: ('bar' | 'active' | 'wins' | 'coverage')[];
  /** On the judge windows. */
  score: number | null;
  bar: number | null;
  activeScore: number | null;
  /** A share of the judge windows; null without any. */
  wins: number | null;
  /** On how many of how many judge windows it was better, and had to be. */
  windows: { won: number; needed: number; judged: number };
  coverage: number | null;
}

/**
 * Whether a version may be activated. Each figure is one of the judge windows; a figure that is null meets no rule.
 * @param active the active version, scored on the same windows
 * @param coverage the wanted one
 */
export function passGate(
  version: Evaluation,
  bar: Evaluation,
  active: Evaluation | undefined,
  rules: GateRules,
  coverage: number,
): GateVerdict {
  const { score } = version.judge;
  const compared = comparedWindows(version, bar);
  const won = compared.filter(Boolean).length;
  // Of two windows one is enough for 0.6: half of them would otherwise be refused as too few.
  const needed = Math.round(rules.wins * compared.length);
  const isBelow = (other: number | null): boolean =>
    score !== null && other !== null && score <= (1 - rules.beat) * other + TIE;
  const measured = version.judge.coverage;
  const missed: GateVerdict['missed'] = [];
  if (!isBelow(bar.judge.score)) missed.push('bar');
  if (active !== undefined && !isBelow(active.judge.score)) missed.push('active');
  if (compared.length === 0 || won < needed) missed.push('wins');
  // Intervals that hold more than they promise are no fault of the values.
  if (measured === null || coverage - measured > rules.coverageWithin + TIE) missed.push('coverage');
  return {
    passes: missed.length === 0,
    missed,
    score,
    bar: bar.judge.score,
    activeScore: active?.judge.score ?? null,
    wins: compared.length === 0 ? null : won / compared.length,
    windows: { won, needed, judged: compared.length },
    coverage: measured,
  };
}

/** Whether a score is at most another one of the same values. */
export function isNoWorse(score: number, other: number): boolean {
  return score <= other + TIE;
}

/** Of each judge window whether it was won. A tie is lost; windows without any value to score do not count. */
function comparedWindows(version: Evaluation, bar: Evaluation): boolean[] {
  return version.judgeWindows.flatMap(({ score }, at) => {
    const other = bar.judgeWindows[at]?.score ?? null;
    return score === null || other === null ? [] : [score < other - TIE];
  });
}
