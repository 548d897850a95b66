/**
 * A date whose local time is UTC. jq's `strptime` is made of the local time of JavaScript's dates, so that in a time
 * zone with daylight saving an hour of the year would be read wrongly.
 */
export class UtcDate extends Date {
  constructor(...parts: number[]) {
    const [first = 0, month = 0, ...rest] = parts;
    if (parts.length > 1) super(Date.UTC(first, month, ...rest));
    else if (parts.length === 1) super(first);
    else super();
  }
}

const FIELDS = ['FullYear', 'Month', 'Date', 'Day', 'Hours', 'Minutes', 'Seconds', 'Milliseconds'] as const;
const SETTABLE = ['FullYear', 'Month', 'Date', 'Hours', 'Minutes', 'Seconds', 'Milliseconds'] as const;

for (const field of FIELDS) UtcDate.prototype[`get${field}`] = Date.prototype[`getUTC${field}`];
for (const field of SETTABLE) UtcDate.prototype[`set${field}`] = Date.prototype[`setUTC${field}`];
UtcDate.prototype.getTimezoneOffset = () => 0;
