// A picture, and what a person does in several of them.
import type { Locator, Page } from 'playwright-core';
import { DESK } from '../make-desk.ts';
import { PLAYBOOK } from '../make-history.ts';

export interface Picture {
  name: string;
  /** Of the server. */
  address: string;
  path: string;
  /** What a person does first; each such picture has a page of its own. */
  act?: (page: Page) => Promise<unknown>;
}

/** A picture of the server with the month of work. */
export type MainPicture = Omit<Picture, 'address'>;

export type Act = (page: Page) => Promise<unknown>;

export const SAMPLE = `/playbooks/${PLAYBOOK}`;
export const AT_DESK = `/playbooks/${DESK}`;

export const press =
  (name: string | RegExp): Act =>
  (page) =>
    page.getByRole('button', { name }).first().click();

export const inOrder =
  (...acts: readonly Act[]): Act =>
  async (page) => {
    for (const act of acts) await act(page);
  };

/** The editor of a document. */
export const editorOf = (page: Page): Locator => page.locator('.monaco-editor[role="code"]').first();

/** Opens one of the panels beside the source, which are tabs on a narrow page. */
export async function showPanel(page: Page, title: string): Promise<void> {
  await page.locator('.document-tabs').getByText(title, { exact: true }).click();
}

/** Pastes over the whole source: typed lines would be indented by the editor. */
export async function writeSource(page: Page, text: string): Promise<void> {
  await editorOf(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  await page.keyboard.press('ControlOrMeta+v');
}

/** Adds a line at the end of the source. */
export async function addLine(page: Page, line: string): Promise<void> {
  await editorOf(page).click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.insertText(line);
}

/** Opens a row of a list by its edge. */
export async function openRow(row: Locator): Promise<void> {
  await row.waitFor();
  const { height = 0 } = (await row.boundingBox()) ?? {};
  await row.click({ position: { x: 4, y: height - 4 } });
}

/** On a narrow page the navigation is a menu. */
export async function openNavigation(page: Page): Promise<void> {
  const menu = page.getByRole('button', { name: 'Menu', exact: true });
  if (await menu.isVisible()) await menu.click();
}

/** The ID of the latest run that a query finds. */
export async function latestRun(address: string, playbook: string, query: string): Promise<string> {
  const response = await fetch(`${address}/v1/orgs/local${playbook}/runs?limit=1&${query}`);
  const { runs } = (await response.json()) as { runs: { run_id: string }[] };
  const [run] = runs;
  if (run === undefined) throw new Error(`No run is like ${query}.`);
  return run.run_id;
}
