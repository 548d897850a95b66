// Whether a value looks like a credential, by its name or by its form. Credentials are entered on the connect page,
// where only the person sees them, and never in an entry.
import { percentDecoded } from '../../lib/percent-decode.ts';

const NAMES =
  /authorization|cookie|key|token|secret|passw(?:or)?d|pwd|credential|signature|^(?:x-)?(?:auth|jwt|sig|bearer)$/i;

/** Whether a header or parameter of this name carries a credential. */
export function isNamedLikeSecret(name: string): boolean {
  return NAMES.test(name);
}

/** Forms of the keys and tokens of well-known services. */
const FORMS: readonly RegExp[] = [
  /^\s*(?:bearer|basic|digest|negotiate|apikey|token)\s+\S/i,
  /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/, // JSON Web Tokens
  /-----BEGIN [A-Z ]*(?:PRIVATE KEY|CERTIFICATE)/,
  /\b(?:gh[oprsu]_|github_pat_|glpat-|gldt-|npm_|pypi-|hf_|dop_v1_|shp(?:at|ca|pa|ss)_|lin_api_|ntn_|secret_|abk_)\w{16,}/,
  /\b(?:sk|rk|pk)[-_](?:live|test|proj|ant|or)?[-_]?[\w-]{16,}/,
  /\bxox[abeoprs]-[\w-]{10,}/,
  /\b(?:AKIA|ASIA|AGPA|AROA)[A-Z0-9]{16}\b/,
  /\bAIza[\w-]{30,}/,
  /\bya29\.[\w-]{20}/,
  /\bSG\.[\w-]{16,}\.[\w-]{16,}/,
];

/** Whether a text has the form of a key or token, as it is or after its escapes are decoded. */
export function hasSecretForm(text: string): boolean {
  return [text, percentDecoded(text)].some((one) => FORMS.some((form) => form.test(one)));
}
