// References to models, `provider/model`, and patterns of them, which end in `*`.

export interface ModelReference {
  provider: string;
  /** As the provider receives it; may hold further slashes. */
  model: string;
}

/** Undefined where there is no `/` or a side is empty. */
export function splitReference(text: string): ModelReference | undefined {
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

/** The beginning of a name: the start of the text, or after a character that is not part of a model's name. */
const BEGINS = String.raw`(?:^|[^a-z0-9])`;

const RESOURCE_NAMES = [
  // Amazon (arn:PARTITION:SERVICE:REGION:ACCOUNT:RESOURCE), Oracle and IBM
  String.raw`^arn:|${BEGINS}arn:aws[a-z-]*:`,
  String.raw`${BEGINS}(?:ocid1\.[a-z]|crn:v\d:)`,
  // Azure: resource ids, and parts of them that tools write
  String.raw`^/*subscriptions/|/subscriptions/|${BEGINS}resourcegroups/|${BEGINS}providers/microsoft\.|^azureml:`,
  // Google
  String.raw`^/*projects/|/projects/[^/]+/(?:locations|endpoints|models|publishers)(?:/|$)`,
  String.raw`${BEGINS}(?:locations/[^/]+/(?:endpoints|models|publishers)|publishers/[^/]+/models)/`,
  // Addresses, such as those of deployments and of files that hold a model
  String.raw`://|\.(?:amazonaws|azure|googleapis)\.com(?![a-z0-9.-])`,
].map((form) => new RegExp(form, 'i'));

/**
 * Whether a text is the name of a resource in a cloud account, which says whose account it is or in which region,
 * also behind a prefix that a gateway puts before it and where `:` and `/` are written as in a URL.
 */
export function isResourceName(model: string): boolean {
  const plain = model.replaceAll(/%(?:25)*3a/gi, ':').replaceAll(/%(?:25)*2f/gi, '/');
  return RESOURCE_NAMES.some((form) => form.test(plain));
}

/** A model as its provider receives it: 1 to 256 characters, without spaces, control characters and `*`. */
export function isModelId(model: unknown): model is string {
  return typeof model === 'string' && model.length <= 256 && /^[^\s\p{Cc}*]+$/u.test(model);
}
