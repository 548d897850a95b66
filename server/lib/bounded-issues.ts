// Lists of issues that a caller sees are short, and say so where they were cut.
import { countIssues, type Issue } from '../../shared/issues.ts';

/** The most issues that are listed; where there are more, one more entry says how many. */
export const MOST_ISSUES = 50;

/** The issues, or the first 50 and one that says how many more there are, at the location of the first of those. */
export function boundedIssues<T extends Issue>(issues: readonly T[]): readonly T[] {
  const next = issues[MOST_ISSUES];
  // A list that was cut before has its own last entry.
  if (next === undefined || issues.length === MOST_ISSUES + 1) return issues;
  return [...issues.slice(0, MOST_ISSUES), standingFor(next, countIssues(issues) - MOST_ISSUES)];
}

/** Gathers issues that may be very many: words are made of those alone that will be listed. */
export class IssueList {
  private readonly kept: Issue[] = [];
  private unlisted = 0;

  add(issue: () => Issue): void {
    if (this.kept.length <= MOST_ISSUES) this.kept.push(issue());
    else this.unlisted += 1;
  }

  get isEmpty(): boolean {
    return this.kept.length === 0;
  }

  /** At most 50 issues, and one that says how many more there are. */
  listed(): Issue[] {
    const last = this.kept.at(-1);
    if (last === undefined || this.unlisted === 0) return [...this.kept];
    return this.kept.with(MOST_ISSUES, standingFor(last, this.unlisted + 1));
  }
}

/** The entry that stands for the rest of a list. @param count how many issues that is, `first` included */
export function standingFor<T extends Issue>(first: T, count: number): T {
  const detail = `There are ${count} more issues, starting here; fix the ones above, then send the request again.`;
  return { ...first, detail, standsFor: count };
}
