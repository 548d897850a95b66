import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';

/**
 * The link of a row: the whole row leads where it leads, by click, middle click and keyboard. It lies over the other
 * cells, so a row holds nothing else to press; `useCutTitles` gives it their tooltips.
 */
export const RowLink = createLink(({ className = '', ...props }: ComponentProps<'a'>) => (
  <a {...props} className={`row-link ${className}`} data-row-link />
));
