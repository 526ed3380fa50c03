import { NotFound, type Slice } from "@parley/domain/kernel"
import {
  type ChatAccountId,
  type ConversationContact,
  type ConversationId,
  Message,
  type MessageId,
  type MessageQuery,
  Messages,
  systemAuthor,
  searchableText,
  searchTokens
} from "@parley/domain/messaging"
import { DateTime, Effect, HashMap, Layer, Order } from "effect"
import { renders } from "../../store/renders.ts"
import { newestFirst } from "../../store/slice.ts"
import { rowAt, type Tenant } from "../../store/State.ts"
import type { MessageRow } from "../state.ts"
import { Store } from "../../store/Store.ts"

const presentIn = ({ messages }: Tenant, chatAccountId: ChatAccountId, ids: ReadonlyArray<MessageId>) =>
  [...new Set(ids)].flatMap((id) => {
    const row = rowAt(messages, id)
    return row?.chatAccountId === chatAccountId ? [row.message] : []
  })

const knownBy = ({ messages }: Tenant, chatAccountId: ChatAccountId, wanted: ReadonlySet<string>) =>
  HashMap.toValues(messages)
    .filter(
      ({ chatAccountId: of, message: { providerMessageId } }) =>
        of === chatAccountId && providerMessageId !== null && wanted.has(providerMessageId)
    )
    .map(({ message }) => message)

const listed = ({ messages }: Tenant, conversationId: ConversationId, slice: Slice): ReadonlyArray<Message> =>
  newestFirst(
    HashMap.toValues(messages)
      .map(({ message }) => message)
      .filter((message) => message.conversationId === conversationId),
    slice
  )

const rendered = renders(Message)

const contactOf = ({ contacts, conversations }: Tenant, { conversationId }: Message): ConversationContact => {
  const id = rowAt(conversations, conversationId)?.conversation.contactId
  if (id === undefined) throw new Error("A message has no conversation")
  const contact = rowAt(contacts, id)
  return { id, name: contact?.name ?? null, phone: contact?.phone ?? null }
}

const isWanted = (tenant: Tenant, query: MessageQuery, message: Message): boolean => {
  const { contactId, conversationId, direction, from, to, words } = query
  const input = searchTokens(searchableText(message))
  return (
    words.every((word) => input.some((each) => each.startsWith(word))) &&
    (conversationId === null || message.conversationId === conversationId) &&
    (contactId === null || contactOf(tenant, message).id === contactId) &&
    (direction === null || message.direction === direction) &&
    (from === null || DateTime.isGreaterThanOrEqualTo(message.at, from)) &&
    (to === null || DateTime.isLessThan(message.at, to))
  )
}

type Rows = Tenant["messages"]

/** The row's message says when this one has changed it last, or taken it back first. */
const withChange = (row: MessageRow, { at, direction, kind }: Message): MessageRow => {
  const { editedAt, revokedAt } = row.message
  // Each side changes only its own messages.
  if (direction !== row.message.direction) return row
  if (kind === "edit") {
    const last = editedAt === null ? at : DateTime.max(editedAt, at)
    return { ...row, message: new Message({ ...row.message, editedAt: last }) }
  }
  if (kind !== "revocation") return row
  const first = revokedAt === null ? at : DateTime.min(revokedAt, at)
  return { ...row, message: new Message({ ...row.message, revokedAt: first }) }
}

/** Links each row to the message that it answers, if the conversation contains that message. */
const withAnswered = (rows: Rows): Rows =>
  HashMap.toValues(rows).reduce((settled, row) => {
    const { answered, chatAccountId, message } = rowAt(settled, row.message.id) ?? row
    if (answered === null) return settled
    const found = HashMap.toValues(rows).find(
      (other) =>
        other.chatAccountId === chatAccountId &&
        other.message.providerMessageId === answered &&
        other.message.conversationId === message.conversationId
    )
    if (found === undefined) return settled
    const replying = new Message({ ...message, replyToId: found.message.id })
    const answering = HashMap.set(settled, message.id, { chatAccountId, message: replying, answered: null })
    const changed = withChange(rowAt(answering, found.message.id) ?? found, replying)
    return HashMap.set(answering, found.message.id, changed)
  }, rows)

