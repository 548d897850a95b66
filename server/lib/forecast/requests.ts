// What the worker carries out.

export type ForecastRequest = { kind: 'inspect' };
