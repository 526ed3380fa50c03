import { Context, type Effect, Schema } from "effect"
import type { TenantScoped, Transaction, VersionConflict } from "../kernel/index.ts"
import { KeywordList } from "../messaging/inbox/index.ts"
import { Locale, MultiLineText } from "../platform/identity/index.ts"
import { wholeNumber } from "./Ids.ts"
import { ClockTime } from "./timing/Schedule.ts"

/** No marketing is sent between these times of the contact's day, which may be before and after midnight. */
export const QuietHours = Schema.Struct({ from: ClockTime, to: ClockTime })
  .check(
    Schema.makeFilter(
      ({ from, to }: { readonly from: string; readonly to: string }) => from !== to || "Expected two different times"
    )
  )
  .annotate({ identifier: "QuietHours" })
export type QuietHours = typeof QuietHours.Type

/** How many messages of a category one contact gets in so many days at most. */
export const FrequencyCap = Schema.Struct({
  category: Schema.Literals(["marketing", "utility", "any"]),
  max: wholeNumber(1, 50),
  days: wholeNumber(1, 30)
}).annotate({ identifier: "FrequencyCap" })
export type FrequencyCap = typeof FrequencyCap.Type

/** What somebody who opts out is answered, by language. */
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
  optOutWords: KeywordList,
  optInWords: KeywordList,
  optOutReply: Schema.NullOr(OptOutReply),
  attributionHours: wholeNumber(1, 720)
}

/** What holds for all broadcasts of the organization. */
export class BroadcastSettings extends Schema.Class<BroadcastSettings>("BroadcastSettings")({
  ...fields,
  version: Schema.Int
}) {}

/** What may be changed of it; an absent field stays, `null` clears. */
export const BroadcastSettingsPatch = Schema.Struct({
  quietHours: Schema.optionalKey(fields.quietHours),
  frequencyCaps: Schema.optionalKey(fields.frequencyCaps),
  optOutWords: Schema.optionalKey(fields.optOutWords),
  optInWords: Schema.optionalKey(fields.optInWords),
  optOutReply: Schema.optionalKey(fields.optOutReply),
  attributionHours: Schema.optionalKey(fields.attributionHours)
}).annotate({ identifier: "BroadcastSettingsPatch" })
export type BroadcastSettingsPatch = typeof BroadcastSettingsPatch.Type

/** Those of an organization that has changed nothing. */
export const initialSettings = new BroadcastSettings({
  quietHours: null,
  frequencyCaps: [],
  optOutWords: {},
  optInWords: {},
  optOutReply: null,
  attributionHours: 120,
  version: 1
})

/** The settings of the organization's broadcasts. */
export class StoredBroadcastSettings extends Context.Service<
  StoredBroadcastSettings,
  TenantScoped<{
    /** The initial ones, until others are stored. */
    readonly get: () => Effect.Effect<BroadcastSettings>
    /** Stores them with their version raised by one, if the stored version is still the expected one (`null`: whatever it is). */
    readonly save: (
      settings: BroadcastSettings,
      expected: number | null
    ) => Effect.Effect<BroadcastSettings, VersionConflict, Transaction>
  }>
>()("@parley/domain/campaigns/StoredBroadcastSettings") {}