export const layer = Layer.effect(
  Messages,
  Effect.map(Store, (store) =>
    Messages.of({
      get: (conversationId, id) =>
        Effect.filterOrFail(
          store.readTenant(({ messages }) => rowAt(messages, id)?.message ?? null),
          (message) => message !== null && message.conversationId === conversationId,
          () => new NotFound({ resource: "message" })
        ) as Effect.Effect<Message, NotFound>,
      list: (conversationId, slice) => store.readTenant((tenant) => listed(tenant, conversationId, slice)),
      render: (conversationId, slice) =>
        store.readTenant((tenant) =>
          listed(tenant, conversationId, slice).map((message) => ({
            rendered: rendered(message),
            key: [DateTime.formatIso(message.at), message.id]
          }))
        ),
      automatedSince: (contactId, since, limit) =>
        store.readTenant(({ conversations, messages }) =>
          HashMap.toValues(messages)
            .map(({ message }) => message)
            .filter(({ at, author, conversationId, direction }) => {
              const isOurs = author.kind === "automation" && author.id !== systemAuthor.id && direction === "outbound"
              const isTheirs = rowAt(conversations, conversationId)?.conversation.contactId === contactId
              return isOurs && isTheirs && DateTime.isGreaterThan(at, since)
            })
            .map(({ at }) => at)
            .toSorted(Order.flip(DateTime.Order))
            .slice(0, limit)
        ),
      search: (query, { after, limit }) =>
        store.readTenant((tenant) => {
          const rows = HashMap.toValues(tenant.messages)
            .map(({ message }) => message)
            .filter((message) => isWanted(tenant, query, message) && (after === null || message.id < (after[0] ?? "")))
            .toSorted((one, other) => (one.id < other.id ? 1 : -1))
            .slice(0, limit)
          return { rows: rows.map((message) => ({ message, contact: contactOf(tenant, message) })), resume: null }
        }),
      // Texts are folded when they are searched.
      refold: () => Effect.succeed(false),
      lock: (chatAccountId, ids) =>
        Effect.andThen(
          store.exclusive,
          store.readTenant((tenant) => presentIn(tenant, chatAccountId, ids))
        ),
      lockByProvider: (chatAccountId, providerMessageIds) =>
        Effect.andThen(
          store.exclusive,
          store.readTenant((tenant) => knownBy(tenant, chatAccountId, new Set(providerMessageIds)))
        ),
      insert: (chatAccountId, messages, answered) =>
        store.writeTenant((tenant) => {
          const reported = messages.flatMap(({ providerMessageId }) => providerMessageId ?? [])
          const known = new Set(
            knownBy(tenant, chatAccountId, new Set(reported)).map(({ providerMessageId }) => providerMessageId)
          )
          const added: Array<MessageRow> = []
          for (const message of messages) {
            const { providerMessageId } = message
            if (providerMessageId !== null && known.has(providerMessageId)) continue
            known.add(providerMessageId)
            added.push({ chatAccountId, message, answered: answered?.get(message.id) ?? null })
          }
          return [
            added.map(({ message }) => message.id),
            {
              messages: withAnswered(
                added.reduce((rows, row) => HashMap.set(rows, row.message.id, row), tenant.messages)
              )
            }
          ]
        }),
      saveAll: (_, messages, endings) =>
        store.writeTenant((tenant) => {
          const rows = messages.reduce((rows, message) => {
            const row = rowAt(rows, message.id)
            if (row === null) return rows
            const {
              deliveredAt,
              details,
              error,
              failedAt,
              playedAt,
              pricing,
              providerMessageId,
              readAt,
              recipient,
              sentAt,
              status
            } = message
            const changed = {
              deliveredAt,
              details,
              error,
              failedAt,
              playedAt,
              pricing,
              providerMessageId,
              readAt,
              recipient,
              sentAt,
              status
            }
            const ending = endings?.get(message.id)
            const stored = { ...row, message: new Message({ ...row.message, ...changed }) }
            return HashMap.set(rows, message.id, ending === undefined ? stored : { ...stored, ending })
          }, tenant.messages)
          return [undefined, { messages: withAnswered(rows) }]
        }),
      storeEarly: (chatAccountId, receipts) =>
        store.writeTenant((tenant) => {
          const reported = new Set(receipts.map(({ providerMessageId }) => providerMessageId))
          const known = new Set(
            knownBy(tenant, chatAccountId, reported).map(({ providerMessageId }) => providerMessageId)
          )
          const early = receipts.filter(({ providerMessageId }) => !known.has(providerMessageId))
          return [
            early.length,
            { earlyReceipts: [...tenant.earlyReceipts, ...early.map((receipt) => ({ chatAccountId, receipt }))] }
          ]
        }),
      removeEarly: (chatAccountId, providerMessageIds) =>
        store.writeTenant(({ earlyReceipts }) => {
          const isWanted = ({ chatAccountId: of, receipt }: (typeof earlyReceipts)[number]) =>
            of === chatAccountId && providerMessageIds.includes(receipt.providerMessageId)
          return [
            earlyReceipts.filter(isWanted).map(({ receipt }) => receipt),
            { earlyReceipts: earlyReceipts.filter((row) => !isWanted(row)) }
          ]
        })
    })
  )
)
