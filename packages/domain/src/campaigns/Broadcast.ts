import { type DateTime, Schema } from "effect"
import { FilterInput } from "../crm/index.ts"
import { type Actor, Timestamp, UserId } from "../kernel/index.ts"
import { ChatAccountId, MessageTemplateId } from "../messaging/chat/index.ts"
import { SingleLineText } from "../platform/identity/index.ts"
import { AudienceSnapshotId, BroadcastId, wholeNumber } from "./Ids.ts"
import {
  BroadcastRetry,
  BroadcastStats,
  emptyBroadcastStats,
  RetriedCodes,
  RetriedStatuses
} from "./RecipientStatus.ts"
import { BroadcastStatus } from "./broadcastTransitions.ts"
import { Schedule } from "./timing/Schedule.ts"
import { Variables } from "./values/BroadcastValue.ts"

const BroadcastName = SingleLineText.check(Schema.isMaxCodePoints(120, { message: "Expected at most 120 characters" }))

/** A share of the audience, in percent with at most two decimals. */
export const HoldOut = Schema.Finite.check(
  Schema.isBetween({ minimum: 0, maximum: 50 }, { message: "Expected 0 to 50 percent" }),
  Schema.makeFilter((percent: number) => Number(percent.toFixed(2)) === percent || "Expected at most two decimals")
)

/** Which contacts are held out, and who gets which variant, is drawn by this: broadcasts with the same key hold out the same contacts. */
export const SplitKey = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9_.-]{1,64}$/u, {
    message: "Expected 1 to 64 letters, digits, dots, dashes or underscores"
  })
)

export const VariantKey = Schema.Literals(["a", "b", "c", "d", "e"])
export type VariantKey = typeof VariantKey.Type

/** One of several texts that are tried against each other. */
export const Variant = Schema.Struct({
  key: VariantKey,
  weight: wholeNumber(1, 99).annotateKey({ description: "Its share of those who get the broadcast, in percent." }),
  templateId: MessageTemplateId,
  variables: Variables
}).annotate({ identifier: "BroadcastVariant" })
export type Variant = typeof Variant.Type

const variantsIssue = (variants: ReadonlyArray<Variant>): string | true => {
  if (new Set(variants.map(({ key }) => key)).size < variants.length) return "Expected each key once"
  return variants.reduce((sum, { weight }) => sum + weight, 0) === 100 || "Expected weights that add up to 100"
}

const Variants = Schema.Array(Variant).check(
  Schema.isBetweenLength(2, 5, { message: "Expected 2 to 5 variants" }),
  Schema.makeFilter(variantsIssue)
)

/** How fast it may go at most; `null` is as fast as the account may. */
export const Throttle = Schema.NullOr(Schema.Struct({ perMinute: wholeNumber(1, 60_000) }))

/** What a broadcast says: whom it goes to, and what it tells them. */
const definition = {
  name: BroadcastName,
  chatAccountId: Schema.NullOr(ChatAccountId),
  templateId: Schema.NullOr(MessageTemplateId),
  variables: Variables,
  variants: Schema.NullOr(Variants),
  holdOut: HoldOut,
  splitKey: SplitKey,
  audience: Schema.NullOr(FilterInput),
  exclude: Schema.NullOr(FilterInput),
  schedule: Schema.NullOr(Schedule),
  throttle: Throttle,
  ignoreFrequencyCaps: Schema.Boolean,
  ignoreQuietHours: Schema.Boolean,
  /** For how long after it was accepted a message counts as what a contact replies to. */
  replyHours: wholeNumber(1, 168),
  /** For how long after its turn an order counts for the uplift. */
  upliftDays: wholeNumber(1, 30)
}

/** Why a broadcast is paused, since when, and by whom; `by` is `null` where the service did it. */
export const BroadcastPause = Schema.Struct({
  reason: Schema.Literals(["user", "template", "account", "failures", "suspended"]),
  at: Timestamp,
  by: Schema.NullOr(UserId)
}).annotate({ identifier: "BroadcastPause" })
export type BroadcastPause = typeof BroadcastPause.Type

/** Why a broadcast has failed. */
export const BroadcastFailure = Schema.Struct({ code: Schema.String, detail: Schema.String }).annotate({
  identifier: "BroadcastFailure"
})
export type BroadcastFailure = typeof BroadcastFailure.Type

/** Reason why a sending broadcast waits, and the end of the wait if known. `local_time`: no remaining contact has reached `localAt` yet. */
export const BroadcastWaiting = Schema.Struct({
  reason: Schema.Literals(["daily_limit", "quiet_hours", "window", "throttle", "account_resting", "local_time"]),
  until: Schema.NullOr(Timestamp)
}).annotate({ identifier: "BroadcastWaiting" })
export type BroadcastWaiting = typeof BroadcastWaiting.Type

/** The broadcast that this one was made from. */
export const BroadcastSource = Schema.Struct({
  broadcastId: BroadcastId,
  kind: Schema.Literals(["duplicate", "retry"])
}).annotate({ identifier: "BroadcastSource" })

/**
 * Why a broadcast ended before it was sent to all, other than by a failure: a person cancelled it, `notAfter` or `endBy` passed, it was
 * paused for 30 days, or its chat account was removed. `end_by` is set as soon as nothing more is sent, while doubts may still be open.
 */
