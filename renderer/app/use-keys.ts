import { useLayoutEffect, useRef } from 'react';
import { isWriting } from '../ui/is-writing.ts';

/** Milliseconds between the keys of a sequence such as `g r`. */
const LONGEST_PAUSE = 1_000;

export type Keys = Readonly<Record<string, () => void>>;

/** Calls what a key (`?`) or a sequence (`g r`) stands for, unless a person writes somewhere. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  useLayoutEffect(() => {
    latest.current = keys;
  });
  useLayoutEffect(() => {
    let before = '';
    let at = 0;
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isWriting(event)) return;
      const sequence = event.timeStamp - at < LONGEST_PAUSE ? `${before} ${event.key}` : event.key;
      before = event.key;
      at = event.timeStamp;
      const call = latest.current[sequence] ?? latest.current[event.key];
      if (call === undefined) return;
      event.preventDefault();
      before = '';
      call();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
