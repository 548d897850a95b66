import { useEffect, useState } from 'react';
import type { DefinitionType } from '../../../shared/definition-types.ts';
import type { DocumentCheck } from '../../../shared/api/index.ts';
import { call } from '../../api/call.ts';

/** Milliseconds after the last key. */
const PAUSE = 250;
/** Milliseconds after which a check that was not carried out is asked for again. */
const AGAIN = 2_000;

export interface Checked {
  /** What the service said last; it may be of a text some keys older. */
  check: DocumentCheck | undefined;
  /** What it said last of a text without issues: what there is to draw. */
  sound: DocumentCheck | undefined;
  isChecking: boolean;
  error: unknown;
}

const NOTHING: Checked = { check: undefined, sound: undefined, isChecking: true, error: undefined };

/** Has the service check a text whenever typing pauses. Typing never waits for it, and only the newest answer counts. */
export function useCheck(playbook: string, type: DefinitionType, text: string): Checked {
  const [checked, setChecked] = useState(NOTHING);
  useEffect(() => {
    const ending = new AbortController();
    setChecked((before) => ({ ...before, isChecking: true }));
    const ask = async (): Promise<void> => {
      try {
        const check = await call('check_definition', { playbook, type, source: text }, ending.signal);
        if (ending.signal.aborted) return;
        setChecked(({ sound }) => ({ check, sound: check.valid ? check : sound, isChecking: false, error: undefined }));
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
  }, [playbook, type, text]);
  return checked;
}
