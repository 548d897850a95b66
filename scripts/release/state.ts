// Reads the state of the repository for a release.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ReleaseState } from './obstacles.ts';
import type { PublisherFields } from './publisher.ts';

interface Manifest extends PublisherFields {
  version: string;
  repository?: { url: string };
}

/** @param root the root of the repository */
export function releaseState(root: string): ReleaseState {
  const { version, repository, author, homepage } = JSON.parse(
    readFileSync(path.join(root, 'package.json'), 'utf8'),
  ) as Manifest;
  const git = (...args: string[]): string[] => {
    const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
    if (status !== 0) throw new Error(`git ${args.join(' ')} failed: ${stderr.trim()}`);
    return stdout.split('\n').filter((line) => line !== '');
  };
  return {
    version,
    repository: repository?.url,
    ...(author === undefined ? {} : { author }),
    ...(homepage === undefined ? {} : { homepage }),
    changelog: readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8'),
    // Two letters of state and a space stand before each file.
    changed: git('status', '--porcelain', '--untracked-files=all').map((line) => line.slice(3)),
    tags: git('tag', '--points-at', 'HEAD'),
    isDatabaseKept: existsSync(path.join(root, 'server/test/released', `${version}.db.gz`)),
  };
}
