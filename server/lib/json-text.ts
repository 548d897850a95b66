// JSON text that is passed on as it was stored, without being parsed.
import type { Json } from '../../shared/json.ts';

/** A value as its JSON text. An HTTP response gets the text; any other serialization parses it first. */
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
