// JSON as text that no one has parsed: it is passed on as it was stored.
import type { Json } from '../../shared/json.ts';

/** A value as its JSON text. Whoever writes answers writes the text; anything else that serializes it parses it first. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  get bytes(): number {
    return Buffer.byteLength(this.text);
  }

  toJSON(): Json {
    return JSON.parse(this.text) as Json;
  }
}
