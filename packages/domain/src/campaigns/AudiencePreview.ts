import { Effect, Schema } from "effect"
import { ContactId, FilterInput } from "../crm/index.ts"
import { shownWith, Timestamp } from "../kernel/index.ts"
import { ChatAccountId, ChatAccounts, type MessageTemplate, TemplatePreview } from "../messaging/chat/index.ts"
import { PlanLimitReached } from "../platform/entitlements/index.ts"
import { type Broadcast, broadcastMessages, NewBroadcast, VariantKey } from "./Broadcast.ts"
import { CostEstimate } from "./CostEstimate.ts"
import { AudienceSnapshotId, BroadcastId } from "./Ids.ts"
import { readPlanQuota } from "./RecipientReservations.ts"
import { ExclusionReason } from "./RecipientStatus.ts"
import { AudienceEmpty } from "./errors.ts"
import { findSendBlockers } from "./startRequirements.ts"

/** A draft to preview, and whether its recipient list is stored. */
export const NewAudiencePreview = Schema.Struct({
  ...NewBroadcast.fields,
  name: Schema.optionalKey(NewBroadcast.fields.name).annotateKey({
    description: "Accepted for previews of a whole draft, without effect on the answer."
  }),
  chatAccountId: Schema.optionalKey(ChatAccountId),
  audience: Schema.optionalKey(FilterInput),
  broadcastId: Schema.optionalKey(BroadcastId).annotateKey({
    description: "Broadcast of the preview. A retry is limited to the recipients of its original broadcast."
  }),
  freeze: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Stores exactly this list of recipients for 24 hours, for sending."
  })
}).annotate({ identifier: "NewAudiencePreview" })
export type NewAudiencePreview = typeof NewAudiencePreview.Type

const exclusionCounts = Object.fromEntries(
  ExclusionReason.literals.map((reason) => [reason, Schema.optionalKey(Schema.Int)])
) as Record<ExclusionReason, Schema.optionalKey<typeof Schema.Int>>

/** Reason why `send` would reject the broadcast now: the problem code and the field that causes it. */
export const PreviewWarning = Schema.Struct({
  code: Schema.Literals([
    "validation_failed",
    "template_not_approved",
    "chat_account_disconnected",
    "audience_empty",
    "plan_limit_reached"
  ]),
  pointer: Schema.String.annotateKey({
    description: "JSON pointer into the broadcast; empty for the whole broadcast."
  }),
  detail: Schema.String
}).annotate({ identifier: "AudiencePreviewWarning" })
export type PreviewWarning = typeof PreviewWarning.Type

/** Effect of the broadcast that its author may not expect. It does not block sending. */
export const PreviewNote = Schema.Struct({
  code: Schema.Literals(["marketing_for_all_variants", "number_quality_low"]),
  pointer: Schema.String.annotateKey({ description: "JSON pointer into the broadcast." }),
  detail: Schema.String
}).annotate({ identifier: "AudiencePreviewNote" })
export type PreviewNote = typeof PreviewNote.Type

/** Current counts of recipients and exclusions of a broadcast. Each exclusion counts under the first reason that applies. */
export const AudiencePreview = Schema.Struct({
  matched: Schema.Int,
  reachable: Schema.Int,
  /** An estimate: the hold-out is drawn when the broadcast starts. */
  heldOut: Schema.Int,
  toSend: Schema.Int,
  /** Estimated recipients per variant, by weight; `null` without variants. */
  variants: Schema.NullOr(Schema.Array(Schema.Struct({ key: VariantKey, toSend: Schema.Int }))),
  excluded: Schema.Struct(exclusionCounts),
  sample: Schema.Array(
    Schema.Struct({
      contactId: ContactId,
      address: Schema.NullOr(Schema.String).pipe(shownWith("contacts.read")),
      preview: Schema.NullOr(TemplatePreview)
        .annotateKey({ description: "The message with this contact's values. Null without a template." })
        .pipe(shownWith("contacts.read"))
    })
  ),
  costs: Schema.NullOr(CostEstimate).annotateKey({
    description:
      "Estimated costs by the rate cards that the operator has imported; null without templates, and without `contacts.read`."
  }),
  warnings: Schema.Array(PreviewWarning),
  notes: Schema.Array(PreviewNote).annotateKey({
    description: "Effects to know before sending. They do not block it."
  }),
  audienceSnapshotId: Schema.NullOr(AudienceSnapshotId),
  expiresAt: Schema.NullOr(Timestamp)
}).annotate({ identifier: "AudiencePreview" })
export type AudiencePreview = typeof AudiencePreview.Type

