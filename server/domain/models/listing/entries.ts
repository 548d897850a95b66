// From what providers list and what the operator says to the entries of list_models.
import type { ModelEntry } from '../../../../shared/schemas/index.ts';
import {
  coversPattern,
  isMeant,
  isPattern,
  isResourceName,
  type ModelProvider,
  type ModelSettings,
  splitReference,
} from '../../../settings/index.ts';
import { isAllowed } from '../resolve.ts';
import type { ListedModel } from './read-page.job.ts';

interface ProviderList {
  provider: ModelProvider;
  /** Undefined where the provider lists nothing, or could not be read and never was. */
  models: readonly ListedModel[] | undefined;
}

/** @param only the prefix to which the list is kept */
export function listEntries(
  settings: ModelSettings,
  lists: readonly ProviderList[],
  only: string | undefined,
): ModelEntry[] {
  const own = lists.flatMap((list) => ownEntries(settings, list));
  const details = new Map(own.map((entry) => [entry.id, entry]));
  const aliases = settings.aliases.flatMap(({ from, to }) => aliasEntry(settings, { from, to }, details.get(to)));
  const isKept = ({ provider }: ModelEntry): boolean => only === undefined || provider === only;
  return [
    // What an alias sends elsewhere is not the provider's model any more.
    ...own.filter(({ id }) => !settings.aliases.some(({ from }) => meansAll(from, id)) && isEntryAllowed(settings, id)),
    ...aliases.filter(isKept),
  ].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function ownEntries(settings: ModelSettings, { provider, models }: ProviderList): ModelEntry[] {
  const { prefix } = provider;
  const declared = settings.declared[prefix] ?? [];
  const known = models ?? declared.map((id): ListedModel => ({ id }));
  if (known.length === 0 && provider.kind === 'cloud') return [{ id: `${prefix}/*`, provider: prefix, model: '*' }];
  return known.map(({ id, ...details }) => ({ id: `${prefix}/${id}`, provider: prefix, model: id, ...details }));
}

function aliasEntry(
  settings: ModelSettings,
  { from, to }: { from: string; to: string },
  known: ModelEntry | undefined,
): ModelEntry[] {
  const name = splitReference(from);
  const target = splitReference(to);
  if (name === undefined || target === undefined) return [];
  if (!settings.providers.some(({ prefix }) => prefix === target.provider)) return [];
  const isListed = isPattern(from)
    ? isEntryAllowed(settings, from) || isEntryAllowed(settings, to)
    : isAllowed(settings, from, to);
  if (!isListed) return [];
  const { id: _id, provider: _provider, model: _model, ...details } = known ?? { id: '', provider: '', model: '' };
  return [
    {
      id: from,
      provider: name.provider,
      model: name.model,
      ...details,
      alias: true,
      ...(isResourceName(target.model) ? {} : { resolved_to: to }),
    },
  ];
}

/** A pattern is allowed only by a wildcard that allows every model it stands for. */
function isEntryAllowed({ allowed }: ModelSettings, id: string): boolean {
  if (allowed === undefined) return true;
  return allowed.some((entry) => (isPattern(id) ? coversPattern(entry, id) : isMeant(entry, id)));
}

/** Whether an alias applies to an entry, which may be a pattern itself. */
function meansAll(from: string, id: string): boolean {
  return isPattern(id) ? coversPattern(from, id) : isMeant(from, id);
}
