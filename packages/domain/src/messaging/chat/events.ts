import { Schema } from "effect"
import { eventAppender, Timestamp } from "../../kernel/index.ts"
import { ChatAccountId, ChatAccountStatus, MessageTemplateId, NoticeTopic } from "./ChatAccount.ts"
import { TemplateCategory, TemplateStatus } from "./MessageTemplate.ts"

const account = <const Type extends string>(type: Type) =>
  Schema.Struct({ type: Schema.Literal(type), chatAccountId: ChatAccountId })
const template = <const Type extends string>(type: Type) =>
  Schema.Struct({ type: Schema.Literal(type), messageTemplateId: MessageTemplateId })

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
  Schema.Struct({
    type: Schema.Literal("chat_account.notice"),
    chatAccountId: ChatAccountId,
    topic: NoticeTopic,
    /** The provider's name of the event, such as `PIN_CHANGED`. */
    event: Schema.String,
    detail: Schema.NullOr(Schema.String)
  }),
  template("message_template.created"),
  template("message_template.updated"),
  Schema.Struct({
    type: Schema.Literal("message_template.status_changed"),
    messageTemplateId: MessageTemplateId,
    from: TemplateStatus,
    to: TemplateStatus
  }),
  Schema.Struct({
    type: Schema.Literal("message_template.category_change_announced"),
    messageTemplateId: MessageTemplateId,
    category: TemplateCategory,
    /** `null` if the provider does not report the time. */
    at: Schema.NullOr(Timestamp)
  }),
  template("message_template.deleted")
])
export type ChatEvent = typeof ChatEvent.Type

export const appendEvent = eventAppender<ChatEvent>()
