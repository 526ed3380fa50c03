import { Context, type DateTime, Effect, Layer, Schema } from "effect"
import {
  BroadcastAttribution,
  type BroadcastCredit,
  BroadcastId,
  BroadcastStatus,
  noCredit,
  type VariantKey
} from "../campaigns/index.ts"
import {
  Currency,
  Money,
  Page,
  type Slice,
  type Tenancy,
  type TenantScoped,
  Timestamp,
  withContext
} from "../kernel/index.ts"
import type { RollupVersion } from "./RollupStore.ts"
import { AnalyticsFigures } from "./AnalyticsFigures.ts"
import { Rate } from "./Figures.ts"
import { rangeResponseMeta } from "./dashboardResponses.ts"
import { withRollupReader } from "./reading/rollupReader.ts"

/** Results of a broadcast. */
export const BroadcastRow = Schema.Struct({
  id: BroadcastId,
  name: Schema.String,
  status: BroadcastStatus,
  startedAt: Timestamp,
  matched: Schema.Int,
  failed: Schema.Int,
  inDoubt: Schema.Int,
  optedOut: Schema.Int,
  sent: Schema.Int,
  delivered: Schema.Int,
  read: Schema.Int,
  replied: Schema.Int,
  deliveredRate: Rate,
  readRate: Rate,
  repliedRate: Rate,
  attributedOrders: Schema.Int,
  /** One amount per currency. */
  attributed: Schema.Array(Money)
}).annotate({ identifier: "BroadcastRow" })
export type BroadcastRow = typeof BroadcastRow.Type

/** Broadcasts that started in a range, newest first. */
export const BroadcastFigures = Schema.Struct({ ...rangeResponseMeta, ...Page(BroadcastRow).fields }).annotate({
  identifier: "AnalyticsBroadcasts"
})
export type BroadcastFigures = typeof BroadcastFigures.Type

/** A started broadcast with the current results of its recipients. */
export type StartedBroadcast = Omit<
  BroadcastRow,
  "deliveredRate" | "readRate" | "repliedRate" | "attributedOrders" | "attributed"
>

/** All started broadcasts with their results. */
export class StartedBroadcasts extends Context.Service<
  StartedBroadcasts,
  TenantScoped<{
    /** Lists broadcasts that started in a range with an exclusive end, newest first. The key of a row is its start in milliseconds, and its id. */
    readonly list: (
      from: DateTime.Utc,
      to: DateTime.Utc,
      slice: Slice
    ) => Effect.Effect<ReadonlyArray<StartedBroadcast>>
  }>
>()("@parley/domain/analytics/StartedBroadcasts") {}

const ordersPrefix = "commerce.attributedOrders."
const moneyPrefix = "commerce.attributed."

const figuresPrefix = "commerce.attributed"

interface Sum {
  readonly figure: string
  readonly amount: number
}

const toCredit = (sums: ReadonlyArray<Sum>): BroadcastCredit => ({
  attributedOrders: sums.reduce((sum, { amount, figure }) => (figure.startsWith(ordersPrefix) ? sum + amount : sum), 0),
  attributed: sums
    .filter(({ figure }) => figure.startsWith(moneyPrefix))
    .map(({ amount, figure }) => ({ amountMinor: amount, currency: Currency.make(figure.slice(moneyPrefix.length)) }))
    .toSorted((one, other) => (one.currency < other.currency ? -1 : 1))
})

/** Orders attributed to broadcasts, with net amounts in each currency. */
export const readCredits = Effect.fnUntraced(function* (version: RollupVersion, ids: ReadonlyArray<BroadcastId>) {
  const sums = yield* (yield* AnalyticsFigures).totals(version, ids, figuresPrefix)
  const byBroadcast = Map.groupBy(sums, ({ scope }) => scope)
  return new Map(Array.from(byBroadcast, ([id, own]): readonly [string, BroadcastCredit] => [id, toCredit(own)]))
})

/** Orders attributed to one broadcast and to each of its variants. */
const readBroadcastCredits = (id: BroadcastId) =>
  withRollupReader(
    Effect.fnUntraced(function* ({ version }) {
      const total = (yield* readCredits(version, [id])).get(id) ?? noCredit
      const sums = total === noCredit ? [] : yield* (yield* AnalyticsFigures).variantTotals(version, id, figuresPrefix)
      const byVariant = Map.groupBy(sums, ({ variant }) => variant)
      return {
        total,
        byVariant: new Map(
          Array.from(byVariant, ([key, own]): readonly [VariantKey, BroadcastCredit] => [key, toCredit(own)])
        )
      }
    })
  )

type Needs = Exclude<Effect.Services<ReturnType<typeof readBroadcastCredits>>, Tenancy>

/** Reads attribution from the ledger, so broadcast reports and analytics show the same figures. */
export const layerBroadcastAttribution = Layer.effect(
  BroadcastAttribution,
  Effect.contextWith((outside: Context.Context<Needs>) =>
    Effect.succeed(BroadcastAttribution.of({ read: (id) => withContext<Tenancy>(outside)(readBroadcastCredits(id)) }))
  )
)
