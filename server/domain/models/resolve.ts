// From a reference to the provider that is asked, by the rules of the contract: alias, one hop; allow list; provider.
import { isMeant, isPattern, type ModelProvider, type ModelSettings, splitReference } from '../../settings/index.ts';

export type Resolution =
  | { ok: true; resolved: string; provider: ModelProvider; model: string }
  | { ok: false; resolved: string; because: 'model_not_allowed' | 'provider_not_configured' };

export function resolveModel(settings: ModelSettings, reference: string): Resolution {
  const resolved = behindAlias(settings, reference);
  if (!isAllowed(settings, reference, resolved)) return { ok: false, resolved, because: 'model_not_allowed' };
  const target = splitReference(resolved);
  const provider = settings.providers.find(({ prefix }) => prefix === target?.provider);
  if (target === undefined || provider === undefined) {
    return { ok: false, resolved, because: 'provider_not_configured' };
  }
  return { ok: true, resolved, provider, model: target.model };
}

/** The alias that applies: the exact one, else the one with the longest prefix. */
function aliasOf({ aliases }: ModelSettings, reference: string): ModelSettings['aliases'][number] | undefined {
  const meant = aliases.filter(({ from }) => isMeant(from, reference));
  return meant.find(({ from }) => !isPattern(from)) ?? meant.toSorted((a, b) => b.from.length - a.from.length).at(0);
}

export function behindAlias(settings: ModelSettings, reference: string): string {
  const alias = aliasOf(settings, reference);
  if (alias === undefined) return reference;
  return isPattern(alias.from) ? alias.to.slice(0, -1) + reference.slice(alias.from.length - 1) : alias.to;
}

/** An alias is allowed when its own name or its target is; a target that is named directly only when it is itself. */
export function isAllowed({ allowed }: ModelSettings, reference: string, resolved: string): boolean {
  return allowed === undefined || allowed.some((entry) => isMeant(entry, reference) || isMeant(entry, resolved));
}

/** What a definition may name, for messages: providers by prefix, and aliases whose provider is configured. */
export function configuredNames(settings: ModelSettings): { providers: string[]; aliases: string[] } {
  const providers = settings.providers.map(({ prefix }) => prefix);
  const aliases = settings.aliases
    .filter(({ to }) => providers.includes(splitReference(to)?.provider ?? ''))
    .map(({ from }) => from);
  return { providers, aliases };
}
