import { Schema } from "effect"
import type { CountedAuthor, CountedKind } from "./answers/Figures.ts"
import type { Currency } from "../kernel/index.ts"
import { stepOf } from "./durations/histogram.ts"
import type { Quarter } from "./time/quarters.ts"

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
  readonly quarter: Quarter
  readonly step: number
  readonly amount: number
  readonly scopes: ReadonlyArray<Scope>
}

/** One of a figure. */
export const once = (
  figure: CountedFigure | CountedLevel,
  quarter: Quarter,
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
export const lasted = (
  figure: CountedDuration,
  quarter: Quarter,
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
export const talliesOf = (counts: Iterable<Count>): ReadonlyArray<Tally> => {
  const tallies = new RunningTallies()
  tallies.add(counts)
  return tallies.sums
}

/** The counts that take these back. */
export const takenBack = (counts: ReadonlyArray<Count>): ReadonlyArray<Count> =>
  counts.map((count) => ({ ...count, amount: -count.amount }))
