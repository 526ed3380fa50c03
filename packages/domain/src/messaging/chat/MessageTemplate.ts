import { Schema } from "effect"
import { isStorable, Timestamp } from "../../kernel/index.ts"
import { Locale, MultiLineText } from "../../platform/identity/index.ts"
import { ChatAccountId, MessageTemplateId, Quality } from "./ChatAccount.ts"

export const TemplateCategory = Schema.Literals(["marketing", "utility", "authentication"])
export type TemplateCategory = typeof TemplateCategory.Type

export const TemplateStatus = Schema.Literals(["draft", "pending", "approved", "rejected", "paused", "disabled"])
export type TemplateStatus = typeof TemplateStatus.Type

/** Template name of lower-case letters, digits and underscores. */
export const TemplateName = Schema.String.check(
  Schema.isPattern(/^[a-z0-9_]{1,512}$/u, { message: "Expected lower-case letters, digits and underscores" })
)

const text = (most: number) =>
  MultiLineText.check(Schema.isBetweenCodePoints(1, most, { message: `Expected 1 to ${most} characters` }))

/** Sample of each variable of a text by name or number, for reviewers of the template. */
export const TemplateExamples = Schema.Record(Schema.String, text(1_024)).check(isStorable)

const HeaderText = Schema.Struct({
  format: Schema.Literal("text"),
  text: text(60),
  examples: Schema.optionalKey(TemplateExamples)
})
const HeaderMedia = Schema.Struct({
  format: Schema.Literals(["image", "video", "document"]),
  /** Link to a sample of the file, for reviewers of the template. */
  example: Schema.optionalKey(
    Schema.String.check(isStorable, Schema.isMaxCodePoints(2_000, { message: "Expected at most 2000 characters" }))
  )
})
const HeaderLocation = Schema.Struct({ format: Schema.Literal("location") })

export const TemplateHeader = Schema.Union([HeaderText, HeaderMedia, HeaderLocation]).annotate({
  identifier: "TemplateHeader"
})
export type TemplateHeader = typeof TemplateHeader.Type

const QuickReply = Schema.Struct({ type: Schema.Literal("quick_reply"), text: text(25) })
const UrlButton = Schema.Struct({
  type: Schema.Literal("url"),
  text: text(25),
  /** May end in `{{1}}`. */
  url: Schema.String.check(
    isStorable,
    Schema.isPattern(/^https?:\/\/\S+$/u, { message: "Expected a web address" }),
    Schema.isMaxCodePoints(2_000, { message: "Expected at most 2000 characters" })
  ),
  example: Schema.optionalKey(text(2_000))
})
const PhoneButton = Schema.Struct({
  type: Schema.Literal("phone_number"),
  text: text(25),
  phone: Schema.String.check(
    Schema.isPattern(/^\+[1-9]\d{6,14}$/u, { message: "Expected a number such as +4930123456" })
  )
})
const CodeButton = Schema.Struct({ type: Schema.Literal("copy_code"), example: text(15) })

export const TemplateButton = Schema.Union([QuickReply, UrlButton, PhoneButton, CodeButton]).annotate({
  identifier: "TemplateButton"
})
export type TemplateButton = typeof TemplateButton.Type

/** Components of a template. Variables are `{{1}}` or `{{first_name}}`, all in one style. */
export const TemplateComponents = Schema.Struct({
  header: Schema.optionalKey(TemplateHeader),
  body: Schema.Struct({ text: text(1_024), examples: Schema.optionalKey(TemplateExamples) }),
  footer: Schema.optionalKey(Schema.Struct({ text: text(60) })),
  buttons: Schema.optionalKey(
    Schema.Array(TemplateButton).check(Schema.isBetweenLength(1, 10, { message: "Expected 1 to 10 buttons" }))
  )
}).annotate({ identifier: "TemplateComponents" })
export type TemplateComponents = typeof TemplateComponents.Type

/** Variable to fill when the template is sent: `header.1`, `body.first_name`, `buttons.0`, or `header` for a file or a place. */
export const TemplateVariable = Schema.Struct({
  key: Schema.String,
  in: Schema.Literals(["header", "body", "buttons"]),
  kind: Schema.Literals(["text", "image", "video", "document", "location", "url_suffix", "code"])
}).annotate({ identifier: "TemplateVariable" })
export type TemplateVariable = typeof TemplateVariable.Type

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
  rejectionReason: Schema.NullOr(Schema.String),
  quality: Quality,
  externalId: Schema.NullOr(Schema.String),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  version: Schema.Int
}) {}

export const NewMessageTemplate = Schema.Struct({
  chatAccountId: ChatAccountId,
  name: TemplateName,
  language: Locale,
  category: TemplateCategory,
  components: TemplateComponents
}).annotate({ identifier: "NewMessageTemplate" })
export type NewMessageTemplate = typeof NewMessageTemplate.Type

/** Changes of a template, possible while it is a draft or rejected. */
export const MessageTemplatePatch = Schema.Struct({
  category: Schema.optionalKey(TemplateCategory),
  components: Schema.optionalKey(TemplateComponents)
}).annotate({ identifier: "MessageTemplatePatch" })
export type MessageTemplatePatch = typeof MessageTemplatePatch.Type

/** Values of a template's variables by key. Files are ids of media, places are `latitude,longitude`. */
export const TemplateInputs = Schema.Record(
  Schema.String,
  MultiLineText.check(Schema.isBetweenCodePoints(1, 1_024, { message: "Expected 1 to 1024 characters" }))
).check(
  Schema.isPropertyNames(
    Schema.String.check(isStorable, Schema.isMaxCodePoints(100, { message: "Expected at most 100 characters" }))
  )
)
export type TemplateInputs = typeof TemplateInputs.Type

/** Template with filled variables, as the customer would see it. */
export const TemplatePreview = Schema.Struct({
  header: Schema.NullOr(Schema.String),
  body: Schema.String,
  footer: Schema.NullOr(Schema.String),
  buttons: Schema.Array(
    Schema.Struct({ type: Schema.String, text: Schema.String, value: Schema.NullOr(Schema.String) })
  )
}).annotate({ identifier: "TemplatePreview" })
export type TemplatePreview = typeof TemplatePreview.Type
