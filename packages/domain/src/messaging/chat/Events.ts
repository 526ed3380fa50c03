import { Schema } from "effect"
import { ChatAccountStatus } from "./ChatAccount.ts"
import { ChatAccountId, MessageTemplateId } from "./Ids.ts"
import { TemplateStatus } from "./MessageTemplate.ts"

const account = <const Type extends string>(type: Type) =>
  Schema.Struct({ type: Schema.Literal(type), chatAccountId: ChatAccountId })
const template = <const Type extends string>(type: Type) =>
  Schema.Struct({ type: Schema.Literal(type), messageTemplateId: MessageTemplateId })

/** Events of chat accounts and of message templates. */
export const ChatEvent = Schema.Union([
  account("chat_account.connected"),
  account("chat_account.updated"),
  Schema.Struct({
    type: Schema.Literal("chat_account.status_changed"),
    chatAccountId: ChatAccountId,
    from: ChatAccountStatus,
    to: ChatAccountStatus
  }),
  account("chat_account.removed"),
  template("message_template.created"),
  template("message_template.updated"),
  Schema.Struct({
    type: Schema.Literal("message_template.status_changed"),
    messageTemplateId: MessageTemplateId,
    from: TemplateStatus,
    to: TemplateStatus
  }),
  template("message_template.deleted")
])
export type ChatEvent = typeof ChatEvent.Type
