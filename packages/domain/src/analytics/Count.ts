import { DateTime, Schema } from "effect"
import type { Currency } from "../kernel/index.ts"
import type { CountedAuthor, CountedKind, DurationFigures } from "./Figures.ts"

/** Number of durations per step. Histograms add up step by step, so a period is the sum of its days. */
export type Histogram = ReadonlyMap<number, number>

/** Below this, each second has its own step. */
const exactSteps = 128
const exactPower = 7
/** Above that, each power of two has this many equal steps. */
const stepsPerPower = 64

/** Returns the step of a duration in whole seconds. */
export const stepOf = (seconds: number): number => {
  if (seconds < exactSteps) return seconds
  const power = Math.floor(Math.log2(seconds))
  const base = 2 ** power
  return exactSteps + (power - exactPower) * stepsPerPower + Math.floor(((seconds - base) * stepsPerPower) / base)
}

/** Returns the representative duration of a step: its middle, rounded down. */
export const middleOf = (step: number): number => {
  if (step < exactSteps) return step
  const base = 2 ** (Math.floor((step - exactSteps) / stepsPerPower) + exactPower)
  const width = base / stepsPerPower
  return base + ((step - exactSteps) % stepsPerPower) * width + width / 2
}

/** Finds the step of a quantile, in tenths, by the nearest-rank method. */
const findQuantile = (sorted: ReadonlyArray<readonly [step: number, count: number]>, total: number, tenths: number) => {
  const rank = Math.ceil((total * tenths) / 10)
  let seen = 0
  for (const [step, count] of sorted) {
    seen += count
    if (seen >= rank) return middleOf(step)
  }
  return null
}

/** Returns the number of durations, the median and the 90th percentile. */
export const toDurationFigures = (histogram: Histogram): DurationFigures => {
  const sorted = [...histogram].toSorted(([one], [other]) => one - other)
  const count = sorted.reduce((sum, [, each]) => sum + each, 0)
  return count === 0
    ? { count, medianSeconds: null, p90Seconds: null }
    : { count, medianSeconds: findQuantile(sorted, count, 5), p90Seconds: findQuantile(sorted, count, 9) }
}

/** Adds several histograms. */
export const mergeHistograms = (all: Iterable<Histogram>): Histogram => {
  const merged = new Map<number, number>()
  for (const histogram of all) {
    for (const [step, count] of histogram) merged.set(step, (merged.get(step) ?? 0) + count)
  }
  return merged
}

/** Number of a quarter hour since 1970 in UTC. Days and hours of all zones start at one. */
export type QuarterHour = number

const quarterHourMillis = 900_000

export const toQuarterHour = (instant: DateTime.Utc): QuarterHour =>
  Math.floor(DateTime.toEpochMillis(instant) / quarterHourMillis)

/** Returns the start of a quarter hour. */
export const quarterHourStart = (quarter: QuarterHour): DateTime.Utc => DateTime.makeUnsafe(quarter * quarterHourMillis)

/** Returns the seconds between two instants, each truncated to whole seconds like provider times. */
export const secondsBetween = (from: DateTime.Utc, to: DateTime.Utc): number =>
  Math.floor(DateTime.toEpochMillis(to) / 1_000) - Math.floor(DateTime.toEpochMillis(from) / 1_000)

/** A counted figure, named by its path in the overview. Durations are counted by step. */
export type CountedFigure =
  | `messages.inbound.byKind.${CountedKind}`
  | `messages.outbound.byKind.${CountedKind}`
  | `messages.outbound.byAuthor.${CountedAuthor}`
  | "messages.failed"
  | "conversations.opened"
  | "conversations.reopened"
  | "conversations.resolved"
  | "conversations.resolvedByMachine"
  | "contacts.new"
  | "contacts.imported"
  | "contacts.unsubscribed"
  | "broadcasts.started"
  | `broadcasts.${"sent" | "delivered" | "read" | "replied"}`
  | "commerce.orders"
  | `commerce.${"gross" | "refunded" | "attributedOrders" | "attributed"}.${Currency}`

/** Counted durations. */
export type CountedDuration = "firstResponse" | "reply" | "resolution"

/** Levels are stored as differences. The level at an instant is the sum of all earlier ones. */
export const countedLevels = ["conversations.open", "conversations.waiting"] as const
export type CountedLevel = (typeof countedLevels)[number]

/** Subject of a count: the whole organization, or the id of a chat account, member or broadcast. */
export type Scope = string

/** Scope of the whole organization; no id has this value. */
export const wholeOrganization: Scope = "00000000-0000-0000-0000-000000000000"

/** Amount of a figure in a quarter hour. `step` is the step of a duration, and 0 for other figures. */
export const Count = Schema.Struct({
  figure: Schema.String,
  quarter: Schema.Int,
  step: Schema.Int,
  amount: Schema.Int,
  scopes: Schema.Array(Schema.String)
})
export interface Count {
  readonly figure: string
  readonly quarter: QuarterHour
  readonly step: number
  readonly amount: number
  readonly scopes: ReadonlyArray<Scope>
}

/** Creates a count of one. */
export const countOne = (
  figure: CountedFigure | CountedLevel,
  quarter: QuarterHour,
  scopes: ReadonlyArray<Scope>,
  amount = 1
): Count => ({
  figure,
  quarter,
  step: 0,
  amount,
  scopes
})

/** Creates a count of one duration that ended in a quarter hour. Negative durations count as 0. */
export const countDuration = (
  figure: CountedDuration,
  quarter: QuarterHour,
  seconds: number,
  scopes: ReadonlyArray<Scope>
): Count => ({ figure, quarter, step: stepOf(Math.max(0, seconds)), amount: 1, scopes })

/** Amount of a figure in a quarter hour and scope. */
export interface Tally extends Omit<Count, "scopes"> {
  readonly scope: Scope
}

const keyOf = ({ figure, quarter, scope, step }: Tally) => `${scope} ${figure} ${quarter} ${step}`

/** Sums counts incrementally. */
export class RunningTallies {
  readonly #tallies = new Map<string, Tally>()

  add(counts: Iterable<Count>): void {
    for (const { scopes, ...count } of counts) {
      for (const scope of scopes) {
        const key = keyOf({ ...count, scope })
        const amount = (this.#tallies.get(key)?.amount ?? 0) + count.amount
        this.#tallies.set(key, { ...count, scope, amount })
      }
    }
  }

  /** Sums per scope, without zero sums, in a fixed order. */
  get sums(): ReadonlyArray<Tally> {
    return [...this.#tallies]
      .filter(([, { amount }]) => amount !== 0)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([, tally]) => tally)
  }
}

/** Sums counts per scope, without zero sums, in a fixed order. */
export const toTallies = (counts: Iterable<Count>): ReadonlyArray<Tally> => {
  const tallies = new RunningTallies()
  tallies.add(counts)
  return tallies.sums
}

/** Returns counts that cancel these. */
export const negate = (counts: ReadonlyArray<Count>): ReadonlyArray<Count> =>
  counts.map((count) => ({ ...count, amount: -count.amount }))
