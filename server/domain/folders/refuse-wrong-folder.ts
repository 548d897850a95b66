import type { Issue } from '../../../shared/issues.ts';
import { sha256 } from '../../kernel/contents/index.ts';
import { invalidInput } from '../../lib/rejection.ts';
import type { FolderDefinition } from './plan.ts';

/** A definition named twice, or a source that is not the one its digest names. @throws Refused `invalid_input` */
export function refuseWrongFolder(definitions: readonly FolderDefinition[]): void {
  const issues: Issue[] = [];
  const seen = new Set<string>();
  for (const [index, { type, name, sha256: digest, source }] of definitions.entries()) {
    const pointer = `/definitions/${index}`;
    if (seen.has(`${type}/${name}`)) issues.push({ pointer, detail: `${type}/${name} is listed twice; list it once.` });
    seen.add(`${type}/${name}`);
    if (source !== undefined && sha256(source) !== digest) {
      issues.push({
        pointer: `${pointer}/sha256`,
        detail: `\`sha256\` is not the SHA-256 digest of the source of ${type}/${name}.`,
      });
    }
  }
  if (issues.length > 0) throw invalidInput(issues);
}
