import { type Browser, chromium } from 'playwright-core';
import { findChromium } from './find-chromium.ts';

/** @throws Error where this machine has no Chromium */
export async function launchChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    throw new Error('No Chromium is in PATH. Install it, or name it in CUEBOOK_CHROMIUM.');
  }
  return chromium.launch({
    executablePath,
    // As root, as in most containers, Chromium starts only without its own sandbox.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
}
