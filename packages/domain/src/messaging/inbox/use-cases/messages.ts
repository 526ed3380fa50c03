import { DateTime, Effect } from "effect"
import { type ContactId, Contacts } from "../../../crm/index.ts"
import { NotFound, paged, pagedEncoded, pagedPartial, type PageRequest, useCase } from "../../../kernel/index.ts"
import { Conversations } from "../Conversations.ts"
import type { ConversationId, Direction, MessageId } from "../Message.ts"
import { Messages } from "../Messages.ts"
import { expandMessages, type MessageExpansion } from "../messageViews.ts"
import { FoundMessage, querySearchTokens, buildSnippet, searchableText } from "../messageSearch.ts"

/** Returns the cursor name of the list of a conversation's messages. */
const conversationMessagesCursor = (conversationId: ConversationId) => `messages/${conversationId}`

/** Reads one message. */
export const getMessage = useCase(
  { name: "messages.get", access: { permission: "conversations.read" } },
  Effect.fnUntraced(function* ({
    id: conversationId,
    messageId,
    expand = []
  }: {
    readonly id: ConversationId
    readonly messageId: MessageId
    readonly expand?: ReadonlyArray<MessageExpansion>
  }) {
    const message = yield* (yield* Messages).get(conversationId, messageId)
    const [expanded] = yield* expandMessages([message], expand)
    return expanded ?? message
  })
)

/** Reads the messages of a conversation, newest first. */
export const listMessages = useCase(
  { name: "messages.list", access: { permission: "conversations.read" } },
  Effect.fnUntraced(function* ({
    id: conversationId,
    page,
    expand = []
  }: {
    readonly id: ConversationId
    readonly page: PageRequest
    readonly expand?: ReadonlyArray<MessageExpansion>
  }) {
    yield* (yield* Conversations).get(conversationId)
    const messages = yield* Messages
    const { data, nextCursor } = yield* paged(
      conversationMessagesCursor(conversationId),
      page,
      (slice) => messages.list(conversationId, slice),
      ({ at, id }) => [DateTime.formatIso(at), id]
    )
    return { data: yield* expandMessages(data, expand), nextCursor }
  })
)

/** Reads the same list as `listMessages`, encoded for responses. */
export const renderMessages = useCase(
  { name: "messages.render", access: { permission: "conversations.read" } },
  Effect.fnUntraced(function* ({
    id: conversationId,
    page
  }: {
    readonly id: ConversationId
    readonly page: PageRequest
  }) {
    yield* (yield* Conversations).get(conversationId)
    const messages = yield* Messages
    return yield* pagedEncoded(conversationMessagesCursor(conversationId), page, (slice) =>
      Effect.map(messages.render(conversationId, slice), (rows) => ({ rows, resume: null }))
    )
  })
)

/** Filters of a message search; all given ones must match. A range includes `from` and excludes `to`. */
export interface MessageSearchRequest {
  readonly q: string
  readonly conversationId?: ConversationId
  readonly contactId?: ContactId
  readonly direction?: Direction
  readonly from?: DateTime.Utc
  readonly to?: DateTime.Utc
}

/** Finds messages that contain a term for each given prefix, latest arrival first. */
export const searchMessages = useCase(
  { name: "messages.search", access: { permission: "conversations.read" } },
  Effect.fnUntraced(function* ({
    contactId,
    conversationId,
    direction,
    from,
    q,
    to,
    page
  }: { readonly page: PageRequest } & MessageSearchRequest) {
    if (conversationId !== undefined) {
      const notFound = () => new NotFound({ resource: "conversation", pointer: "/conversationId" })
      yield* Effect.mapError((yield* Conversations).get(conversationId), notFound)
    }
    if (contactId !== undefined) {
      const [contact] = yield* (yield* Contacts).find([contactId])
      if (contact === undefined) return yield* new NotFound({ resource: "contact", pointer: "/contactId" })
    }
    const messages = yield* Messages
    const words = querySearchTokens(q)
    if (words === null) return { data: [], nextCursor: null }
    const query = {
      words,
      conversationId: conversationId ?? null,
      contactId: contactId ?? null,
      direction: direction ?? null,
      from: from ?? null,
      to: to ?? null
    }
    const { data, nextCursor } = yield* pagedPartial(
      "messages/search",
      page,
      (slice) => messages.search(query, slice),
      ({ message }) => [message.id]
    )
    const found = data.map(
      ({ contact, message }) =>
        new FoundMessage({
          message,
          snippet: buildSnippet(searchableText(message), words),
          conversation: { id: message.conversationId, contact }
        })
    )
    return { data: found, nextCursor }
  })
)
