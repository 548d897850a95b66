// One small workflow for each feature of the DSL, for the tests of this folder.

const HEAD = "document: { dsl: '1.0.3', namespace: cuebook, name: sample, version: '0.1.0' }\n";

/** A document with a head; `body` begins at its third line. */
export function workflow(body: string): string {
  return `${HEAD}\n${body}`;
}

/** Every feature that is served. */
export const SAMPLES: Readonly<Record<string, string>> = {
  'steps in a row': `
do:
  - first: { set: { colours: [red] } }
  - second:
      do:
        - inner: { set: '\${ .colours + ["green"] }' }
`,
  'the flow directives': `
do:
  - first: { set: { a: 1 }, then: third }
  - second: { set: { b: 2 }, then: end }
  - third: { set: { c: 3 }, then: second }
`,
  'the data flow': `
input:
  schema: { format: json, document: { type: object, required: [order], properties: { order: { type: object } } } }
  from: .order
do:
  - price:
      if: .amount != null
      input: { from: { net: '\${ .amount }' }, schema: { document: { type: object } } }
      set: { gross: '\${ $input.net * 1.19 }' }
      output: { as: '.gross', schema: { document: { type: number } } }
      export: { as: { total: '\${ . }' }, schema: { document: { type: object } } }
      metadata: { owner: billing }
output: { as: '{ total: $context.total }', schema: { document: { type: object } } }
timeout: { after: { minutes: 5 } }
`,
  'an output shape': `
do:
  - all: { set: { columns: [], rows: [] } }
output: { shape: table }
`,
  'calls of definitions': `
do:
  - score: { call: computation/score, with: { title: '\${ .title }' } }
  - ask: { call: interaction/approve, with: '\${ . }' }
  - again: { call: recall/open-tickets }
`,
  'calls of tools': `
do:
  - search:
      call: tool
      with: { tool: github/search_issues, arguments: { q: '\${ .title }' } }
`,
  'calls over HTTP': `
use:
  authentications: { shop: { bearer: { token: '\${ $secrets.shop }' } } }
  secrets: [shop, keys]
do:
  - pet:
      call: http
      with:
        method: get
        endpoint: { uri: 'https://shop.example/pets/{id}', authentication: { use: shop } }
        query: { limit: 5, full: true, name: '\${ .name }' }
        headers: { accept: application/json }
        output: response
        redirect: true
  - order:
      call: http
      with: { method: post, endpoint: '\${ .url }', body: { pet: '\${ .id }' }, query: '\${ .query }' }
  - login:
      call: http
      with:
        method: get
        endpoint:
          uri: https://shop.example/me
          authentication: { basic: { use: keys } }
`,
  'calls by OpenAPI': `
use: { secrets: [id] }
do:
  - find:
      call: openapi
      with:
        document: { endpoint: https://shop.example/openapi.json }
        operationId: findPets
        parameters: { status: available }
        authentication:
          oauth2:
            authority: https://id.example
            endpoints: { token: /token }
            grant: client_credentials
            client: { id: cuebook, secret: '\${ $secrets.id }', authentication: client_secret_basic }
            scopes: [read]
        output: content
        redirect: false
`,
  'calls of MCP servers': `
do:
  - list:
      call: mcp
      with:
        method: tools/list
        transport: { http: { endpoint: https://mcp.example/mcp, headers: { x-team: a } } }
  - say:
      call: mcp
      with:
        protocolVersion: '2025-06-18'
        method: tools/call
        parameters: { name: say, arguments: { text: hello } }
        timeout: PT5S
        client: { name: cuebook, version: '1' }
        transport: { stdio: { command: chat-server, arguments: [--quiet], environment: { LEVEL: info } } }
`,
  'functions of its own': `
use:
  functions:
    fetchPet:
      input: { schema: { document: { type: object } } }
      call: http
      with: { method: get, endpoint: 'https://shop.example/pets/{id}' }
do:
  - pet: { call: fetchPet, with: { id: 7 } }
`,
  emit: `
do:
  - tell:
      emit:
        event:
          with: { source: /shop, type: order.placed, subject: a, time: '2026-01-01T00:00:00Z', data: { id: 1 }, team: red }
  - tellMore: { emit: { event: { with: { type: order.paid, data: '\${ . }', source: '\${ .source }' } } } }
`,
  'for and while': `
do:
  - each:
      for: { each: pet, in: .pets, at: place }
      while: .stop != true
      do:
        - one: { set: { seen: '\${ .seen + [$pet.name, $place] }' } }
  - inline:
      for: { in: [{ name: red }, { name: green }] }
      do:
        - one: { set: { seen: '\${ .seen + [$item.name, $index] }' } }
`,
  fork: `
do:
  - both:
      fork:
        compete: true
        branches:
          - nurse: { set: { by: nurse } }
          - doctor: { wait: PT1S }
`,
  listen: `
do:
  - one: { listen: { to: { one: { with: { type: order.paid, data: '\${ .amount > 100 }' } } }, read: envelope } }
  - all:
      listen:
        to:
          all:
            - { with: { type: a }, correlate: { room: { from: .room } } }
            - { with: { type: b, source: /sensors }, correlate: { room: { from: .room, expect: '\${ .room }' } } }
  - until:
      listen: { to: { any: [{ with: { type: a } }], until: '(. | length) > 3' } }
      foreach:
        item: event
        at: place
        do:
          - keep: { set: { kept: '\${ $event }' } }
        output: { as: .kept }
        export: { as: '$context + [$event]' }
  - untilEvent: { listen: { to: { any: [], until: { one: { with: { type: done } } } } } }
`,
  raise: `
use:
  errors: { notYet: { type: 'https://cuebook.example/errors/not-yet', status: 501, title: Not yet } }
do:
  - named: { if: .named, raise: { error: notYet } }
  - inline:
      raise:
        error: { type: '\${ .type }', status: 400, instance: /do/1/inline, title: Broken, detail: '\${ "no \\(.x)" }' }
`,
  'run another workflow': `
do:
  - wait: { run: { workflow: { name: handle-order, input: '\${ . }' } } }
  - leave: { run: { workflow: { namespace: cuebook, name: handle-order, version: latest, input: [1] }, await: false } }
`,
  switch: `
do:
  - which:
      switch:
        - digital: { when: .kind == "digital", then: send }
        - physical: { when: .kind == "physical", then: pack }
        - otherwise: { then: end }
  - send: { set: { sent: true }, then: exit }
  - pack: { set: { packed: true } }
`,
  'try, catch and retry': `
use:
  retries: { gently: { delay: { seconds: 3 }, backoff: { exponential: {} }, limit: { attempt: { count: 5 } } } }
  timeouts: { short: { after: PT10S } }
do:
  - once:
      timeout: short
      try:
        - risky: { call: computation/risky }
      catch:
        errors: { with: { type: communication, status: 503 } }
        as: problem
        when: $problem.status == 503
        exceptWhen: .final
        retry: gently
        do:
          - note: { set: { problem: '\${ $problem }' } }
        then: after
  - twice:
      try: []
      catch:
        retry:
          when: $error.status >= 500
          delay: PT1S
          backoff: { linear: {} }
          limit: { attempt: { count: 2, duration: PT1M }, duration: { hours: 1 } }
          jitter: { from: PT0S, to: { milliseconds: 500 } }
  - after: { set: { done: true } }
`,
  wait: `
do:
  - text: { wait: PT30S }
  - object: { wait: { days: 1, hours: 2, minutes: 3, seconds: 4, milliseconds: 5 } }
  - expression: { wait: '\${ .pause }' }
`,
  'an event schedule': `
schedule:
  on: { any: [{ with: { type: order.placed, source: /shop } }] }
  read: envelope
do:
  - note: { set: { order: '\${ .[0].data }' } }
`,
  'a cron schedule': `
schedule: { cron: '0 8 * * 1-5', timezone: Europe/Berlin }
do: []
`,
  'an every schedule': `
schedule: { every: { minutes: 5 } }
do: []
`,
  'an after schedule': `
schedule: { after: PT1H, on: { one: { with: { type: order.placed } } } }
do: []
`,
  extensions: `
use:
  extensions:
    - log:
        extend: all
        when: $task.name != "quiet"
        before:
          - note: { set: { at: '\${ $task.reference }' } }
        after:
          - note: { set: { done: '\${ $task.name }' } }
do:
  - loud: { set: { a: 1 } }
`,
  'loose expressions': `
evaluate: { language: jq, mode: loose }
do:
  - loud: { set: { a: .b } }
`,
};
