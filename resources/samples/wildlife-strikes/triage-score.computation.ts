export const description = 'Scores how urgently a person must handle a wildlife strike report, 0 to 100, with reasons.';

export const input = {
  type: 'object',
  required: ['phase', 'size', 'damage'],
  additionalProperties: false,
  properties: {
    id: { type: 'string', description: 'Id of the report.' },
    date: { type: 'string', format: 'date', description: 'Day of the flight.' },
    airport: { type: 'string', description: 'Name of the airport.' },
    operator: { type: 'string', description: 'Operator of the aircraft.' },
    aircraft: { type: 'string', description: 'Make and model of the aircraft.' },
    phase: {
      enum: ['Take-off run', 'Climb', 'Approach', 'Descent', 'Landing Roll', 'Taxi', 'Parked'],
      description: 'Phase of flight in which the animal was struck.',
    },
    light: { enum: ['Dawn', 'Day', 'Dusk', 'Night'], description: 'Light conditions.' },
    species: { type: 'string', description: 'Species, or what is known about it.' },
    size: { enum: ['Small', 'Medium', 'Large'], description: 'Size of the animal.' },
    damage: { enum: ['None', 'Minor', 'Medium', 'Substantial'], description: 'Damage to the aircraft.' },
    cost_usd: { type: 'number', minimum: 0, description: 'Cost in US dollars, if reported.' },
    speed_kt: { type: 'number', minimum: 0, description: 'Indicated airspeed in knots, if reported.' },
  },
};

export const output = {
  type: 'object',
  required: ['score', 'priority', 'reasons'],
  additionalProperties: false,
  properties: {
    score: { type: 'integer', minimum: 0, maximum: 100, description: 'Sum of the points of the reasons.' },
    priority: {
      enum: ['P1', 'P2', 'P3', 'P4'],
      description: 'P1 from 70 points, P2 from 45, P3 from 20, P4 below.',
    },
    reasons: {
      type: 'array',
      description: 'The reasons for the score, most points first.',
      items: {
        type: 'object',
        required: ['points', 'because'],
        additionalProperties: false,
        properties: {
          points: { type: 'integer', minimum: 1, maximum: 45, description: 'Points for this reason.' },
          because: { type: 'string', description: 'What the report says.' },
        },
      },
    },
  },
};

export const examples = [
  {
    name: 'A large bird after take-off, with damage and a high cost',
    input: {
      id: 'WS-03581',
      date: '1995-10-10',
      airport: 'SAN FRANCISCO INTL ARPT',
      operator: 'BUSINESS',
      aircraft: 'DA-900',
      phase: 'Climb',
      light: 'Dusk',
      species: 'Unknown bird - large',
      size: 'Large',
      damage: 'Substantial',
      cost_usd: 1_529_205,
      speed_kt: 195,
    },
    output: {
      score: 96,
      priority: 'P1',
      reasons: [
        { points: 45, because: 'Damage: Substantial' },
        { points: 20, because: 'Animal: Large' },
        { points: 15, because: 'Phase: Climb' },
        { points: 10, because: 'Cost: 1529205 USD' },
        { points: 6, because: 'Speed: 195 kt' },
      ],
    },
  },
  {
    name: 'A small bird on the taxiway',
    input: {
      id: 'WS-09803',
      date: '2002-06-09',
      airport: 'SACRAMENTO INTL',
      operator: 'SOUTHWEST AIRLINES',
      aircraft: 'B-737',
      phase: 'Taxi',
      light: 'Day',
      species: 'Cliff swallow',
      size: 'Small',
      damage: 'None',
    },
    output: { score: 4, priority: 'P4', reasons: [{ points: 4, because: 'Animal: Small' }] },
  },
];

// The points are the policy of this office, written down so that people can discuss it. They are not an FAA measure.
const DAMAGE: Record<string, number> = { None: 0, Minor: 20, Medium: 30, Substantial: 45 };
const SIZE: Record<string, number> = { Small: 4, Medium: 10, Large: 20 };
// Just after take-off, engines run at full power close to the ground.
const PHASE: Record<string, number> = { 'Take-off run': 15, Climb: 15, Approach: 8, Descent: 8, 'Landing Roll': 6 };

export default function (input) {
  const cost: number = input.cost_usd ?? 0;
  const speed: number = input.speed_kt ?? 0;
  const reasons = [
    { points: DAMAGE[input.damage] ?? 0, because: `Damage: ${input.damage}` },
    { points: SIZE[input.size] ?? 0, because: `Animal: ${input.size}` },
    { points: PHASE[input.phase] ?? 0, because: `Phase: ${input.phase}` },
    { points: speedPoints(speed), because: `Speed: ${speed} kt` },
    { points: costPoints(cost), because: `Cost: ${cost} USD` },
  ]
    .filter(({ points }) => points > 0)
    .toSorted((a, b) => b.points - a.points);
  const score = reasons.reduce((sum, { points }) => sum + points, 0);
  return { score, priority: priorityOf(score), reasons };
}

/** The energy of an impact grows with the square of the speed: 10 points at 250 knots and above. */
function speedPoints(knots: number): number {
  return Math.min(10, Math.round(10 * (knots / 250) ** 2));
}

function costPoints(dollars: number): number {
  if (dollars >= 100_000) return 10;
  if (dollars >= 10_000) return 6;
  return dollars > 0 ? 3 : 0;
}

function priorityOf(score: number): string {
  if (score >= 70) return 'P1';
  if (score >= 45) return 'P2';
  return score >= 20 ? 'P3' : 'P4';
}
