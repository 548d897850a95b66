// The last sentence of the guide on reasoning functions: what a definition may name on this server. No model of a
// provider's is named.
import { isMeant, isPattern, type ModelSettings, splitReference } from '../../settings/index.ts';
import { configuredNames, isAllowed } from './resolve.ts';

export function guideSentence(settings: ModelSettings): string {
  const configured = configuredNames(settings);
  if (configured.providers.length === 0)
    return 'No model provider is configured on this server, so no reasoning function can run.';
  const { allowed } = settings;
  const providers = configured.providers.filter(
    (prefix) => allowed === undefined || allowed.some((entry) => splitReference(entry)?.provider === prefix),
  );
  const aliases = settings.aliases.filter(
    (alias) => configured.aliases.includes(alias.from) && mayBeAllowed(settings, alias),
  );
  const parts = [
    ...(providers.length === 0 ? [] : [`models of ${listed(providers.map(code))}`]),
    ...(aliases.length === 0 ? [] : [`the aliases ${listed(aliases.map(({ from }) => aliasWords(from)))}`]),
  ];
  if (parts.length === 0) return 'This server allows no model that a definition could name.';
  return `On this server a definition may name ${parts.join(' and ')}${allowed === undefined ? '' : '; list_models shows which of them are allowed'}.`;
}

/** Whether an alias, or some reference that it accepts, is allowed. */
function mayBeAllowed(settings: ModelSettings, { from, to }: ModelSettings['aliases'][number]): boolean {
  if (!isPattern(from)) return isAllowed(settings, from, to);
  const stems = [from, to].map((text) => text.slice(0, -1));
  const meets = (entry: string): boolean =>
    isPattern(entry)
      ? stems.some((stem) => stem.startsWith(entry.slice(0, -1)) || entry.slice(0, -1).startsWith(stem))
      : isMeant(from, entry) || isMeant(to, entry);
  return settings.allowed?.some(meets) ?? true;
}

function aliasWords(from: string): string {
  return isPattern(from) ? `${code(from)} (whatever begins with ${code(from.slice(0, -1))})` : code(from);
}

function listed(words: readonly string[]): string {
  return words.length <= 1 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

function code(name: string): string {
  return `\`${name}\``;
}
