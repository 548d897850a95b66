import { useEffect, useState } from 'react';
import type { DocumentCheck } from '../../../shared/api/index.ts';
import { call } from '../../api/call.ts';
import type { DefinitionKey } from '../../api/queries.ts';
import { useMayCall } from '../../api/session/use-session.ts';

/** Milliseconds from the last key to the check. */
const PAUSE = 250;
/** Milliseconds until a failed check is retried. */
const AGAIN = 2_000;

export interface Checked {
  /** False if the caller is not permitted to check documents. */
  isPossible: boolean;
  /** The latest result; it may belong to a slightly older text. */
  check: DocumentCheck | undefined;
  /** The latest result without issues, used for the overview and graph, and the text that it belongs to. */
  sound: (DocumentCheck & { text: string }) | undefined;
  isChecking: boolean;
  error: unknown;
}

const NOTHING: Omit<Checked, 'isPossible'> = { check: undefined, sound: undefined, isChecking: true, error: undefined };

/** Checks a text whenever typing pauses. Typing never waits for it, and only the newest result counts. */
export function useCheck({ playbook, type, name }: DefinitionKey, text: string): Checked {
  const [checked, setChecked] = useState(NOTHING);
  const isPossible = useMayCall('check_definition');
  useEffect(() => {
    if (!isPossible) return;
    const ending = new AbortController();
    setChecked((before) => ({ ...before, isChecking: true }));
    const ask = async (): Promise<void> => {
      try {
        const check = await call(
          'check_definition',
          { playbook, type, source: text, include: ['graph', 'declarations'], ...(name !== '' && { name }) },
          ending.signal,
        );
        if (ending.signal.aborted) return;
        setChecked(({ sound }) => ({
          check,
          sound: check.valid ? { ...check, text } : sound,
          isChecking: false,
          error: undefined,
        }));
      } catch (error) {
        if (ending.signal.aborted) return;
        setChecked((before) => ({ ...before, isChecking: false, error }));
        timer = setTimeout(ask, AGAIN);
      }
    };
    let timer = setTimeout(ask, PAUSE);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [isPossible, playbook, type, name, text]);
  return { ...checked, isPossible };
}
