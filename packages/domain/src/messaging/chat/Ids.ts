import { Schema } from "effect"
import { Uuid } from "../../kernel/index.ts"

export const ChatAccountId = Uuid.pipe(Schema.brand("ChatAccountId"))
export type ChatAccountId = typeof ChatAccountId.Type

export const MessageTemplateId = Uuid.pipe(Schema.brand("MessageTemplateId"))
export type MessageTemplateId = typeof MessageTemplateId.Type
