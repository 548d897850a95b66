import type { WrittenConfig } from '../entries.ts';
import type { Environment } from '../environment.ts';
import type { ModelAlias } from './model-settings.ts';
import { isMeant, isPattern, splitReference } from './reference.ts';
import { kindWords, objectOf, shown, type WrittenSetting, writtenSetting, wrong } from './written.ts';

const FORM = 'an object of references such as { "team/fast": "openai/gpt-5-mini" }';

/** @throws SettingsError */
export function readAliases(file: WrittenConfig, environment: Environment): ModelAlias[] {
  const written = writtenSetting('model_aliases', file, environment);
  if (written === undefined || (written.value === null && !written.isVariable)) return [];
  const aliases = Object.entries(objectOf(written, FORM)).map(([from, value]) => {
    const at = written.at(`[${shown(from)}]`);
    if (typeof value !== 'string') throw wrong(at, kindWords(value), 'a reference, provider/model');
    const to = written.expand(value, `[${shown(from)}]`);
    refuseMisfit(written.at(`, the alias ${shown(from)},`), from);
    refuseMisfit(at, to);
    if (isPattern(from) !== isPattern(to))
      throw wrong(at, 'has * on only one side', 'an alias with * at the end of both sides or of neither');
    return { from, to };
  });
  for (const { from, to } of aliases) refuseChain(written, from, to, aliases);
  return aliases;
}

function refuseMisfit(at: string, text: string): void {
  const star = text.indexOf('*');
  const isStarred = star !== -1 && star !== text.length - 1;
  const isPlain = /^[^\s\p{Cc}]+$/u.test(text);
  if (splitReference(text) !== undefined && isPlain && !isStarred) return;
  throw wrong(at, `is ${shown(text)}`, 'provider/model; * is only allowed at its end, where it matches any suffix');
}

/** Refuses a target that matches an alias. */
function refuseChain(written: WrittenSetting, from: string, to: string, aliases: readonly ModelAlias[]): void {
  const met = aliases.find((other) => meets(other.from, to));
  if (met === undefined) return;
  const fault = `refers to ${shown(to)}, which matches the alias ${shown(met.from)}`;
  throw wrong(written.at(`[${shown(from)}]`), fault, 'a target that is not itself an alias');
}

/** Whether an alias matches a target, or any reference that a target with * matches. */
function meets(alias: string, target: string): boolean {
  if (!isPattern(target)) return isMeant(alias, target);
  const stem = target.slice(0, -1);
  const own = isPattern(alias) ? alias.slice(0, -1) : alias;
  return isPattern(alias)
    ? own.startsWith(stem) || stem.startsWith(own)
    : own.length > stem.length && own.startsWith(stem);
}
