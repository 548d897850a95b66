import type { Query } from './syntax.ts';
import type { Tokens } from './tokens.ts';

/** What reads the parts of an expression from its tokens. */
export interface Reader {
  readonly tokens: Tokens;
  /** A whole query: pipes and commas. */
  query(): Query;
  /** The value of an object's member: a comma ends it. */
  memberValue(): Query;
}
