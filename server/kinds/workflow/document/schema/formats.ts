// What texts of the DSL look like.
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { wholeExpression } from '../../../../lib/jq/index.ts';

/** RFC 3986, appendix B: an authority is matched as the beginning of the path, so that no part is tried at two lengths. */
const URI_PARTS = /^(?!\s*\$\{)(?=\S)(?:[^:/?#]+:)?[^?#\s]*(?:\?[^#\s]*)?(?:#\S*)?$/;
const NUMBER = String.raw`\d+(?:\.\d+)?`;
const ISO_DURATION = new RegExp(
  `^P(?!$)(${NUMBER}Y)?(${NUMBER}M)?(${NUMBER}W)?(${NUMBER}D)?(T(?=\\d)(${NUMBER}H)?(${NUMBER}M)?(${NUMBER}S)?)?$`,
);
const LABEL = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$/;
const PRE_RELEASE = String.raw`(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)`;
const AFTER_NUMBERS = String.raw`(?:-${PRE_RELEASE}(?:\.${PRE_RELEASE})*)?(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?$`;
const NUMBERED = String.raw`(?:0|[1-9]\d*)`;
const SEMANTIC_VERSION = new RegExp(String.raw`^${NUMBERED}\.${NUMBERED}\.${NUMBERED}${AFTER_NUMBERS}`);
const DSL_VERSION = new RegExp(String.raw`^1\.0\.${NUMBERED}${AFTER_NUMBERS}`);

/** The standard has one line; ours may hold several. */
function isExpression(text: string): boolean {
  return wholeExpression(text) !== undefined;
}

function isUri(text: string): boolean {
  return URI_PARTS.test(text) && (fits('uri-template', text) || fits('uri-reference', text));
}

function fits(format: 'uri-template' | 'uri-reference' | 'date-time' | 'json-pointer', text: string): boolean {
  const found = fullFormats[format];
  if (found instanceof RegExp) return found.test(text);
  const validate = typeof found === 'object' ? found.validate : found;
  return validate instanceof RegExp
    ? validate.test(text)
    : typeof validate === 'function' && (validate as (text: string) => boolean)(text);
}

export const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  'runtime-expression': isExpression,
  'uri-template': isUri,
  'uri-template-only': (text) => fits('uri-template', text),
  'uri-or-expression': (text) => isExpression(text) || isUri(text),
  duration: (text) => isExpression(text) || ISO_DURATION.test(text),
  'time-or-expression': (text) => isExpression(text) || fits('date-time', text),
  'pointer-or-expression': (text) => isExpression(text) || fits('json-pointer', text),
  'dns-label': (text) => LABEL.test(text),
  'dsl-version': (text) => DSL_VERSION.test(text),
  'semantic-version': (text) => SEMANTIC_VERSION.test(text),
};
