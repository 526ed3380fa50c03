import { Schema } from "effect"
import { isStorable } from "../../../kernel/index.ts"
import { ChatAccountId } from "../ChatAccount.ts"
import { TemplateCategory, TemplateLanguage, TemplateName } from "../MessageTemplate.ts"
import { templateText } from "./TemplateButton.ts"

/** Filters of the provider's template library. */
export const LibraryQuery = Schema.Struct({
  search: Schema.optionalKey(templateText(200)).annotateKey({ description: "Text in the name or the body." }),
  topic: Schema.optionalKey(templateText(100)).annotateKey({
    description: "Topic of the provider, such as ORDER_MANAGEMENT."
  }),
  useCase: Schema.optionalKey(templateText(100)).annotateKey({
    description: "Use case of the provider, such as DELIVERY_UPDATE."
  }),
  industry: Schema.optionalKey(templateText(100)).annotateKey({
    description: "Industry of the provider, such as E_COMMERCE."
  }),
  language: Schema.optionalKey(TemplateLanguage).annotateKey({ description: "Language, such as en-US." })
})
export type LibraryQuery = typeof LibraryQuery.Type

/** Template of the provider's library. Its text is fixed, and it is usually approved immediately. */
export const LibraryTemplate = Schema.Struct({
  /** Id of the provider; `null` if it reports none. */
  id: Schema.NullOr(Schema.String),
  name: Schema.String,
  language: Schema.String,
  category: TemplateCategory,
  topic: Schema.NullOr(Schema.String),
  useCase: Schema.NullOr(Schema.String),
  industries: Schema.Array(Schema.String),
  header: Schema.NullOr(Schema.String),
  body: Schema.String,
  /** Types of the variables of the body, such as `AMOUNT`. The provider checks the values of a message. */
  bodyTypes: Schema.Array(Schema.String),
  /** Examples of the variables of the body, in their order. */
  bodyExamples: Schema.Array(Schema.String),
  /** The values of a URL and a phone number are placeholders. A template needs own ones. */
  buttons: Schema.Array(
    Schema.Struct({
      type: Schema.String,
      text: Schema.NullOr(Schema.String),
      url: Schema.NullOr(Schema.String),
      phone: Schema.NullOr(Schema.String)
    })
  )
}).annotate({ identifier: "LibraryTemplate" })
export type LibraryTemplate = typeof LibraryTemplate.Type

const url = Schema.String.check(
  isStorable,
  Schema.isPattern(/^https?:\/\/\S+$/u, { message: "Expected a web address" }),
  Schema.isMaxCodePoints(2_000, { message: "Expected at most 2000 characters" })
)

/** Value of a button of a library template. */
export const LibraryButtonInput = Schema.Union([
  Schema.Struct({
    type: Schema.Literal("url"),
    url,
    /** Complete address with an example of the variable, if the address ends in `{{1}}`. */
    example: Schema.optionalKey(url)
  }),
  Schema.Struct({
    type: Schema.Literal("phone_number"),
    phone: Schema.String.check(
      Schema.isPattern(/^\+[1-9]\d{6,14}$/u, { message: "Expected a number such as +4930123456" })
    )
  })
]).annotate({ identifier: "LibraryButtonInput" })
export type LibraryButtonInput = typeof LibraryButtonInput.Type

export const NewLibraryMessageTemplate = Schema.Struct({
  chatAccountId: ChatAccountId,
  libraryName: templateText(512),
  name: TemplateName,
  language: TemplateLanguage,
  category: TemplateCategory,
  buttons: Schema.optionalKey(Schema.Array(LibraryButtonInput).check(Schema.isMaxLength(10)))
}).annotate({ identifier: "NewLibraryMessageTemplate" })
export type NewLibraryMessageTemplate = typeof NewLibraryMessageTemplate.Type
