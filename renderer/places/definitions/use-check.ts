import { useEffect, useState } from 'react';
import type { DefinitionType } from '../../../shared/definition-types.ts';
import type { DocumentCheck } from '../../../shared/schemas/index.ts';
import { checkDefinition } from '../../api/operations.ts';

/** Milliseconds after the last key. */
const PAUSE = 250;
/** Milliseconds after which a check that was not carried out is asked for again. */
const AGAIN = 2_000;

export interface Checked {
  /** What the service said last; it may be of a text some keys older. */
  check: DocumentCheck | undefined;
  isChecking: boolean;
  error: unknown;
}

/** Has the service check a text whenever typing pauses. Typing never waits for it. */
export function useCheck(playbook: string, type: DefinitionType, text: string): Checked {
  const [checked, setChecked] = useState<Checked>({ check: undefined, isChecking: true, error: undefined });
  useEffect(() => {
    const ending = new AbortController();
    setChecked((before) => ({ ...before, isChecking: true }));
    const ask = (): void => {
      checkDefinition(playbook, type, text, ending.signal).then(
        (check) => setChecked({ check, isChecking: false, error: undefined }),
        (error: unknown) => {
          if (ending.signal.aborted) return;
          setChecked((before) => ({ ...before, isChecking: false, error }));
          timer = setTimeout(ask, AGAIN);
        },
      );
    };
    let timer = setTimeout(ask, PAUSE);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [playbook, type, text]);
  return checked;
}
