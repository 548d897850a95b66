import type { WrittenConfig } from '../entries.ts';
import type { Environment } from '../environment.ts';
import type { ModelAlias, ModelProvider } from './model-settings.ts';
import { isMeant, isPattern, isResourceName, PREFIX_FORM, splitReference } from './reference.ts';
import { kindWords, shown, writtenSetting, wrong } from './written.ts';

const FORM = 'a list of references such as ["openai/gpt-5-mini", "local/*"]';

interface KnownModels {
  providers: readonly ModelProvider[];
  aliases: readonly ModelAlias[];
  /** Providers with a key in the secret store; read only if nothing else matches the entry. */
  keptKeys: () => readonly string[];
}

/** Undefined if every model is allowed. @throws SettingsError */
export function readAllowed(file: WrittenConfig, environment: Environment, known: KnownModels): string[] | undefined {
  const written = writtenSetting('allowed_models', file, environment);
  if (written === undefined) return undefined;
  const { value: list } = written;
  if (!Array.isArray(list)) throw wrong(written.name, kindWords(list), FORM);
  if (list.length === 0) throw wrong(written.name, 'is empty', `${FORM}; leave it out to allow every model`);
  const entries = list.map((value, index) => {
    const at = `[${index}]`;
    if (typeof value !== 'string') throw wrong(written.at(at), kindWords(value), 'a reference, provider/model');
    return written.expand(value, at);
  });
  entries.forEach((entry, index) => {
    const misfit = misfitOf(entry);
    const at = written.at(`[${index}]`);
    if (misfit !== undefined) throw wrong(at, misfit, 'provider/model in full, or with * at its end');
    if (entries.indexOf(entry) !== index) throw wrong(at, `repeats ${shown(entry)}`, 'unique');
    if (!canMatch(entry, known)) {
      const fault = `is ${shown(entry)}, which no configured provider or alias has`;
      throw wrong(at, fault, 'a model of a configured provider or alias');
    }
  });
  return entries;
}

function misfitOf(entry: string): string | undefined {
  const reference = splitReference(entry);
  if (/[\s\p{Cc}]/u.test(entry)) return 'contains a space or a control character';
  if (isResourceName(entry) || (reference !== undefined && isResourceName(reference.model))) {
    return 'is the name of a cloud resource, which needs an alias';
  }
  if (reference === undefined) return `is ${shown(entry)}, which is not a reference`;
  if (/\p{Lu}/u.test(reference.provider)) return `is ${shown(entry)}, whose provider has an uppercase letter`;
  if (!PREFIX_FORM.test(reference.provider)) return `is ${shown(entry)}, whose provider is not a valid name`;
  const star = entry.indexOf('*');
  return star === -1 || star === entry.length - 1 ? undefined : `is ${shown(entry)}, with * before its end`;
}

function canMatch(entry: string, { providers, aliases, keptKeys }: KnownModels): boolean {
  const provider = splitReference(entry)?.provider ?? '';
  return (
    providers.some(({ prefix }) => prefix === provider) ||
    aliases.some(({ from, to }) => overlaps(entry, from) || overlaps(entry, to)) ||
    keptKeys().includes(provider)
  );
}

function overlaps(one: string, other: string): boolean {
  if (!isPattern(one)) return isMeant(other, one);
  if (!isPattern(other)) return isMeant(one, other);
  const [a, b] = [one.slice(0, -1), other.slice(0, -1)];
  return a.startsWith(b) || b.startsWith(a);
}
