// What journeys share that write documents.
import type { Locator, Page } from '@playwright/test';
import { editorOf, expect } from './studio.ts';

/** Replaces what a field holds, as a person does: a click, select all, key after key. */
export async function typeInto(field: Locator, text: string): Promise<void> {
  await field.click();
  await field.page().keyboard.press('ControlOrMeta+a');
  await field.page().keyboard.type(text);
}

/** Pastes over all that stands in the editor: typed lines would be indented by it. */
export async function write(page: Page, text: string): Promise<void> {
  await editorOf(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  await page.keyboard.press('ControlOrMeta+v');
}

/** All that stands in the editor: selected and copied. */
export async function textOf(page: Page): Promise<string> {
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('ControlOrMeta+c');
  return page.evaluate<string>('navigator.clipboard.readText()');
}

/** The source, read as a person does: the focus is in the editor afterwards. */
export async function sourceOf(page: Page): Promise<string> {
  await editorOf(page).click();
  return textOf(page);
}

/** A step in the graph of a workflow, and a button above it. */
export const stepOf = (page: Page, name: string) => page.getByRole('group', { name: new RegExp(`^${name}, `) });
export const toolOf = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** The squiggle that stands under a part of a line, by what that part is. */
export function squiggles(page: Page, sort: 'error' | 'warning' = 'error'): Locator {
  return page.locator(`.squiggly-${sort}`);
}

/** Where a squiggle stands: the number of its line, as the margin beside it says. */
export async function expectMarkedLine(page: Page, line: number): Promise<void> {
  await expect
    .poll(async () => {
      const squiggle = await squiggles(page).first().boundingBox();
      const number = await page.locator('.line-numbers', { hasText: new RegExp(`^${line}$`) }).boundingBox();
      return squiggle !== null && number !== null && squiggle.y >= number.y && squiggle.y < number.y + number.height;
    })
    .toBe(true);
}

/** The names in the list of what fits, as it stands open. */
export function offered(page: Page): Locator {
  return page.locator('.suggest-widget .label-name');
}
