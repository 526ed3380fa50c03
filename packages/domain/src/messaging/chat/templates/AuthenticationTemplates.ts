import { Schema, Struct } from "effect"
import { ChatAccountId } from "../ChatAccount.ts"
import { TemplateLanguage, TemplateName, TimeToLive } from "../MessageTemplate.ts"
import { AuthenticationContent } from "./TemplateComponents.ts"

/** Content of authentication templates in several languages. The provider writes all texts, including the labels of the button. */
export const SharedAuthenticationContent = Schema.Struct(
  Struct.omit(AuthenticationContent.fields, ["autofillText", "copyText", "text"])
).annotate({ identifier: "SharedAuthenticationContent" })

/** Authentication templates with one name and one content in several languages. */
export const AuthenticationTemplates = Schema.Struct({
  chatAccountId: ChatAccountId,
  name: TemplateName,
  languages: Schema.Array(TemplateLanguage).check(
    Schema.isBetweenLength(1, 100, { message: "Expected 1 to 100 languages" }),
    Schema.isUnique({ message: "Expected each language once" })
  ),
  authentication: SharedAuthenticationContent,
  timeToLive: Schema.optionalKey(TimeToLive)
}).annotate({ identifier: "AuthenticationTemplates" })
export type AuthenticationTemplates = typeof AuthenticationTemplates.Type
