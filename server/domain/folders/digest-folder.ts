import type { Issue } from '../../../shared/issues.ts';
import { sha256 } from '../../kernel/contents/index.ts';
import { invalidInput } from '../../lib/rejection.ts';
import type { DigestedDefinition, FolderDefinition } from './plan.ts';

/**
 * The definitions of a folder with the digest of each.
 * @throws Refused `invalid_input` for a definition that is listed twice, has neither source nor digest, or a source that
 * is not the one its digest names
 */
export function digestFolder(definitions: readonly FolderDefinition[]): DigestedDefinition[] {
  const issues: Issue[] = [];
  const seen = new Set<string>();
  const digested = definitions.map((definition, index) => {
    const { type, name, sha256: given, source } = definition;
    const key = `${type}/${name}`;
    const pointer = `/definitions/${index}`;
    if (seen.has(key)) issues.push({ pointer, detail: `${key} is listed twice; list it once.` });
    seen.add(key);
    const digest = source === undefined ? given : sha256(source);
    if (digest === undefined) {
      const detail = `${key} has neither \`source\` nor \`sha256\`; send its source, or the digest if it is unchanged.`;
      issues.push({ pointer: `${pointer}/source`, detail });
    }
    if (given !== undefined && given !== digest) {
      const detail = `\`sha256\` is not the SHA-256 digest of the source of ${key}; correct it, or leave it out.`;
      issues.push({ pointer: `${pointer}/sha256`, detail });
    }
    return { ...definition, sha256: digest ?? '' };
  });
  if (issues.length > 0) throw invalidInput(issues);
  return digested;
}
