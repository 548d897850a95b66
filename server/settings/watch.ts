// Reads the settings' files again once they changed.
//
// 1. A file is read when it stood still from one look to the next: a half-written file is seldom taken for the whole.
// 2. Each change is read once; an invalid file is reported once, and the previous settings stay in force.
//
// It polls instead of watching the folder: the store's own files change in the same folder all the
// time, and changes of replaced, linked or mounted files are reported unreliably.
import type { Logger } from 'pino';
import type { Clock } from '../lib/clock.ts';
import type { Settings } from './settings.ts';
import { SettingsError } from './settings-error.ts';

/** Milliseconds between two looks. */
const EVERY = 500;

/**
 * Answers how to stop. Every key of the configuration file changes, with the variables that it names and those of models;
 * other variables wait for the next start.
 */
export function watchSettings({ files }: Settings, logger: Pick<Logger, 'info' | 'warn'>, clock: Clock): () => void {
  let seen = files.readStamp();
  let callOff = clock.wakeAfter(EVERY, look);
  return () => callOff();

  function look(): void {
    const now = files.stamp();
    if (now === seen && now !== files.readStamp()) readAgain();
    seen = now;
    callOff = clock.wakeAfter(EVERY, look);
  }

  function readAgain(): void {
    try {
      files.readAgain();
      logger.info(files.read(), 'The configuration changed and was reloaded.');
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      logger.warn(`${error.message} The previous configuration stays in force.`);
    }
  }
}
