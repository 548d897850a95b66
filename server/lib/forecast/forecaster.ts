// The caller's side of the forecasts: everything is read and computed in a worker thread.
import { createCallWorker } from './call-worker.ts';
import type { DatasetSummary } from './inspect.ts';
import type { ForecastRequest } from './requests.ts';

export interface Forecaster {
  /**
   * Reads a dataset as it streams, no faster than it is read.
   * @throws Refused `invalid_input` with an issue at the body, whose detail begins with `Line N`; `unavailable` where the
   *   worker ended
   * @throws what the stream throws, and the reason of the signal
   */
  inspect(chunks: AsyncIterable<Uint8Array>, options?: { signal?: AbortSignal }): Promise<DatasetSummary>;
  close(): Promise<void>;
}

export interface ForecasterOptions {
  /** Is called with what the worker failed with, for the log. */
  onFailure?: (message: string) => void;
}

/** The memory of JavaScript objects; a panel's figures are outside of it. */
const MOST_HEAP_MB = 1024;

export function createForecaster({ onFailure = () => {} }: ForecasterOptions = {}): Forecaster {
  const worker = createCallWorker<ForecastRequest>(new URL('./forecast-worker.ts', import.meta.url), {
    limits: { maxOldGenerationSizeMb: MOST_HEAP_MB },
    onFailure,
  });
  return {
    async inspect(chunks, { signal } = {}) {
      return (await worker.call({ request: { kind: 'inspect' }, source: () => chunks, signal })) as DatasetSummary;
    },
    close: () => worker.close(),
  };
}
