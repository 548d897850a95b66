import type { Page } from 'playwright-core';

/** Until no request but the one that is followed came to its end, over so many frames. */
export async function pageIdle(page: Page, frames = 20): Promise<void> {
  await page.evaluate(`(async () => {
    const requests = () => performance.getEntriesByType('resource').length;
    let seen = requests();
    for (let quiet = 0; quiet < ${frames}; quiet += 1) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      if (requests() !== seen) quiet = 0;
      seen = requests();
    }
  })()`);
}
