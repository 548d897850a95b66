import { useEffect } from 'react';

/** Marks a tooltip that was set here, and may be changed or removed here. */
const MARK = 'data-cut-title';

/**
 * Gives every text that is truncated with an ellipsis a tooltip with the whole text. The link of a row covers the cells of
 * the row: it gets the tooltip of the cell under the pointer.
 */
export function useCutTitles(): void {
  useEffect(() => {
    document.addEventListener('pointermove', updateTitle, { passive: true });
    return () => document.removeEventListener('pointermove', updateTitle);
  }, []);
}

function updateTitle({ target, clientX, clientY }: PointerEvent): void {
  if (!(target instanceof Element)) return;
  const link = target.closest<HTMLElement>('[data-row-link]');
  const row = link?.closest('.row');
  if (link !== null && row != null) {
    const { left, right, top, bottom } = link.getBoundingClientRect();
    const isOnWords = clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
    const below = document.elementsFromPoint(clientX, clientY).filter((one) => one !== link && row.contains(one));
    const titles = [isOnWords ? cutText(link) : undefined, ...below.map(titleOf)];
    setTitle(
      link,
      titles.find((title) => title !== undefined),
    );
    return;
  }
  for (const one of [target, target.parentElement, target.parentElement?.parentElement]) {
    if (!(one instanceof HTMLElement)) continue;
    if (one.title === '' || one.hasAttribute(MARK)) setTitle(one, cutText(one));
  }
}

function titleOf(element: Element): string | undefined {
  if (!(element instanceof HTMLElement)) return undefined;
  return element.title === '' ? cutText(element) : element.title;
}

/** The whole text, if it is truncated. */
function cutText(element: HTMLElement): string | undefined {
  const isWide = element.scrollWidth > element.clientWidth;
  const isHigh = element.scrollHeight > element.clientHeight;
  if (!isWide && !isHigh) return undefined;
  const { textOverflow, webkitLineClamp } = getComputedStyle(element);
  const isCut = (isWide && textOverflow === 'ellipsis') || (isHigh && !['', 'none'].includes(webkitLineClamp));
  return isCut ? element.innerText : undefined;
}

function setTitle(element: HTMLElement, title: string | undefined): void {
  if (title === undefined) {
    if (!element.hasAttribute(MARK)) return;
    element.removeAttribute('title');
    element.removeAttribute(MARK);
  } else if (element.title !== title) {
    element.title = title;
    element.setAttribute(MARK, '');
  }
}
