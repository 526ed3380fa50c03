import { Schema } from "effect"
import { isStorable, StorableJson, Uuid } from "../../../kernel/index.ts"
import { TemplateButton, templateText } from "./TemplateButton.ts"

/** Id of an uploaded file. The inbox owns the files. */
export const TemplateFileId = Uuid.pipe(Schema.brand("MediaId"))
export type TemplateFileId = typeof TemplateFileId.Type

/** Sample of each variable of a text by name or number, for reviewers of the template. */
export const TemplateExamples = Schema.Record(Schema.String, templateText(1_024)).check(isStorable)

const HeaderText = Schema.Struct({
  format: Schema.Literal("text"),
  text: templateText(60),
  examples: Schema.optionalKey(TemplateExamples)
})

const mediaFields = {
  /** Uploaded sample of the file, for reviewers of the template. */
  mediaId: Schema.optionalKey(TemplateFileId),
  /** Link of the provider to its sample. It expires, and it cannot be sent. Set by the provider. */
  link: Schema.optionalKey(
    Schema.String.check(isStorable, Schema.isMaxCodePoints(4_000, { message: "Expected at most 4000 characters" }))
  )
}

/** `gif` is an MP4 video that plays in a loop. Only marketing templates can have it. */
export const TemplateHeaderMedia = Schema.Struct({
  format: Schema.Literals(["image", "video", "document", "gif"]),
  ...mediaFields
})
export type TemplateHeaderMedia = typeof TemplateHeaderMedia.Type

const HeaderPlace = Schema.Struct({ format: Schema.Literals(["location", "product"]) })

export const TemplateHeader = Schema.Union([HeaderText, TemplateHeaderMedia, HeaderPlace]).annotate({
  identifier: "TemplateHeader"
})
export type TemplateHeader = typeof TemplateHeader.Type

const Body = Schema.Struct({ text: templateText(1_024), examples: Schema.optionalKey(TemplateExamples) })

/** Card of a carousel. All cards have the same format, body and buttons. */
export const TemplateCard = Schema.Struct({
  header: Schema.Struct({ format: Schema.Literals(["image", "video", "product"]), ...mediaFields }),
  body: Schema.optionalKey(Schema.Struct({ text: templateText(160), examples: Schema.optionalKey(TemplateExamples) })),
  buttons: Schema.Array(TemplateButton).check(Schema.isBetweenLength(1, 2, { message: "Expected 1 or 2 buttons" }))
}).annotate({ identifier: "TemplateCard" })
export type TemplateCard = typeof TemplateCard.Type

/** Android app that can receive a one-time code. */
const ReceivingApp = Schema.Struct({
  packageName: Schema.String.check(
    Schema.isPattern(/^(?=.{1,224}$)[A-Za-z]\w*(?:\.[A-Za-z]\w*)+$/u, {
      message: "Expected a package name such as com.example.app"
    })
  ),
  signatureHash: Schema.String.check(
    Schema.isPattern(/^[A-Za-z0-9+/=]{11}$/u, { message: "Expected a signature hash of 11 characters" })
  )
})

/** Content of an authentication template. The provider writes its text, and a button transfers the code. */
export const AuthenticationContent = Schema.Struct({
  /** `one_tap` and `zero_tap` pass the code to an app, and copy it if that fails. */
  transfer: Schema.Literals(["copy_code", "one_tap", "zero_tap"]),
  /** Adds the sentence that nobody should share the code. */
  securityRecommendation: Schema.optionalKey(Schema.Boolean),
  /** Validity of the code, shown below the text. Without it, the button stops working after ten minutes. */
  expiryMinutes: Schema.optionalKey(
    Schema.Finite.check(
      Schema.isInt({ message: "Expected a whole number" }),
      Schema.isBetween({ minimum: 1, maximum: 90 }, { message: "Expected 1 to 90 minutes" })
    )
  ),
  copyText: Schema.optionalKey(templateText(25)),
  autofillText: Schema.optionalKey(templateText(25)),
  apps: Schema.optionalKey(
    Schema.Array(ReceivingApp).check(Schema.isBetweenLength(1, 5, { message: "Expected 1 to 5 apps" }))
  ),
  zeroTapTermsAccepted: Schema.optionalKey(Schema.Boolean),
  /** Text of the provider in the language of the template. Set by the provider. */
  text: Schema.optionalKey(templateText(1_024))
}).annotate({ identifier: "AuthenticationContent" })
export type AuthenticationContent = typeof AuthenticationContent.Type

const templateComponents = Schema.Struct({
  header: Schema.optionalKey(TemplateHeader),
  body: Schema.optionalKey(Body),
  footer: Schema.optionalKey(Schema.Struct({ text: templateText(60) })),
  buttons: Schema.optionalKey(
    Schema.Array(TemplateButton).check(Schema.isBetweenLength(1, 10, { message: "Expected 1 to 10 buttons" }))
  ),
  /** Instead of all other components, for the category authentication. */
  authentication: Schema.optionalKey(AuthenticationContent),
  limitedTimeOffer: Schema.optionalKey(
    Schema.Struct({ text: templateText(16), hasExpiration: Schema.optionalKey(Schema.Boolean) })
  ),
  cards: Schema.optionalKey(
    Schema.Array(TemplateCard).check(Schema.isBetweenLength(2, 10, { message: "Expected 2 to 10 cards" }))
  ),
  /** Asks for the permission to call the user. */
  callPermissionRequest: Schema.optionalKey(Schema.Literal(true)),
  /** Components of the provider that Parley cannot send, in the provider's form. Set by the provider. */
  unsupported: Schema.optionalKey(Schema.Array(StorableJson))
}).annotate({ identifier: "TemplateComponents" })

type ComponentFields = typeof templateComponents.Type
type EncodedComponentFields = typeof templateComponents.Encoded

// Named interfaces keep the declarations of all types that contain components short.
export interface TemplateComponents extends ComponentFields {}
export interface EncodedTemplateComponents extends EncodedComponentFields {}

/** Components of a template. Variables are `{{1}}` or `{{first_name}}`, all in one style. */
export const TemplateComponents: Schema.Codec<TemplateComponents, EncodedTemplateComponents> = templateComponents

/** Names of the components. */
export const templateComponentNames = Object.keys(templateComponents.fields)