const startsNow = ({ schedule }: Broadcast) => schedule?.at === undefined && schedule?.localAt === undefined

/** Reasons why a send to `toSend` of `matched` contacts would be rejected now. */
export const findPreviewWarnings = Effect.fnUntraced(function* (
  broadcast: Broadcast,
  { matched, toSend }: { readonly matched: number; readonly toSend: number }
) {
  const { disconnected, errors, unapproved } = yield* findSendBlockers(broadcast, { startsNow: startsNow(broadcast) })
  const { max, used } = yield* readPlanQuota
  const warnings: ReadonlyArray<PreviewWarning> = [
    ...errors.map(({ message, pointer }) => ({ code: "validation_failed" as const, pointer, detail: message })),
    ...unapproved.map(({ error, pointer }) => ({
      code: "template_not_approved" as const,
      pointer,
      detail: error.message
    })),
    ...(disconnected === null
      ? []
      : [{ code: "chat_account_disconnected" as const, pointer: "/chatAccountId", detail: disconnected.message }]),
    ...(toSend > 0
      ? []
      : [{ code: "audience_empty" as const, pointer: "/audience", detail: new AudienceEmpty({ matched }).message }]),
    ...(used + toSend <= max
      ? []
      : [
          {
            code: "plan_limit_reached" as const,
            pointer: "",
            detail: new PlanLimitReached({ limit: "broadcastRecipientsPerMonth", current: used, max }).message
          }
        ])
  ]
  return warnings
})

/** The category of one message decides the rules of the whole broadcast. */
const findCategoryNotes = (
  broadcast: Broadcast,
  templates: ReadonlyMap<string, MessageTemplate>
): ReadonlyArray<PreviewNote> => {
  const messages = broadcastMessages(broadcast).flatMap(({ pointer, templateId, variant }) => {
    const template = templateId === null ? undefined : templates.get(templateId)
    return template === undefined || variant === null
      ? []
      : [{ pointer, variant, isMarketing: template.category === "marketing" }]
  })
  const marketing = messages.find(({ isMarketing }) => isMarketing)
  if (marketing === undefined || messages.every(({ isMarketing }) => isMarketing)) return []
  return [
    {
      code: "marketing_for_all_variants",
      pointer: `${marketing.pointer}/templateId`,
      detail: `Variant ${marketing.variant} uses a marketing template, so the whole broadcast is marketing: its rules for consent, quiet hours and frequency caps apply to every variant.`
    }
  ]
}

/** People who block or report a message lower the rating. The provider can then limit the number. */
const findQualityNotes = Effect.fnUntraced(function* ({ chatAccountId }: Broadcast) {
  const [account] = chatAccountId === null ? [] : yield* (yield* ChatAccounts).find([chatAccountId])
  const rating = account?.qualityRating
  if (rating !== "red" && rating !== "yellow") return []
  const note: PreviewNote = {
    code: "number_quality_low",
    pointer: "/chatAccountId",
    detail: `The provider rates the quality of this number as ${rating}, because people blocked or reported its messages. It can limit the number. Send only to contacts who expect the message.`
  }
  return [note]
})

/** Notes about a broadcast with these templates. */
export const findPreviewNotes = (broadcast: Broadcast, templates: ReadonlyMap<string, MessageTemplate>) =>
  Effect.map(findQualityNotes(broadcast), (notes) => [...findCategoryNotes(broadcast, templates), ...notes])
