// Traces and metrics by OpenTelemetry, for what reaches out of the process.
//
// 1. Without an endpoint nothing is loaded and nothing is kept.
// 2. What is told here holds names, numbers and kinds of errors: never a text of a caller, an author or a provider.
import type { Exporter } from './exporter.ts';
import type { Operation } from './operation.ts';

export interface Telemetry {
  done(operation: Operation): void;
  /** Sends what was not sent yet. */
  close(): Promise<void>;
}

interface TelemetryOptions {
  /** The base URL of a collector that takes OTLP over HTTP; undefined: there is none. */
  endpoint: string | undefined;
  version: string;
  onError: (error: unknown) => void;
}

export function createTelemetry({ endpoint, version, onError }: TelemetryOptions): Telemetry {
  if (endpoint === undefined) return { done: () => undefined, close: async () => undefined };
  let exporter: Promise<Exporter> | undefined;
  const load = (): Promise<Exporter> => {
    exporter ??= import('./exporter.ts').then(({ createExporter }) => createExporter(endpoint, version));
    return exporter;
  };
  return {
    done(operation) {
      load().then((loaded) => loaded.done(operation), onError);
    },
    async close() {
      // A collector that is not there must not keep the service from ending.
      await exporter?.then((loaded) => loaded.close()).catch(onError);
    },
  };
}
