import type { Scores } from './queries.ts';

/** The columns of a table of scores. */
export const SCORE_COLUMNS: readonly { name: keyof Scores; title: string; about: string; isShare?: boolean }[] = [
  { name: 'score', title: 'Score', about: 'Mean scaled pinball loss; lower is better' },
  { name: 'mase', title: 'MASE', about: 'Mean absolute scaled error; lower is better' },
  { name: 'coverage', title: 'Coverage', about: 'The share of values inside the interval', isShare: true },
  { name: 'width', title: 'Width', about: 'The mean scaled width of the interval' },
];

/** A figure for people; an en dash if it was not measured. */
export function figureWords(value: number | null | undefined, isShare = false): string {
  if (value === null || value === undefined) return '–';
  if (isShare) return `${(100 * value).toLocaleString(undefined, { maximumFractionDigits: 1 })} %`;
  return value.toLocaleString(undefined, { minimumFractionDigits: 3, maximumFractionDigits: 3 });
}
