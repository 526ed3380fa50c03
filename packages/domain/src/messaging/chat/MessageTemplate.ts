import { Effect, Schema, SchemaTransformation } from "effect"
import { furtherIssues, isStorable, Timestamp } from "../../kernel/index.ts"
import { Locale, MultiLineText } from "../../platform/identity/index.ts"
import { ChatAccountId, MessageTemplateId, Quality } from "./ChatAccount.ts"
import { TemplateCategory } from "./templates/TemplateCategory.ts"
import { TemplateComponents } from "./templates/TemplateComponents.ts"
import { issuesOfMalformedChange, issuesOfMalformedTemplate } from "./templates/malformedTemplates.ts"
import { isTemplateLanguage } from "./templates/templateLanguages.ts"
import { TemplateVariable } from "./templates/templateVariables.ts"

/**
 * `draft` is not submitted. `in_appeal`: rejected, and the business has objected. `limit_exceeded`: the business account has too many templates.
 * `locked` and `archived`: cannot be sent for now. `pending_deletion`: deleted, and the provider still delivers sent messages.
 */
export const TemplateStatus = Schema.Literals([
  "draft",
  "pending",
  "in_appeal",
  "approved",
  "rejected",
  "paused",
  "disabled",
  "locked",
  "limit_exceeded",
  "archived",
  "pending_deletion",
  "deleted"
])
export type TemplateStatus = typeof TemplateStatus.Type

/** Template name of lower-case letters, digits and underscores. */
export const TemplateName = Schema.String.check(
  Schema.isPattern(/^[a-z0-9_]{1,512}$/u, { message: "Expected lower-case letters, digits and underscores" })
)

/** Time in seconds after which an undelivered message is dropped; -1 for 30 days. */
export const TimeToLive = Schema.Finite.check(
  Schema.isInt({ message: "Expected a whole number" }),
  Schema.isBetween({ minimum: -1, maximum: 2_592_000 }, { message: "Expected -1, or at most 2592000 seconds" })
)

/** Field that is null unless the provider reports a value. */
const reported = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.NullOr(schema)
    .annotate({ description })
    .pipe(Schema.withConstructorDefault(Effect.succeed(null)))

/** Message that needs the provider's approval before it can be sent outside a service window. */
export class MessageTemplate extends Schema.Class<MessageTemplate>("MessageTemplate")({
  id: MessageTemplateId,
  chatAccountId: ChatAccountId,
  name: TemplateName,
  language: Locale,
  category: TemplateCategory,
  components: TemplateComponents,
  variables: Schema.Array(TemplateVariable),
  status: TemplateStatus,
  statusReason: reported(
    Schema.String,
    "Reason of the provider for the status, such as first_pause; null without one."
  ),
  statusUntil: reported(Timestamp, "End of a pause that ends automatically; null otherwise."),
  rejectionReason: Schema.NullOr(Schema.String),
  rejectionAdvice: reported(Schema.String, "Required change after a rejection; null without a rejection."),
  quality: Quality,
  qualityAt: reported(Timestamp, "Time of the latest quality score; null if the provider has not reported it."),
  announcedCategory: reported(
    TemplateCategory,
    "Category that the provider will assign; null if no change is announced."
  ),
  categoryChangesAt: reported(Timestamp, "Time of the announced category change; null if no change is announced."),
  timeToLive: reported(
    TimeToLive,
    "Seconds after which an undelivered message is dropped; -1 for 30 days; null for the default of the provider."
  ),
  libraryName: reported(
    Schema.String,
    "Template of the provider's library that this one was created from; null without one."
  ),
  editTimes: Schema.Array(Timestamp)
    .annotate({
      description: "Times of the edits of the approved template in the last 30 days. The provider limits them."
    })
    .pipe(Schema.withConstructorDefault(Effect.succeed([]))),
  externalId: Schema.NullOr(Schema.String),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  version: Schema.Int
}) {}

/** Language of a template. `en_US`, as the provider writes it, is the same as `en-US`. */
export const TemplateLanguage = Schema.String.check(
  Schema.isPattern(/^[a-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*$/u, {
    message: "Expected a language such as en, pt-BR or pt_BR"
  }),
  Schema.makeFilter(
    (language: string) =>
      isTemplateLanguage(language) || "Expected a language that the provider supports, such as en, pt-BR or pt_BR"
  )
).pipe(
  Schema.decodeTo(
    Locale,
    SchemaTransformation.transform({ decode: (input) => input.replaceAll("_", "-"), encode: (language) => language })
  )
)

export const NewMessageTemplate = Schema.Struct({
  chatAccountId: ChatAccountId,
  name: TemplateName,
  language: TemplateLanguage,
  category: TemplateCategory,
  components: TemplateComponents,
  timeToLive: Schema.optionalKey(TimeToLive)
}).annotate({ identifier: "NewMessageTemplate", ...furtherIssues(issuesOfMalformedTemplate) })
export type NewMessageTemplate = typeof NewMessageTemplate.Type

/** Changes of a template, possible while it is a draft or rejected. */
export const MessageTemplatePatch = Schema.Struct({
  category: Schema.optionalKey(TemplateCategory),
  components: Schema.optionalKey(TemplateComponents),
  timeToLive: Schema.optionalKey(Schema.NullOr(TimeToLive))
}).annotate({ identifier: "MessageTemplatePatch", ...furtherIssues(issuesOfMalformedChange) })
export type MessageTemplatePatch = typeof MessageTemplatePatch.Type

/** Values of a template's variables by key. Files are ids of media, places are `latitude,longitude`. */
export const TemplateInputs = Schema.Record(
  Schema.String,
  MultiLineText.check(Schema.isBetweenCodePoints(1, 4_096, { message: "Expected 1 to 4096 characters" }))
).check(
  Schema.isPropertyNames(
    Schema.String.check(isStorable, Schema.isMaxCodePoints(100, { message: "Expected at most 100 characters" }))
  )
)
export type TemplateInputs = typeof TemplateInputs.Type

export * from "./templates/TemplateCategory.ts"
export * from "./templates/TemplateComponents.ts"
export { TemplateButton } from "./templates/TemplateButton.ts"
export { TemplateVariable } from "./templates/templateVariables.ts"
