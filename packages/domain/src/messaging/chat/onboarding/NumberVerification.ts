import { Schema } from "effect"
import { PhoneNumber } from "../../../crm/index.ts"
import { SingleLineText } from "../../../platform/identity/index.ts"
import { DisplayName } from "../ChatAccount.ts"
import { isTemplateLanguage } from "../templates/templateLanguages.ts"

/** Way in which the provider sends the code of a verification. */
export const CodeMethod = Schema.Literals(["sms", "voice"])
export type CodeMethod = typeof CodeMethod.Type

/** Language of the SMS or the call with a code. */
export const CodeLanguage = Schema.String.check(
  Schema.isPattern(/^[a-z]{2,3}(_[A-Z]{2})?$/u, { message: "Expected a language such as en_US or de" }),
  Schema.makeFilter(
    (language: string) =>
      isTemplateLanguage(language) || "Expected a language that the provider supports, such as en_US or de"
  )
)

/** Request of a code for a number that is not verified. */
export const CodeRequest = Schema.Struct({
  method: CodeMethod.annotate({ description: "Whether the code comes by SMS or by a call." }),
  language: Schema.optionalKey(CodeLanguage).annotate({
    description: "Language of the SMS or the call. Default: `en_US`."
  })
}).annotate({ identifier: "CodeRequest" })
export type CodeRequest = typeof CodeRequest.Type

/** Code from the SMS or the call. */
export const VerificationCode = Schema.RedactedFromValue(
  Schema.String.check(Schema.isPattern(/^\d{3}-?\d{3}$/u, { message: "Expected the six digits of the code" }))
)

/** Number to add to the business account of a connected number. */
export const AddedNumber = Schema.Struct({
  phone: PhoneNumber,
  verifiedName: SingleLineText.check(
    Schema.isMaxCodePoints(128, { message: "Expected at most 128 characters" })
  ).annotate({ description: "Name that customers see. The provider reviews it." }),
  displayName: Schema.optionalKey(DisplayName).annotate({
    description: "Name of the chat account for members. Default: `verifiedName`."
  })
}).annotate({ identifier: "AddedNumber" })
export type AddedNumber = typeof AddedNumber.Type
