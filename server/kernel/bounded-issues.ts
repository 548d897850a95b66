// Lists of issues that a caller is told are short, and say so where they were cut.
import type { Issue } from '../../shared/issues.ts';

/** How many issues are told at most; where there are more, one more entry says how many. */
export const MOST_ISSUES = 50;

/** The issues, or the first 50 and one that says how many more there are, at the place of the first of those. */
export function boundedIssues<T extends Issue>(issues: readonly T[]): readonly T[] {
  const next = issues[MOST_ISSUES];
  // What was cut before has its own last word.
  if (next === undefined || issues.length === MOST_ISSUES + 1) return issues;
  return [...issues.slice(0, MOST_ISSUES), { ...next, detail: moreWords(issues.length - MOST_ISSUES) }];
}

/** Gathers issues that may be very many: words are made of those alone that will be told. */
export class IssueList {
  private readonly kept: Issue[] = [];
  private untold = 0;

  add(issue: () => Issue): void {
    if (this.kept.length <= MOST_ISSUES) this.kept.push(issue());
    else this.untold += 1;
  }

  get isEmpty(): boolean {
    return this.kept.length === 0;
  }

  /** At most 50 issues, and one that says how many more there are. */
  told(): Issue[] {
    const last = this.kept.at(-1);
    if (last === undefined || this.untold === 0) return [...this.kept];
    return this.kept.with(MOST_ISSUES, { ...last, detail: moreWords(this.untold + 1) });
  }
}

/** @param count how many issues are not told */
export function moreWords(count: number): string {
  return `There are ${count} more issues, the first of them here; correct those above, then send it again.`;
}
