import { DateTime, Schema } from "effect"
import type { Currency } from "../kernel/index.ts"
import type { CountedAuthor, CountedKind, DurationFigures } from "./Figures.ts"

/** How many durations there are of each step. Histograms are added step by step, so those of days make that of a period. */
export type Histogram = ReadonlyMap<number, number>

/** Up to here, each second is a step of its own. */
const exactSteps = 128
const exactPower = 7
/** From there on, each power of two has so many equal steps. */
const stepsPerPower = 64

/** The step that a duration of whole seconds belongs to. */
export const stepOf = (seconds: number): number => {
  if (seconds < exactSteps) return seconds
  const power = Math.floor(Math.log2(seconds))
  const base = 2 ** power
  return exactSteps + (power - exactPower) * stepsPerPower + Math.floor(((seconds - base) * stepsPerPower) / base)
}

/** What a step stands for: its middle, rounded down. */
export const middleOf = (step: number): number => {
  if (step < exactSteps) return step
  const base = 2 ** (Math.floor((step - exactSteps) / stepsPerPower) + exactPower)
  const width = base / stepsPerPower
  return base + ((step - exactSteps) % stepsPerPower) * width + width / 2
}

/** So many tenths of the durations are this long at most: the one of the nearest rank. */
const findQuantile = (sorted: ReadonlyArray<readonly [step: number, count: number]>, total: number, tenths: number) => {
  const rank = Math.ceil((total * tenths) / 10)
  let seen = 0
  for (const [step, count] of sorted) {
    seen += count
    if (seen >= rank) return middleOf(step)
  }
  return null
}

/** How many durations there are, and the middle and the slowest tenth of them. */
export const toDurationFigures = (histogram: Histogram): DurationFigures => {
  const sorted = [...histogram].toSorted(([one], [other]) => one - other)
  const count = sorted.reduce((sum, [, each]) => sum + each, 0)
  return count === 0
    ? { count, medianSeconds: null, p90Seconds: null }
    : { count, medianSeconds: findQuantile(sorted, count, 5), p90Seconds: findQuantile(sorted, count, 9) }
}

/** All durations of several histograms. */
export const mergeHistograms = (all: Iterable<Histogram>): Histogram => {
  const merged = new Map<number, number>()
  for (const histogram of all) {
    for (const [step, count] of histogram) merged.set(step, (merged.get(step) ?? 0) + count)
  }
  return merged
}

/** A quarter hour of UTC, by how many there were since 1970. Days and hours of every zone begin with one. */
export type QuarterHour = number

const quarterHourMillis = 900_000

/** The quarter hour of an instant. */
export const toQuarterHour = (instant: DateTime.Utc): QuarterHour =>
  Math.floor(DateTime.toEpochMillis(instant) / quarterHourMillis)

/** When a quarter hour begins. */
export const quarterHourStart = (quarter: QuarterHour): DateTime.Utc => DateTime.makeUnsafe(quarter * quarterHourMillis)

/** How many seconds have begun between two instants: by the clock's whole seconds, as providers tell time. */
export const secondsBetween = (from: DateTime.Utc, to: DateTime.Utc): number =>
  Math.floor(DateTime.toEpochMillis(to) / 1_000) - Math.floor(DateTime.toEpochMillis(from) / 1_000)

/** What is added up, by its place in the overview. Durations are counted by their steps. */
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

/** Durations that are counted. */
export type CountedDuration = "firstResponse" | "reply" | "resolution"

/** Levels: what is added up of them is by how much they rose, so all that came before an instant is how high they were then. */
export const countedLevels = ["conversations.open", "conversations.waiting"] as const
export type CountedLevel = (typeof countedLevels)[number]

/** Of what something is counted: of the whole organization, or of one chat account, member or broadcast, by its id. */
export type Scope = string

/** The scope of the whole organization: no id is this one. */
export const wholeOrganization: Scope = "00000000-0000-0000-0000-000000000000"

/** So much of a figure, in a quarter hour. `step` is that of a duration, and 0 of everything else. */
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

/** One of a figure. */
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

/** One of a duration that ended in a quarter hour. None is shorter than nothing, whatever clocks say. */
export const countDuration = (
  figure: CountedDuration,
  quarter: QuarterHour,
  seconds: number,
  scopes: ReadonlyArray<Scope>
): Count => ({ figure, quarter, step: stepOf(Math.max(0, seconds)), amount: 1, scopes })

/** So much of a figure in a quarter hour, of one scope. */
export interface Tally extends Omit<Count, "scopes"> {
  readonly scope: Scope
}

const keyOf = ({ figure, quarter, scope, step }: Tally) => `${scope} ${figure} ${quarter} ${step}`

/** Adds counts up as they come. */
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

  /** What they come to in each scope, without what comes to nothing, in one order. */
  get sums(): ReadonlyArray<Tally> {
    return [...this.#tallies]
      .filter(([, { amount }]) => amount !== 0)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([, tally]) => tally)
  }
}

/** What counts come to in each scope, without what comes to nothing, in one order. */
export const toTallies = (counts: Iterable<Count>): ReadonlyArray<Tally> => {
  const tallies = new RunningTallies()
  tallies.add(counts)
  return tallies.sums
}

/** The counts that take these back. */
export const negate = (counts: ReadonlyArray<Count>): ReadonlyArray<Count> =>
  counts.map((count) => ({ ...count, amount: -count.amount }))
