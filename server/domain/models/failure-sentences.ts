// The sentences of failures. They name a provider, a status, its meaning and a code, never the prompt, the answer or a secret.
import { STATUS_CODES } from 'node:http';
import { assertNever } from '../../../shared/assert-never.ts';
import type { FailureContext, ProviderFailure } from './provider-failure.ts';

export function sentenceOf(provider: string, failure: ProviderFailure): string {
  const { kind, status, code, retryAfter, others } = failure;
  const answered =
    failure.isWithinAnswer === true ? brokenOffWords(provider, code) : answeredWords(provider, status, code);
  switch (kind) {
    case 'provider_not_configured':
      return (
        failure.remedy ??
        `The model provider ${provider} is not configured correctly; ask the operator of this server to fix it.${others === undefined || others.providers.length === 0 ? '' : ` Configured providers: ${namesOf(others)}.`}`
      );
    case 'credentials_rejected':
      return status === null
        ? `The model provider ${provider} has no credential; ask the operator of this server to fix it.`
        : `${answered}: ${credentialWords(failure)}`;
    case 'rate_limited': {
      const reason = failure.cause === 'no_credits' ? NO_CREDITS : 'too many requests.';
      return `${answered}: ${reason} ${retryAfter === undefined ? 'Try again later.' : `Wait ${secondsWords(retryAfter)}, then try again.`}`;
    }
    case 'provider_unavailable':
      return unavailableWords(provider, answered, failure);
    case 'timed_out':
      return `The model provider ${provider} did not respond in time; try again later.`;
    case 'definition_invalid':
      return failure.misfit ?? `${answered}: ${invalidWords(failure)}`;
    case 'request_too_long':
      return `${answered}: the request is too long for the model; ${tooLongWords(failure)}.`;
    case 'content_refused':
      return `The model provider ${provider} refuses the content under its policy; change the input.`;
    case 'unclassified':
      return `The model provider ${provider} failed for an unknown reason (unclassified).`;
    default:
      return assertNever(kind);
  }
}

const ADDRESS_WRONG = 'its address is wrong; ask the operator of this server to check the address.';
const NO_CREDITS = 'the account of this server has no credits left; ask the operator of this server to add some.';

const REGION = 'it does not serve the region of this server; ask the operator of this server for another provider.';

function credentialWords({ cause, model, isPage = false }: ProviderFailure): string {
  if (cause === 'no_credits') return NO_CREDITS;
  if (isPage) {
    return "it sent a web page, so a proxy may refuse in its place, or it rejects this server's credential; ask the operator of this server to fix it.";
  }
  if (cause === 'region_refused') return REGION;
  const isWithheld = cause === 'model_unknown' || cause === 'model_withheld';
  const what = isWithheld ? `does not offer ${modelWords(model)} to` : 'rejects';
  return `it ${what} this server's credential; ask the operator of this server to fix it.`;
}

function unavailableWords(provider: string, answered: string, { status, ending, ...failure }: ProviderFailure): string {
  if (status === null) {
    return `The model provider ${provider} could not be reached, or the connection broke off; try again later.`;
  }
  if (ending?.isCall === true) {
    return `The model of the provider ${provider} requested a tool in a form that is not valid (${ending.reason}); try again.`;
  }
  if (ending !== undefined) {
    return `The model provider ${provider} ended its answer with ${ending.reason}; try again later.`;
  }
  if (failure.isPage === true && status < 300) {
    return `The model provider ${provider} returned a web page in place of an answer; try again later, or ask the operator of this server to check its address.`;
  }
  if (status < 300 && failure.isWithinAnswer !== true) {
    return `The model provider ${provider} sent a response that cannot be read; try again later.`;
  }
  const redirect = status >= 300 && status < 400;
  return redirect
    ? `${answered}, a redirect; redirects are not followed. Try again later.`
    : `${answered}; try again later.`;
}

function invalidWords({ cause, status, model, isPage, isTest = false, isGateway = false }: ProviderFailure): string {
  switch (cause) {
    case 'address_wrong':
      return ADDRESS_WRONG;
    case 'model_unknown':
      return `it does not know ${modelWords(model)}; name a model that list_models shows.`;
    case 'no_credits':
      return NO_CREDITS;
    case 'tools_refused':
      return 'the model does not take tools; name another model, or remove `tools`.';
    case 'call_invalid':
      return 'the model requested a tool in a form that is not valid; try again, or name another model.';
    case 'json_invalid':
      return 'the model wrote JSON that is not valid; try again, or name another model.';
    case 'region_refused':
      return REGION;
    case 'model_withheld':
      return `it does not offer ${modelWords(model)} to the account of this server; name another model, or ask the operator of this server to get access.`;
    case 'model_not_loaded':
      return `it cannot load ${modelWords(model)}; name another model, or ask the operator of this server to check it.`;
    case 'model_unsuited':
      return `${modelWords(model)} does not take such requests; name a model for chat that list_models shows.`;
    case 'json_refused':
      return isGateway
        ? 'it does not take requests for JSON in the form that this server sends; ask the operator of this server to change the form.'
        : 'the model does not take requests for JSON in this form; name another model, or change `output`.';
    case 'too_long':
    case 'refused':
    case 'key_rejected':
    case undefined:
      break;
    default:
      return assertNever(cause);
  }
  if (status === 404) {
    return `it does not know ${modelWords(model)}, or its address is wrong; name a model that list_models shows, or ask the operator of this server to check the address.`;
  }
  if (isPage === true) return 'it sent a web page; ask the operator of this server to check the address.';
  if (status === 405)
    return 'its address takes no such requests; ask the operator of this server to check the address.';
  return isTest
    ? 'it does not accept the request.'
    : 'it does not accept what the definition requests; change the definition.';
}

function tooLongWords({ hasResults = false, isTest = false }: ProviderFailure): string {
  if (isTest) return 'give the model a larger context';
  return hasResults ? 'ask the tools for a page of their results' : 'shorten the prompt or the input';
}

function modelWords(model: string | undefined): string {
  return model === undefined ? 'the model' : `the model ${model}`;
}

function brokenOffWords(provider: string, code: string | undefined): string {
  return `The model provider ${provider} ended its answer with an error${code === undefined ? '' : ` (code ${code})`}`;
}

export function answeredWords(provider: string, status: number | null, code: string | undefined): string {
  if (status === null) return `The model provider ${provider} did not respond`;
  const meaning = STATUS_CODES[status];
  const more = [meaning, code === undefined ? undefined : `code ${code}`].filter((part) => part !== undefined);
  return `The model provider ${provider} returned ${status}${more.length === 0 ? '' : ` (${more.join(', ')})`}`;
}

function secondsWords(seconds: number): string {
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}

export function namesOf({ providers, aliases }: FailureContext): string {
  return `${providers.join(', ')}${aliases.length === 0 ? '' : `, and the aliases ${aliases.join(', ')}`}`;
}
