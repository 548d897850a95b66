// The OpenTelemetry SDK, loaded when there is something to report.
import os from 'node:os';
import { type Attributes, ROOT_CONTEXT, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { randomHex } from '../random.ts';

/** A call to something outside the process, from start to end. */
export interface TracedCall {
  /** Name of the span. */
  span: string;
  /** Name of the histogram that takes the duration in seconds. */
  metric: string;
  /** Milliseconds since 1970. */
  startedAt: number;
  endedAt: number;
  /** On both the span and the histogram. */
  attributes: Readonly<Record<string, string | number>>;
  /** On the span only. */
  details?: Readonly<Record<string, string | number>>;
  /** The kind of the failure; becomes `error.type`. */
  error?: string;
  /** 16 bytes as hex: the trace that the span belongs to. Absent: a new trace. */
  traceId?: string;
}

/** A number that only grows while the process lives. */
export interface Counter {
  name: string;
  description: string;
  read: () => number;
}

export interface Exporter {
  done(call: TracedCall): void;
  close(): Promise<void>;
}

/** A number that rises and falls, such as how much is waiting. */
export interface Gauge {
  name: string;
  description: string;
  /** In the notation of UCUM, for example `s`. */
  unit: string;
  /** What fails is left out of the export. */
  read: () => Promise<number>;
}

/** What is read when it is exported. */
export interface Measured {
  counters: readonly Counter[];
  gauges: readonly Gauge[];
}

/** Seconds; the boundaries that the semantic conventions advise for model operations. */
const BOUNDARIES = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const CLOSING_MS = 5000;

export function createExporter(endpoint: string, version: string, { counters, gauges }: Measured): Exporter {
  const resource = resourceFromAttributes({
    'service.name': 'cuebook',
    'service.version': version,
    // Servers of one database report the same metrics: without it, a collector takes them for one.
    'service.instance.id': `${os.hostname()}:${process.pid}`,
  });
  // A root span takes the trace of the run that it belongs to.
  let traceId = '';
  const tracers = new TracerProvider({
    resource,
    idGenerator: { generateTraceId: () => traceId, generateSpanId: () => randomHex(8) },
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }) })],
  });
  const meters = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter({ url: `${endpoint}/v1/metrics` }) }),
    ],
  });
  const tracer = tracers.getTracer('cuebook', version);
  const meter = meters.getMeter('cuebook', version);
  for (const { name, description, read } of counters) {
    meter.createObservableCounter(name, { description }).addCallback((result) => result.observe(read()));
  }
  for (const { name, description, unit, read } of gauges) {
    meter.createObservableGauge(name, { description, unit }).addCallback(async (result) => {
      try {
        result.observe(await read());
      } catch {
        // The store cannot be read now.
      }
    });
  }

  return {
    done({ span: name, metric, startedAt, endedAt, attributes, details, error, traceId: given }) {
      const common: Attributes = { ...attributes, ...(error === undefined ? {} : { 'error.type': error }) };
      traceId = given ?? randomHex(16);
      const span = tracer.startSpan(
        name,
        { kind: SpanKind.CLIENT, startTime: startedAt, attributes: { ...common, ...details } },
        ROOT_CONTEXT,
      );
      if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(endedAt);
      meter
        .createHistogram(metric, { unit: 's', advice: { explicitBucketBoundaries: BOUNDARIES } })
        .record((endedAt - startedAt) / 1000, common);
    },
    async close() {
      const closed = Promise.all([tracers.shutdown(), meters.shutdown()]);
      const patience = Promise.withResolvers<void>();
      const timer = setTimeout(patience.resolve, CLOSING_MS);
      await Promise.race([closed, patience.promise]).finally(() => clearTimeout(timer));
    },
  };
}
