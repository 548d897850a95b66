// Which values of an entry are secrets. A wrong "yes" costs a variable and redacts the value from results; a wrong "no"
// leaves a secret in the configuration file. So what is not plainly harmless is a secret.
const SECRET_NAME = /key|token|secret|passw|pwd|credential|auth|cookie|session|signature|\bpat\b|_pat$|dsn|private/i;
const SECRET_FORM =
  /^(?:sk|pk|rk|ghp|gho|ghs|github_pat|glpat|xox[abprs]|npm|pypi|hf|AKIA|AIza|eyJ|ntn|secret)[-_A-Za-z0-9]{8}/;
const URL_WITH_PASSWORD = /:\/\/[^/?#\s]*@/;

/** A value of `env`, `headers` or `query_params`. */
export function isSecretValue(name: string, value: string): boolean {
  if (value === '') return false;
  if (SECRET_FORM.test(value) || URL_WITH_PASSWORD.test(value)) return true;
  if (/^(?:true|false|yes|no|on|off|null|\d{1,7})$/i.test(value)) return false;
  if (SECRET_NAME.test(name)) return true;
  const isPath = /^(?:[/~.]|[A-Za-z]:[\\/])/.test(value);
  const isUrl = /^[a-z][a-z0-9+.-]*:\/\/[^?#]*$/i.test(value);
  const isMedia = /^[a-z]+\/[a-z0-9.+*-]+(?:\s*[,;].*)?$/i.test(value);
  const isWord = /^[A-Za-z]+(?:[ ._-][A-Za-z]+)*$/.test(value) && value.length <= 40;
  return !isPath && !isUrl && !isMedia && !isWord && value.length >= 8;
}

/** Whether a flag or a parameter of a query is named like a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** What stands where a person is to write a secret: `<YOUR_TOKEN>`, `your-api-key`, `xxxx`, `...`, or nothing. */
export function isPlaceholder(value: string): boolean {
  return /^(?:|<[^<>]*>|\[[^[\]]*\]|\.{3}|…|\*{3,}|x{3,}|(?:your|insert|replace|enter)[-_ ].*|.*[-_ ]here|changeme|todo)$/i.test(
    value.trim(),
  );
}

/** The part of an argument that is a secret: of `--api-key=x` and `Authorization: Bearer x` the x. */
export function secretInArgument(
  argument: string,
  before: string | undefined,
): [kept: string, secret: string] | undefined {
  const header = /^([A-Za-z-]+:[ \t]*(?:(?:bearer|basic|token)[ \t]+)?)(\S.*)$/i.exec(argument);
  const flag = /^(--?[A-Za-z][\w-]*=|[A-Za-z_]\w*=)([^]+)$/.exec(argument);
  const [, kept = '', secret = ''] = flag ?? (header !== null && !argument.includes('://') ? header : null) ?? [];
  if (secret !== '' && (isSecretName(kept) || SECRET_FORM.test(secret))) return [kept, secret];
  const isAfterFlag = before !== undefined && /^--?[A-Za-z][\w-]*$/.test(before) && isSecretName(before);
  if (isAfterFlag && !argument.startsWith('-')) return ['', argument];
  return SECRET_FORM.test(argument) || URL_WITH_PASSWORD.test(argument) ? ['', argument] : undefined;
}
