// References to models, `provider/model`, and patterns of them, which end in `*`.

export interface Reference {
  provider: string;
  /** As the provider receives it; may hold further slashes. */
  model: string;
}

/** Undefined where there is no `/` or a side is empty. */
export function splitReference(text: string): Reference | undefined {
  const slash = text.indexOf('/');
  if (slash <= 0 || slash === text.length - 1) return undefined;
  return { provider: text.slice(0, slash), model: text.slice(slash + 1) };
}

/** What a gateway may be named, and what `provider` of list_models takes. */
export const PREFIX_FORM = /^[a-z][a-z0-9-]{0,31}$/;

export function isPattern(text: string): boolean {
  return text.endsWith('*');
}

/** Whether a reference is the entry, or is meant by its pattern: `*` stands for a remainder that is not empty. */
export function isMeant(entry: string, reference: string): boolean {
  if (!isPattern(entry)) return entry === reference;
  return reference.length >= entry.length && reference.startsWith(entry.slice(0, -1));
}

/** Whether a pattern means all that another one means. */
export function coversPattern(entry: string, pattern: string): boolean {
  return isPattern(entry) && pattern.slice(0, -1).startsWith(entry.slice(0, -1));
}

/** Names of resources in a cloud account: they say whose account it is, and in which region. */
export function isResourceName(model: string): boolean {
  return /^(?:arn:|projects\/|\/?subscriptions\/|https?:\/\/)/i.test(model);
}

/** A model as its provider receives it: 1 to 256 characters, without spaces, control characters and `*`. */
export function isModelId(model: unknown): model is string {
  return typeof model === 'string' && model.length <= 256 && /^[^\s\p{Cc}*]+$/u.test(model);
}
