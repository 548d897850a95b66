// What must be true before a version is published. Decisions only; state.ts reads what they are made from.
import { topEntry } from './changelog.ts';
import { missingOfPublisher, type PublisherFields } from './publisher.ts';

/** The repository at the moment of a release. */
export interface ReleaseState extends PublisherFields {
  /** Of package.json. */
  version: string;
  /** `repository.url` of package.json, which provenance names; undefined if absent. */
  repository: string | undefined;
  changelog: string;
  /** Files that differ from the commit. */
  changed: readonly string[];
  /** The tags of the commit. */
  tags: readonly string[];
  /** Whether the database of this version is kept for the test of upgrades. */
  isDatabaseKept: boolean;
}

/** Semantic versioning, section 2 and 9: `1.2.3`, or `1.2.3-beta.1`. */
const VERSION = /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-(?<channel>[a-z]+)(?:\.\d+)*)?$/;

/** @returns what is in the way of publishing, one sentence each */
export function obstaclesOf(state: ReleaseState): string[] {
  const { version, repository, changelog, changed, tags, isDatabaseKept } = state;
  const tag = `v${version}`;
  const top = topEntry(changelog);
  const channel = channelOf(version);
  return [
    channel === undefined && `The version ${version} of package.json is not of the form 1.2.3 or 1.2.3-beta.1.`,
    top !== version &&
      `The first entry of CHANGELOG.md is ${JSON.stringify(top ?? '')}; it must be "## ${version} (DATE)", with what is now under "Unreleased".`,
    !tags.includes(tag) && `The commit has no tag ${tag}; run \`git tag ${tag}\`.`,
    changed.length > 0 && `Files differ from the commit: ${changed.slice(0, 5).join(', ')}. Commit or remove them.`,
    channel === 'latest' &&
      !isDatabaseKept &&
      `server/test/released/${version}.db.gz is missing; run scripts/keep-released-database.ts and commit it.`,
    repository === undefined &&
      'package.json names no repository, which the provenance of the package must name; add "repository": { "type": "git", "url": "git+https://github.com/OWNER/NAME.git" }.',
    ...missingOfPublisher(state),
  ].filter((obstacle) => obstacle !== false);
}

/**
 * Where a version is offered: npm's tag of it, and the name of the desktop app's update channel.
 * @returns `latest`, or for `1.2.3-beta.1` `beta`; undefined if it is no version
 */
export function channelOf(version: string): string | undefined {
  const match = VERSION.exec(version);
  return match === null ? undefined : (match.groups?.['channel'] ?? 'latest');
}

/** What `npm audit --json` printed, as an obstacle; undefined if it found nothing. */
export function auditObstacle(printed: string): string | undefined {
  let report: { message?: string; metadata?: { vulnerabilities?: { total: number } }; vulnerabilities?: object };
  try {
    report = JSON.parse(printed) as typeof report;
  } catch {
    return `npm audit printed no JSON: ${printed.slice(0, 200)}`;
  }
  const total = report.metadata?.vulnerabilities?.total;
  if (total === undefined) return `npm audit could not be asked: ${report.message ?? 'it gave no reason'}.`;
  if (total === 0) return undefined;
  return `npm audit knows weaknesses of ${Object.keys(report.vulnerabilities ?? {}).join(', ')}.`;
}
