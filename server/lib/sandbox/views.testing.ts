// Programs that keep views, in the real sandbox.
import { afterAll, expect } from 'vitest';
import { createSandbox, type Sandbox } from './index.ts';

const FORM = {
  exports: ['initial', 'evolve', 'answer'],
  parameters: { evolve: ['State', 'PlaybookEvent'], answer: ['State', 'Input'] },
  keepsView: true,
};
export const MIB = 1_048_576;
export const REST =
  'export const initial = {}; export const evolve = (state, event) => state; export const answer = (state) => state;';

export const view = (body: string, { initial = '{}', top = '' } = {}): string =>
  `${top}\nexport const initial = ${initial};\nexport function evolve(state, event) { ${body} }\nexport const answer = (state, input) => ({ state, input });`;

export interface ViewSandbox {
  sandbox: Sandbox;
  /** The issues of a program with this top level, as `line detail`. */
  issues: (top: string, rest?: string) => Promise<string[]>;
  /** The state of a view after the events, folded in batches of the given size. */
  fold: (program: string, events: readonly object[], batch?: number) => Promise<unknown>;
  /** The state after one event, for a program whose `evolve` has this body. */
  once: (body: string, options?: { initial?: string; top?: string }) => Promise<unknown>;
}

/** Closed after the tests of the file. */
export function createViewSandbox(): ViewSandbox {
  const sandbox = createSandbox();
  afterAll(() => sandbox.close());

  async function issues(top: string, rest = REST): Promise<string[]> {
    const looked = await sandbox.check(`${top}\n${rest}`, FORM);
    if (typeof looked !== 'object') throw new Error('The program was not looked at.');
    return looked.issues.map(({ line, detail }) => `${line} ${detail}`);
  }

  async function fold(program: string, events: readonly object[], batch = events.length): Promise<unknown> {
    const texts = events.map((event, index) =>
      JSON.stringify({
        id: `0192b3a4-5c6d-7e8f-9a0b-0000000000${index + 10}`,
        at: '2026-03-01T12:00:00.000Z',
        ...event,
      }),
    );
    let state = '';
    for (let from = 0; from < texts.length; from += batch) {
      const folded = await sandbox.fold({
        source: program,
        state,
        events: texts.slice(from, from + batch),
        stateBytes: MIB,
      });
      if (typeof folded !== 'object' || folded.kind === 'ended') throw new Error('Nothing was folded.');
      if (folded.kind === 'not_folded') return folded.detail;
      expect(folded.count).toBe(Math.min(batch, texts.length - from));
      state = folded.state;
    }
    return JSON.parse(state) as unknown;
  }

  return { sandbox, issues, fold, once: (body, options = {}) => fold(view(body, options), [{}]) };
}
