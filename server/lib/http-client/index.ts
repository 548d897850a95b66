export { type AllowAddress, bareHost } from './addresses.ts';
export { createHttpClient, type HttpClient, type HttpClientOptions } from './client.ts';
export { createEgress, type Egress, type HttpSender } from './egress.ts';
export { createFetch, FetchFailed, type Fetching } from './fetch.ts';
export { isLoopbackAddress, isPublicAddress } from './public-address.ts';
export {
  AnswerBroken,
  type FailureCause,
  type HttpAnswer,
  type HttpFailure,
  type HttpRequest,
  type HttpResponse,
  type HttpStream,
  isRepeatable,
  type SendOptions,
} from './request.ts';
