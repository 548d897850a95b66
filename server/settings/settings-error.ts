/** A setting that stops the start, in one sentence that names it, what it holds and what it takes. */
export class SettingsError extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'SettingsError';
  }
}
