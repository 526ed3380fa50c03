import { Schema } from "effect"
import { Uuid } from "../../kernel/index.ts"

export const ConversationId = Uuid.pipe(Schema.brand("ConversationId"))
export type ConversationId = typeof ConversationId.Type

export const MessageId = Uuid.pipe(Schema.brand("MessageId"))
export type MessageId = typeof MessageId.Type

export const NoteId = Uuid.pipe(Schema.brand("NoteId"))
export type NoteId = typeof NoteId.Type

export const CannedReplyId = Uuid.pipe(Schema.brand("CannedReplyId"))
export type CannedReplyId = typeof CannedReplyId.Type

export const MediaId = Uuid.pipe(Schema.brand("MediaId"))
export type MediaId = typeof MediaId.Type
