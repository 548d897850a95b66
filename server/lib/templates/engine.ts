// Liquid as texts of definitions have it: nothing is read from files, nothing depends on chance, and the time is given.
import { Liquid } from 'liquidjs';
import { useFieldFilters } from './field-filters.ts';
import { boundRanges } from './ranges.ts';

/** Filters whose results differ from one rendering to the next, or that print what must not be printed. */
const REMOVED_FILTERS = ['raw', 'sample', 'shuffle'];
/** Filters that evaluate a text as an expression: a few characters of it can take hours. */
const EXPRESSION_FILTER = /_exp$/;
const REMOVED_TAGS = ['include', 'render', 'layout', 'block', 'liquid'];
const DATE_FILTERS = ['date', 'date_to_xmlschema', 'date_to_rfc822', 'date_to_string', 'date_to_long_string'];
/** Objects that filters may make while one text is rendered. */
const MOST_MADE = 5_000_000;
/** Ends most texts that take too long before the worker's deadline has to, in milliseconds. */
const RENDER_LIMIT_MS = 500;

export interface Engine {
  liquid: Liquid;
  /** Sets what `now` is. Rendering is not interrupted, so that what is set holds until its end. */
  setNow: (milliseconds: number) => void;
}

export function createEngine(): Engine {
  boundRanges();
  let now = 0;
  const liquid = new Liquid({
    strictVariables: true,
    strictFilters: true,
    lenientIf: true,
    ownPropertyOnly: true,
    timezoneOffset: 0,
    locale: 'en-US',
    templates: {},
    dynamicPartials: false,
    renderLimit: RENDER_LIMIT_MS,
    memoryLimit: MOST_MADE,
    outputEscape: printed,
  });
  for (const name of REMOVED_TAGS) delete liquid.tags[name];
  for (const name of Object.keys(liquid.filters)) {
    if (REMOVED_FILTERS.includes(name) || EXPRESSION_FILTER.test(name)) delete liquid.filters[name];
  }
  for (const name of DATE_FILTERS) {
    const original = liquid.filters[name];
    if (typeof original !== 'function') throw new Error(`The filter ${name} is missing.`);
    liquid.registerFilter(name, function withTime(value: unknown, ...rest: unknown[]): unknown {
      return original.call(this, value === 'now' || value === 'today' ? new Date(now) : value, ...rest);
    });
  }
  useFieldFilters(liquid);
  return {
    liquid,
    setNow(milliseconds) {
      now = milliseconds;
    },
  };
}

/** What a text prints has to be a string, a number or a truth value. */
function printed(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') {
    throw new Error(`it prints ${Array.isArray(value) ? 'a list' : 'an object'}; add \`| json\``);
  }
  return String(value);
}
