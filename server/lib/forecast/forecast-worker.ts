// A worker thread that reads datasets, and holds some to answer what is asked of them.
import { workerData } from 'node:worker_threads';
import { inspect } from './inspect.ts';
import { createPanelCache } from './panel-cache.ts';
import { answerQuery } from './panel-queries.ts';
import type { ForecastRequest, PanelQuery, QueryAnswers } from './requests.ts';
import { serveCalls } from './serve-calls.ts';

export interface ForecastWorkerData {
  /** What the panels that are kept may take. */
  mostBytes: number;
}

const panels = createPanelCache((workerData as ForecastWorkerData).mostBytes);

serveCalls<ForecastRequest>(async (request, context) => {
  switch (request.kind) {
    case 'inspect':
      return { answer: await inspect(context.chunks()) };
    case 'panel': {
      const open = await panels.open(request.location, request.query.kind, () => context.chunks());
      const answer = await answerQuery(open, request.query, context);
      return { answer, transfer: tensorsIn(answer) };
    }
  }
});

/** The memory of an answer's tensors: it moves to the caller. */
function tensorsIn(answer: QueryAnswers[PanelQuery['kind']]): ArrayBuffer[] {
  if (answer === undefined || !('tensors' in answer)) return [];
  return Object.values(answer.tensors).map(({ buffer }) => buffer);
}
