import { type RefObject, useEffect, useRef } from 'react';

export interface StepFocus {
  root: RefObject<HTMLDivElement | null>;
  /** The heading of the details. */
  heading: RefObject<HTMLHeadingElement | null>;
  /** A step was chosen. `enter` moves the focus to its details, which may not be rendered yet. */
  opened: (how?: 'enter') => void;
  /** The details were closed: the focus returns to where they were opened. */
  closed: () => void;
}

/**
 * The focus between the steps of a run and the details of one.
 * @param isOpen whether details are shown; if a link shows them, the page scrolls to them
 */
export function useStepFocus(isOpen: boolean): StepFocus {
  const root = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const opener = useRef<Element>(null);
  const isEntering = useRef(false);
  const isLeaving = useRef(false);
  const hasSettled = useRef(false);
  useEffect(() => {
    if (hasSettled.current || root.current === null) return;
    hasSettled.current = true;
    if (isOpen) root.current.scrollIntoView({ block: 'start' });
  });
  useEffect(() => {
    if (isEntering.current && heading.current !== null) {
      isEntering.current = false;
      heading.current.focus({ preventScroll: true });
    }
    if (isLeaving.current && heading.current === null) {
      isLeaving.current = false;
      const known = opener.current?.isConnected === true ? opener.current : undefined;
      const element = known ?? root.current?.querySelector('[role="treegrid"]');
      if (element instanceof HTMLElement) element.focus({ preventScroll: true });
    }
  });
  return {
    root,
    heading,
    opened(how) {
      const { activeElement } = document;
      const isStep = activeElement?.closest('[role="treegrid"], .react-flow__node') ?? null;
      if (isStep !== null) opener.current = isStep;
      isEntering.current = how === 'enter';
    },
    closed() {
      isEntering.current = false;
      isLeaving.current = true;
    },
  };
}
