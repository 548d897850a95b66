// A worker thread that reads datasets.
import { inspect } from './inspect.ts';
import type { ForecastRequest } from './requests.ts';
import { serveCalls } from './serve-calls.ts';

serveCalls<ForecastRequest>(async ({ kind }, context) => {
  switch (kind) {
    case 'inspect':
      return { answer: await inspect(context.chunks()) };
  }
});
