// Which values of an entry are secrets: by their name, by their form, and by where they stand. A wrong "yes" redacts the
// value from results, a wrong "no" leaves a secret in the configuration file.
//
// 1. A name says what a value is by its last words: `TOKEN_URL` is a URL, and `AWS_ACCESS_KEY_ID` an id.
// 2. A token's known form, a URL with a password and a connection string are secrets under any name.
// 3. Every expression takes time in proportion to the text.

/** Whatever such a name holds is a secret, numbers included. */
const PASSWORD =
  /^(?:password|passwd|passphrase|passcode|pass|pwd|pw|pin|secrets?)$|(?:password|passwd|passphrase|pwd)$/;
const PASS_ENDS = /(?<!by|com|tres|sur|over|under)pass$/;
const KEY =
  /^(?:keys?|pat|dsn|jwt|bearer|credentials?|creds?|cookies?|authorization|signature|sig|hmac|sas|otp|mnemonic)$|(?:api|access|secret|private|license|auth|master|encryption|signing|account|app|admin|service|subscription|ai)keys?$|(?:tokens?|secrets?|cookies?|credentials?)$/;
/** Secrets unless the value is a plain word, a URL or a path. */
const WEAK = /^(?:auth|session|authentication)$/;
/** Words before `key` that make it a name of something. */
const NAMED_KEYS = new Set([
  'public',
  'primary',
  'sort',
  'partition',
  'foreign',
  'project',
  'issue',
  'cache',
  'object',
  'file',
  'space',
]);
/** A name that ends so is of something beside the secret. */
const HARMLESS_ENDS = new Set(
  `account addr address alg algorithm alias arn audience backend board bucket budget calendar channel chat checksum class
  cluster commit count customer database device digest dir directory domain duration email enabled encoding endpoint env
  environment expiration expiry field file filename folder format fqdn group guid guild hash host hostname id ids interval
  issuer kind lang language length level lifetime limit locale location mail manager method mode model models name namespace
  org organization owner page param parameter path policy port prefix profile project provider ref region regions repo
  repository required role roles rotation scheme scope scopes server sha sheet shop site size source store tenant
  timeout timezone title ttl type tz uri url urls user username uuid vault vendor version workspace zone`
    .split(/\s+/)
    .filter((word) => word !== ''),
);
const CONNECTION_STRING = /connection_?string|conn_?str/i;
const WALLET_PHRASE = /(?:seed|recovery|backup|mnemonic)[_-]?(?:phrase|words)/i;

const TOKEN_FORMS =
  /(?<![A-Za-z0-9])(?:(?:sk|pk|rk|ghp|gho|ghu|ghs|ghr|github_pat|glpat|glrt|xox[abeprs]|xapp|npm|pypi|hf|ntn|secret|whsec|shpat|lin_api|figd|sntry[su]|pplx|tvly|gsk|xai|nvapi|dckr_pat|dop_v1|r8)[-_]|AKIA|ASIA|AIza|ya29\.|AGE-SECRET-KEY-|SG\.|ATATT|eyJ)([A-Za-z0-9_.=-]{8,})/g;
const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/;
const IN_CONNECTION_STRING =
  /(?:^|[;\s])(?:password|pwd|accountkey|sharedaccesskey|sharedaccesssignature|access_?token|api_?key|secret)[ \t]*=[ \t]*[^;\s]/i;
/** Of an image or a revision. */
const DIGEST = /@(?:sha(?:256|512):)?[0-9a-f]{40,128}$/;
const HOST = /^(?:[a-z0-9-]{1,63}\.){1,12}[a-z]{2,15}(?::\d{1,5})?$/;
/** Of an account or a contract on a blockchain. */
const PUBLIC_ADDRESS = /^0x[0-9a-f]{40}$/i;
const UUID = /^\{?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\}?$/i;

function wordsOfName(name: string): string[] {
  return (
    name
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
      .split(/[^A-Za-z0-9]+/)
      .filter((word) => word !== '')
      // `TOKEN2`
      .map((word) => (/^\d+$/.test(word) ? word : word.replace(/\d+$/, '')).toLowerCase())
  );
}

type NameSays = 'password' | 'secret' | 'perhaps' | 'harmless' | 'nothing';

function saidBy(name: string): NameSays {
  const words = wordsOfName(name);
  const last = words.at(-1) ?? '';
  if (HARMLESS_ENDS.has(last)) return 'harmless';
  if (words.some((word) => PASSWORD.test(word) || PASS_ENDS.test(word))) return 'password';
  if (CONNECTION_STRING.test(name) || WALLET_PHRASE.test(name)) return 'secret';
  const isKey = words.some(
    (word, at) => KEY.test(word) && !(/^keys?$/.test(word) && NAMED_KEYS.has(words[at - 1] ?? '')),
  );
  // The name of a header, or a whole header.
  if (isKey) return last === 'header' ? 'perhaps' : 'secret';
  return words.some((word) => WEAK.test(word)) ? 'perhaps' : 'nothing';
}

/** Whether a flag, a variable or a parameter of a query is named like a secret. */
export function isSecretName(name: string): boolean {
  return ['password', 'secret', 'perhaps'].includes(saidBy(name));
}

/** A value of `env`, `headers` or `query_params`, or of a flag of that name. */
export function isSecretValue(name: string, value: string): boolean {
  const text = value.trim();
  if (text === '' || /^(?:true|false|yes|no|on|off|null|none|undefined)$/i.test(text)) return false;
  if (hasSecretForm(text) || isSecretUrl(text, name)) return true;
  const byName = saidBy(name);
  if (byName === 'password') return !isPath(text);
  if (byName === 'secret') return !isPath(text) && !isCount(name, text);
  if (byName === 'perhaps') return !isPath(text) && !isPlainUrl(text) && !/^[A-Za-z_-]{1,40}\d{0,3}$/.test(text);
  return byName === 'nothing' && !isPlainUrl(text) && looksRandom(text);
}

