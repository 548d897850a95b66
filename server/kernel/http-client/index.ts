export type { AllowAddress } from './addresses.ts';
export { createHttpClient, type HttpClient, type HttpClientOptions } from './client.ts';
export {
  type FailureCause,
  type HttpAnswer,
  type HttpFailure,
  type HttpRequest,
  type HttpResponse,
  isRepeatable,
  type SendOptions,
} from './request.ts';
