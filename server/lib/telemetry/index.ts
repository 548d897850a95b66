// OpenTelemetry traces and metrics for calls that leave the process, and counters of what it does inside.
//
// 1. Without an endpoint, nothing is loaded and nothing is stored.
// 2. Only names, numbers and kinds of errors are exported: never a text from a caller, an author or a provider.
import type { Counter, Exporter, Gauge, TracedCall } from './exporter.ts';

export type { Counter, Gauge, TracedCall } from './exporter.ts';

export interface Telemetry {
  done(call: TracedCall): void;
  /** Flushes what has not been sent. */
  close(): Promise<void>;
}

interface TelemetryOptions {
  /** The base URL of a collector that takes OTLP over HTTP; undefined: telemetry is off. */
  endpoint: string | undefined;
  version: string;
  /** Exported once a minute. */
  counters?: readonly Counter[];
  gauges?: readonly Gauge[];
  onError: (error: unknown) => void;
}

export function createTelemetry({
  endpoint,
  version,
  counters = [],
  gauges = [],
  onError,
}: TelemetryOptions): Telemetry {
  if (endpoint === undefined) return { done: () => undefined, close: async () => undefined };
  let exporter: Promise<Exporter> | undefined;
  const load = (): Promise<Exporter> => {
    exporter ??= import('./exporter.ts').then(({ createExporter }) =>
      createExporter(endpoint, version, { counters, gauges }),
    );
    return exporter;
  };
  if (counters.length + gauges.length > 0) load().catch(onError);
  return {
    done(call) {
      load().then((loaded) => loaded.done(call), onError);
    },
    async close() {
      // An unreachable collector must not keep the service from stopping.
      await exporter?.then((loaded) => loaded.close()).catch(onError);
    },
  };
}
