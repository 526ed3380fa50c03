import { Context, type Effect, Schema } from "effect"
import type { TenantScoped, Transaction, VersionConflict } from "../kernel/index.ts"
import { KeywordList } from "../messaging/inbox/index.ts"
import { Locale, MultiLineText } from "../platform/identity/index.ts"
import { wholeNumber } from "./Ids.ts"
import { ClockTime } from "./timing/Schedule.ts"

/** Local hours of a contact without marketing; they can span midnight. */
export const QuietHours = Schema.Struct({ from: ClockTime, to: ClockTime })
  .check(
    Schema.makeFilter(
      ({ from, to }: { readonly from: string; readonly to: string }) => from !== to || "Expected two different times"
    )
  )
  .annotate({ identifier: "QuietHours" })
export type QuietHours = typeof QuietHours.Type

/** Maximum messages of a category per contact within a number of days. */
export const FrequencyCap = Schema.Struct({
  category: Schema.Literals(["marketing", "utility", "any"]),
  max: wholeNumber(1, 50),
  days: wholeNumber(1, 30)
}).annotate({ identifier: "FrequencyCap" })
export type FrequencyCap = typeof FrequencyCap.Type

/** Replies to an opt-out, by language. */
const OptOutReply = Schema.Record(
  Schema.String,
  MultiLineText.check(Schema.isBetweenCodePoints(1, 1_024, { message: "Expected 1 to 1024 characters" }))
).check(
  Schema.isPropertyNames(Locale, { message: "Expected a language such as de or pt-BR" }),
  Schema.isMinProperties(1, { message: "Expected at least one language" }),
  Schema.isMaxProperties(20, { message: "Expected at most 20 languages" })
)

const fields = {
  quietHours: Schema.NullOr(QuietHours),
  frequencyCaps: Schema.Array(FrequencyCap).check(Schema.isMaxLength(5, { message: "Expected at most 5 caps" })),
  optOutKeywords: KeywordList,
  optInKeywords: KeywordList,
  optOutReply: Schema.NullOr(OptOutReply),
  attributionHours: wholeNumber(1, 720)
}

/** Settings for all broadcasts of the organization. */
export class BroadcastSettings extends Schema.Class<BroadcastSettings>("BroadcastSettings")({
  ...fields,
  version: Schema.Int
}) {}

/** Changes to the settings; an absent field stays, `null` clears. */
export const BroadcastSettingsPatch = Schema.Struct({
  quietHours: Schema.optionalKey(fields.quietHours),
  frequencyCaps: Schema.optionalKey(fields.frequencyCaps),
  optOutKeywords: Schema.optionalKey(fields.optOutKeywords),
  optInKeywords: Schema.optionalKey(fields.optInKeywords),
  optOutReply: Schema.optionalKey(fields.optOutReply),
  attributionHours: Schema.optionalKey(fields.attributionHours)
}).annotate({ identifier: "BroadcastSettingsPatch" })
export type BroadcastSettingsPatch = typeof BroadcastSettingsPatch.Type

/** Settings of an organization without changes. */
export const initialSettings = new BroadcastSettings({
  quietHours: null,
  frequencyCaps: [],
  optOutKeywords: {},
  optInKeywords: {},
  optOutReply: null,
  attributionHours: 120,
  version: 1
})

export class StoredBroadcastSettings extends Context.Service<
  StoredBroadcastSettings,
  TenantScoped<{
    /** Returns the initial settings until others are stored. */
    readonly get: () => Effect.Effect<BroadcastSettings>
    /** Stores the settings with the next version if the stored version is the expected one (`null`: any version). */
    readonly save: (
      settings: BroadcastSettings,
      expected: number | null
    ) => Effect.Effect<BroadcastSettings, VersionConflict, Transaction>
  }>
>()("@parley/domain/campaigns/StoredBroadcastSettings") {}
