import { Schema } from "effect"
import { isStorable } from "../../../kernel/index.ts"
import { MultiLineText } from "../../../platform/identity/index.ts"

/** Text of 1 to `most` characters. */
export const templateText = (most: number) =>
  MultiLineText.check(Schema.isBetweenCodePoints(1, most, { message: `Expected 1 to ${most} characters` }))

const label = templateText(25)

/** Id that the provider assigned to an object of the business, such as a flow or a catalog. */
export const providerObjectId = Schema.String.check(
  isStorable,
  Schema.isPattern(/^\S{1,100}$/u, { message: "Expected an id of 1 to 100 characters, without spaces" })
)

const QuickReply = Schema.Struct({ type: Schema.Literal("quick_reply"), text: label })

const UrlButton = Schema.Struct({
  type: Schema.Literal("url"),
  text: label,
  /** May end in `{{1}}`. */
  url: Schema.String.check(
    isStorable,
    Schema.isPattern(/^https?:\/\/\S+$/u, { message: "Expected a web address" }),
    Schema.isMaxCodePoints(2_000, { message: "Expected at most 2000 characters" })
  ),
  example: Schema.optionalKey(templateText(2_000)),
  /** Opens an Android app instead of the browser. */
  appDeepLink: Schema.optionalKey(
    Schema.Struct({
      metaAppId: providerObjectId,
      androidDeepLink: templateText(2_000),
      androidFallbackPlaystoreUrl: Schema.optionalKey(templateText(2_000))
    })
  )
})

const PhoneButton = Schema.Struct({
  type: Schema.Literal("phone_number"),
  text: label,
  phone: Schema.String.check(
    Schema.isPattern(/^\+[1-9]\d{6,14}$/u, { message: "Expected a number such as +4930123456" })
  )
})

/** Copies a coupon code. The provider fixes the label. */
const CodeButton = Schema.Struct({ type: Schema.Literal("copy_code"), example: templateText(20) })

/** Opens a flow, specified by its id or its name. */
const FlowButton = Schema.Struct({
  type: Schema.Literal("flow"),
  text: label,
  flowId: Schema.optionalKey(providerObjectId),
  flowName: Schema.optionalKey(templateText(200)),
  action: Schema.optionalKey(Schema.Literals(["navigate", "data_exchange"])),
  screen: Schema.optionalKey(templateText(200)),
  icon: Schema.optionalKey(Schema.Literals(["document", "promotion", "review"]))
})

/** Opens the catalog, a selection of its products, or one product. The provider fixes the label. */
const CatalogButton = Schema.Struct({
  type: Schema.Literals(["catalog", "multi_product", "single_product"]),
  text: Schema.optionalKey(label)
})

const LabelledButton = Schema.Struct({ type: Schema.Literals(["voice_call", "order_details"]), text: label })

/** Asks for the phone number of the user. The provider fixes the label. */
const ContactInfoButton = Schema.Struct({ type: Schema.Literal("request_contact_info") })

export const TemplateButton = Schema.Union([
  QuickReply,
  UrlButton,
  PhoneButton,
  CodeButton,
  FlowButton,
  CatalogButton,
  LabelledButton,
  ContactInfoButton
]).annotate({ identifier: "TemplateButton" })
export type TemplateButton = typeof TemplateButton.Type
