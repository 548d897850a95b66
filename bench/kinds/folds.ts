// The fold of a view without Cuebook: in plain Node, and in QuickJS with the events already inside.
import wasmVariant from '@jitl/quickjs-wasmfile-release-sync';
import { newQuickJSWASMModuleFromVariant, type QuickJSSyncVariant } from 'quickjs-emscripten-core';
import { eventTexts, SOURCE, type State } from './tickets.ts';

/** Events that are in memory at once. */
const A_PAGE = 20_000;

/** Seconds that reading and folding the events takes, without a sandbox and a store. */
export async function foldPlainly(count: number): Promise<number> {
  const { evolve } = (await import(`data:text/javascript,${encodeURIComponent(SOURCE)}`)) as {
    evolve: (state: State, event: unknown) => State;
  };
  let state: State = { open: {}, opened: 0, closed: 0 };
  let seconds = 0;
  for (let from = 0; from < count; from += A_PAGE) {
    const texts = eventTexts(from, Math.min(A_PAGE, count - from));
    const begun = performance.now();
    for (const text of texts) state = evolve(state, JSON.parse(text));
    seconds += (performance.now() - begun) / 1000;
  }
  if (state.opened + state.closed !== count) throw new Error('The plain fold lost events.');
  return seconds;
}

/** Seconds in QuickJS, the interpreter of the sandbox, for events that are already in its memory. */
export interface InQuickJs {
  /** Reading the events from JSON. */
  parse: number;
  /** Folding the events that were read. */
  fold: number;
}

export async function foldInQuickJs(count: number): Promise<InQuickJs> {
  // Its types describe the CommonJS form, where the variant stands under `default`; the ES module is the variant itself.
  const quickjs = await newQuickJSWASMModuleFromVariant(wasmVariant as unknown as QuickJSSyncVariant);
  const context = quickjs.newContext();
  const evaluate = (code: string): unknown => {
    const handle = context.unwrapResult(context.evalCode(code));
    return handle.consume((value) => context.dump(value) as unknown);
  };
  evaluate(`${SOURCE.replaceAll('export const', 'var').replaceAll('export ', '')}; var state = initial; var events;`);
  const timed = (code: string): number => {
    const begun = performance.now();
    evaluate(code);
    return (performance.now() - begun) / 1000;
  };
  const seconds = { parse: 0, fold: 0 };
  for (let from = 0; from < count; from += A_PAGE) {
    const text = `[${eventTexts(from, Math.min(A_PAGE, count - from)).join()}]`;
    context.newString(text).consume((handle) => context.setProp(context.global, 'text', handle));
    seconds.parse += timed('events = JSON.parse(text); 0');
    seconds.fold += timed('for (const event of events) state = evolve(state, event); 0');
  }
  const folded = evaluate('state.opened + state.closed');
  context.dispose();
  if (folded !== count) throw new Error('The fold in QuickJS lost events.');
  return seconds;
}