export const BroadcastEndReason = Schema.Literals(["user", "not_after", "end_by", "paused_too_long", "account_removed"])
export type BroadcastEndReason = typeof BroadcastEndReason.Type

/** One message to many contacts, each at most once. */
export class Broadcast extends Schema.Class<Broadcast>("Broadcast")({
  id: BroadcastId,
  ...definition,
  status: BroadcastStatus,
  stats: BroadcastStats,
  waiting: Schema.NullOr(BroadcastWaiting),
  pause: Schema.NullOr(BroadcastPause),
  failure: Schema.NullOr(BroadcastFailure),
  endReason: Schema.NullOr(BroadcastEndReason),
  source: Schema.NullOr(BroadcastSource),
  retry: Schema.NullOr(BroadcastRetry),
  audienceSnapshotId: Schema.NullOr(AudienceSnapshotId),
  frozenAt: Schema.NullOr(Timestamp),
  startedAt: Schema.NullOr(Timestamp),
  endedAt: Schema.NullOr(Timestamp),
  recipientsKeptUntil: Schema.NullOr(Timestamp),
  createdBy: Schema.NullOr(UserId),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  version: Schema.Int
}) {}

const optionalField = Schema.optionalKey

const optionalDefinition = {
  chatAccountId: optionalField(definition.chatAccountId),
  templateId: optionalField(definition.templateId),
  variables: optionalField(definition.variables),
  variants: optionalField(definition.variants),
  holdOut: optionalField(definition.holdOut),
  splitKey: optionalField(definition.splitKey),
  audience: optionalField(definition.audience),
  exclude: optionalField(definition.exclude),
  schedule: optionalField(definition.schedule),
  throttle: optionalField(definition.throttle),
  ignoreFrequencyCaps: optionalField(definition.ignoreFrequencyCaps),
  ignoreQuietHours: optionalField(definition.ignoreQuietHours),
  replyHours: optionalField(definition.replyHours),
  upliftDays: optionalField(definition.upliftDays)
}

/** What a broadcast says, as people write it. */
export type BroadcastDefinition = Pick<Broadcast, keyof typeof definition>

/** The names of what a broadcast says. */
export const definitionFields = Object.keys(definition) as ReadonlyArray<keyof typeof definition>

/** What is said of a new broadcast. Drafts may leave out what sending needs. */
export const NewBroadcast = Schema.Struct({ name: definition.name, ...optionalDefinition }).annotate({
  identifier: "NewBroadcast"
})
export type NewBroadcast = typeof NewBroadcast.Type

/** What may be changed of a broadcast before it starts; an absent field stays, `null` clears. */
export const BroadcastPatch = Schema.Struct({ name: optionalField(definition.name), ...optionalDefinition }).annotate({
  identifier: "BroadcastPatch"
})
export type BroadcastPatch = typeof BroadcastPatch.Type

/** Whom of a broadcast that has ended to try again. */
export const NewBroadcastRetry = Schema.Struct({
  name: optionalField(definition.name).annotateKey({ description: "The same name if it is absent." }),
  statuses: RetriedStatuses,
  codes: optionalField(RetriedCodes).annotateKey({
    description: "Of those that failed, only those with one of these errors; `failures` of the report names them."
  }),
  acceptDouble: optionalField(Schema.Boolean).annotateKey({
    description: "Has to be true for `in_doubt`: whoever is in doubt may have got the message, and may get it twice."
  })
}).annotate({ identifier: "NewBroadcastRetry" })
export type NewBroadcastRetry = typeof NewBroadcastRetry.Type

/** A new draft that says so, by whoever acts. What is not said is as in any broadcast. */
export const toDraft = (id: BroadcastId, said: NewBroadcast, now: DateTime.Utc, author: Actor): Broadcast =>
  new Broadcast({
    id,
    chatAccountId: null,
    templateId: null,
    variables: {},
    variants: null,
    holdOut: 0,
    splitKey: id,
    audience: null,
    exclude: null,
    schedule: null,
    throttle: null,
    ignoreFrequencyCaps: false,
    ignoreQuietHours: false,
    replyHours: 72,
    upliftDays: 7,
    ...said,
    status: "draft",
    stats: emptyBroadcastStats,
    waiting: null,
    pause: null,
    failure: null,
    endReason: null,
    source: null,
    retry: null,
    audienceSnapshotId: null,
    frozenAt: null,
    startedAt: null,
    endedAt: null,
    recipientsKeptUntil: null,
    createdBy: author.kind === "user" ? author.userId : null,
    createdAt: now,
    updatedAt: now,
    version: 1
  })

/** What a broadcast sends: a template with its values, and where in the broadcast they stand. */
export interface BroadcastMessage {
  /** `null` where there is one message for all. */
  readonly variant: VariantKey | null
  /** `null` in a draft that has no template yet. */
  readonly templateId: MessageTemplateId | null
  readonly variables: Variables
  readonly pointer: string
}

/** The messages of a broadcast: its variants, or the one for all. */
export const broadcastMessages = ({
  templateId,
  variables,
  variants
}: Pick<BroadcastDefinition, "templateId" | "variables" | "variants">): ReadonlyArray<BroadcastMessage> =>
  variants === null
    ? [{ variant: null, templateId, variables, pointer: "" }]
    : variants.map(({ key, templateId, variables }, place) => ({
        variant: key,
        templateId,
        variables,
        pointer: `/variants/${place}`
      }))
