import { type DateTime, Schema } from "effect"
import { FilterInput } from "../crm/index.ts"
import { type Actor, shownWithSelected, Timestamp, UserId } from "../kernel/index.ts"
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

/** Percent of the audience, with at most two decimals. */
export const HoldOut = Schema.Finite.check(
  Schema.isBetween({ minimum: 0, maximum: 50 }, { message: "Expected 0 to 50 percent" }),
  Schema.makeFilter((percent: number) => Number(percent.toFixed(2)) === percent || "Expected at most two decimals")
)

/** Seed of the hold-out and variant draws. Broadcasts with the same key hold out the same contacts. */
export const SplitKey = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9_.-]{1,64}$/u, {
    message: "Expected 1 to 64 letters, digits, dots, dashes or underscores"
  })
)

export const VariantKey = Schema.Literals(["a", "b", "c", "d", "e"])
export type VariantKey = typeof VariantKey.Type

/** One of several texts in a comparison. */
export const Variant = Schema.Struct({
  key: VariantKey,
  weight: wholeNumber(1, 99).annotateKey({ description: "Share of the recipients, in percent." }),
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

/** Maximum send rate; `null` for the rate of the account. */
export const Throttle = Schema.NullOr(Schema.Struct({ perMinute: wholeNumber(1, 60_000) }))

/** Fields that members define: audience and content. */
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
  /** Hours after acceptance that a reply of the contact counts. */
  replyHours: wholeNumber(1, 168),
  /** Days after the due time of a contact that an order counts for the uplift. */
  upliftDays: wholeNumber(1, 30)
}

/** Refusal of the chat provider that paused a broadcast. */
export const BroadcastRefusal = Schema.Struct({
  code: Schema.NullOr(Schema.Int).annotateKey({
    description: "Code of the provider; null if the template was no longer approved before a send."
  }),
  reason: Schema.String.annotateKey({ description: "Message of the provider, and the required change." })
}).annotate({ identifier: "BroadcastRefusal" })
export type BroadcastRefusal = typeof BroadcastRefusal.Type

/** Reason, time and author of a pause; `by` is `null` for a pause by the service. `refusal` is set if the provider caused it. */
export const BroadcastPause = Schema.Struct({
  refusal: Schema.optionalKey(BroadcastRefusal),
  reason: Schema.Literals(["user", "template", "account", "failures", "suspended"]),
  at: Timestamp,
  by: Schema.NullOr(UserId)
}).annotate({ identifier: "BroadcastPause" })
export type BroadcastPause = typeof BroadcastPause.Type

export const BroadcastFailure = Schema.Struct({ code: Schema.String, detail: Schema.String }).annotate({
  identifier: "BroadcastFailure"
})
export type BroadcastFailure = typeof BroadcastFailure.Type

const contactClockReasons: ReadonlySet<unknown> = new Set(["quiet_hours", "window", "local_time"])

/** Reason why a sending broadcast waits, and the end of the wait if known. `local_time`: no remaining contact has reached `localAt` yet. */
export const BroadcastWaiting = Schema.Struct({
  reason: Schema.Literals(["daily_limit", "quiet_hours", "window", "throttle", "account_resting", "local_time"]),
  until: Schema.NullOr(Timestamp)
    .annotateKey({
      description:
        "End of the wait, if known. Null without `contacts.read` for `quiet_hours`, `window` and `local_time`, because it shows time zones of contacts."
    })
    .pipe(
      shownWithSelected(["contacts.read"], ({ reason }) => (contactClockReasons.has(reason) ? ["contacts.read"] : []))
    )
}).annotate({ identifier: "BroadcastWaiting" })
export type BroadcastWaiting = typeof BroadcastWaiting.Type

/** Broadcast that this one was created from. */
export const BroadcastSource = Schema.Struct({
  broadcastId: BroadcastId,
  kind: Schema.Literals(["duplicate", "retry"])
}).annotate({ identifier: "BroadcastSource" })

/**
 * Reason for an early end without a failure. A member cancelled it, `notAfter` or `endBy` passed, it was paused for 30 days, or its chat account was
 * removed. `end_by` is set when sending stops; recipients can still be in doubt.
 */
export const BroadcastEndReason = Schema.Literals(["user", "not_after", "end_by", "paused_too_long", "account_removed"])
export type BroadcastEndReason = typeof BroadcastEndReason.Type

/** One message to many contacts, at most once to each. */
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

/** Fields of a broadcast that members define. */
export type BroadcastDefinition = Pick<Broadcast, keyof typeof definition>

/** Names of the fields in a broadcast definition. */
export const definitionFields = Object.keys(definition) as ReadonlyArray<keyof typeof definition>

/** Input for a new broadcast. A draft can omit fields that sending requires. */
export const NewBroadcast = Schema.Struct({ name: definition.name, ...optionalDefinition }).annotate({
  identifier: "NewBroadcast"
})
export type NewBroadcast = typeof NewBroadcast.Type

/** Changes before the start; an absent field stays, `null` clears. */
export const BroadcastPatch = Schema.Struct({ name: optionalField(definition.name), ...optionalDefinition }).annotate({
  identifier: "BroadcastPatch"
})
export type BroadcastPatch = typeof BroadcastPatch.Type

/** Selection of recipients for a retry of an ended broadcast. */
export const NewBroadcastRetry = Schema.Struct({
  name: optionalField(definition.name).annotateKey({ description: "Default: the same name." }),
  statuses: RetriedStatuses,
  codes: optionalField(RetriedCodes).annotateKey({
    description: "Only failed recipients with one of these errors; see `failures` of the report."
  }),
  allowDuplicate: optionalField(Schema.Boolean).annotateKey({
    description: "Must be true for `in_doubt`: these recipients can get the message twice."
  })
}).annotate({ identifier: "NewBroadcastRetry" })
export type NewBroadcastRetry = typeof NewBroadcastRetry.Type

/** Creates a draft by the current actor, with defaults for absent fields. */
export const toDraft = (id: BroadcastId, input: NewBroadcast, now: DateTime.Utc, author: Actor): Broadcast =>
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
    ...input,
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

/** A template with its values, and the location of both in the broadcast. */
export interface BroadcastMessage {
  /** `null` without variants. */
  readonly variant: VariantKey | null
  /** `null` in a draft without a template. */
  readonly templateId: MessageTemplateId | null
  readonly variables: Variables
  readonly pointer: string
}

/** Returns the messages of a broadcast: its variants or its single message. */
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