/** `MAX_TOKENS=4096`, `TOKENS_PER_REQUEST=1000` */
function isCount(name: string, value: string): boolean {
  const words = wordsOfName(name);
  return /^\d{1,9}$/.test(value) && ((words.at(-1) ?? '').endsWith('s') || words.includes('tokens'));
}

function isPath(value: string): boolean {
  return /^(?:~?\/|\.{1,2}[\\/]|[A-Za-z]:[\\/])[\w .@\\/-]*$/.test(value) && !looksRandom(value);
}

function isPlainUrl(value: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/\S*$/i.test(value);
}

function hasSecretForm(value: string): boolean {
  const [, credential = ''] = /^(?:bearer|basic)[ \t]+([\w+/=.~-]{6,})$/i.exec(value) ?? [];
  return (
    tokensIn(value).length > 0 ||
    /\d/.test(credential) ||
    looksRandom(credential) ||
    PRIVATE_KEY.test(value) ||
    IN_CONNECTION_STRING.test(value)
  );
}

export type Span = [start: number, end: number];

/** Where tokens of a known form stand in a text. */
export function tokensIn(text: string): Span[] {
  return [...text.matchAll(TOKEN_FORMS)].flatMap((found): Span[] => {
    const [whole, rest = ''] = found;
    const isToken = /\d/.test(rest) || /[a-z][A-Z]/.test(rest) || (rest.length >= 20 && !/[-_.]/.test(rest));
    return isToken ? [[found.index, found.index + whole.length]] : [];
  });
}

/** A URL whose user part or path is a secret, so that all of it is. Its query has names of its own. */
export function isSecretUrl(value: string, name = ''): boolean {
  const url = /^[a-z][a-z0-9+.-]{0,20}:\/\/\S+$/i.test(value) ? URL.parse(value) : null;
  const rest = value.slice(value.indexOf('://') + 3);
  const user = /^([^/?#\s@]*)@/.exec(rest)?.[1];
  // Hosts of several databases are no URL to the parser, and a password may contain `@` and `/`.
  if (value.includes('://') && /^[^/?#\s:@]*:[^\s]+@/.test(rest)) return true;
  if (url === null) return false;
  if (user !== undefined && looksRandom(user)) return true;
  const isHook = /hook/i.test(name) || /(?:^|\.)hooks?\.|webhook/i.test(url.hostname + url.pathname);
  return isHook && url.pathname.split('/').some((part) => part.length >= 16 && !isWords(part));
}

/** `my-first-hook`: short words only. */
function isWords(text: string): boolean {
  return text.split(/[-_.]/).every((part) => /^(?:[A-Za-z]{0,15}|\d{0,8})$/.test(part));
}

/** Whether a segment of a path is a key rather than a name. */
export function isKeySegment(segment: string): boolean {
  const text = segment.replace(DIGEST, '');
  if (text.length < 24 || UUID.test(text)) return false;
  return text.split(/[-_.]/).some((part) => part.length >= 12 && /\d/.test(part) && /[A-Za-z]/.test(part));
}

/** Whether it looks made by chance: no words, model names, dates, addresses or ids with dashes. */
export function looksRandom(written: string): boolean {
  const text = written.replace(DIGEST, '').replaceAll(/%[0-9A-Fa-f]{2}/g, '.');
  if (
    /\s/.test(text) ||
    text.length < 10 ||
    UUID.test(text) ||
    PUBLIC_ADDRESS.test(text) ||
    isEmail(text) ||
    HOST.test(text)
  )
    return false;
  if (/^[A-Za-z0-9+/]{20,}={1,2}$/.test(text)) return true;
  const isPassword = /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text) && /[!$%^&#]/.test(text);
  return isPassword || text.split(/[^A-Za-z0-9]/).some(isRandomRun);
}

function isRandomRun(run: string): boolean {
  if (run.length < 10) return false;
  const changes = run.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0;
  if (changes >= 4 || (changes >= 1 && run.length >= 20)) return true;
  return run.length >= 20 && (run.match(/[A-Z](?=[a-z])|[a-z](?=[A-Z])/g)?.length ?? 0) >= run.length / 2;
}

function isEmail(text: string): boolean {
  return /^[^\s@:/]+@[^\s@:/]+\.[A-Za-z]+$/.test(text);
}

/** What stands where a person is to write a secret: `<YOUR_TOKEN>`, `your-api-key`, `xxxx`, `...`, or nothing. */
export function isPlaceholder(value: string): boolean {
  const text = value.trim();
  return (
    isMarked(text) ||
    /^(?:sk|pk|ghp|hf|xoxb|glpat|bsa|[a-z]{2,10}[-_])?[-_]?(?:proj-)?(?:\.{3}|…|\*{3,}|x{3,})[x.*]{0,80}$/i.test(
      text,
    ) ||
    /^(?:your|my|insert|replace|enter|paste)[-_ ]/i.test(text) ||
    /^your(?:api|access|secret)?(?:key|token|secret|password)$/i.test(text) ||
    /^(?:changeme|change-me|replaceme|todo|placeholder|(?:api|access|secret)[-_ ]?(?:key|token))$/i.test(text) ||
    /[-_ ]here$/i.test(text) ||
    text === ''
  );
}

/** `<TOKEN>`, `[TOKEN]` and `{TOKEN}`: nothing else is written so. */
export function isMarked(text: string): boolean {
  return /^(?:<[^<>]*>|\[[^[\]]*\]|\{\{?[\w .-]*\}?\})$/.test(text);
}
