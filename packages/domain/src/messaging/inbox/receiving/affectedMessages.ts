import { Effect, Schema } from "effect"
import type { ChatAccountId } from "../../chat/index.ts"
import type { ReceiptTarget } from "../Conversations.ts"
import { type Message, MessageId } from "../Message.ts"
import { Messages } from "../Messages.ts"
import { toFollowingFileId } from "../followingFiles.ts"
import { acceptedAt, isAnswer } from "../messageProgress.ts"
import { Waits } from "../waiting/Waits.ts"
import type { ForAccount } from "./LoadedState.ts"
import { answeredMessageId, type ContactEvent, followingFileId } from "./ContactEvent.ts"

const isMessageId = Schema.is(MessageId)

/** Groups rows by account, in a fixed order of accounts. */
export const groupByAccount = <A>(rows: ReadonlyArray<ForAccount<A>>) => {
  const groups = new Map<ChatAccountId, Array<A>>()
  for (const { chatAccountId, of } of rows) {
    const group = groups.get(chatAccountId)
    if (group === undefined) groups.set(chatAccountId, [of])
    else group.push(of)
  }
  return [...groups].toSorted(([one], [other]) => (one < other ? -1 : 1))
}

/** Returns the provider ids in an event: of the message itself and of the answered message. */
const providerIdsOf = (event: ContactEvent): ReadonlyArray<string> => {
  if (event.kind === "preference" || event.kind === "address") return []
  if (event.kind === "receipt" || event.kind === "payment") return [event.id]
  const answered = answeredMessageId(event)
  const file = event.kind === "history" ? followingFileId(event) : null
  const answers = answered === null ? [] : [answered, toFollowingFileId(answered)]
  return [event.id, answers, file ?? []].flat()
}

/** Loads the messages that these events can refer to, by Parley's ids and by the provider's. */
export const affectedMessages = Effect.fnUntraced(function* (
  accounts: ReadonlyMap<string, ChatAccountId>,
  events: ReadonlyArray<ContactEvent>
) {
  const messages = yield* Messages
  const receipts = events.flatMap((event) => {
    const chatAccountId = accounts.get(event.phoneId)
    return chatAccountId === undefined ? [] : [{ chatAccountId, of: event }]
  })
  const known = new Map<MessageId, ForAccount<Message>>()
  const references = receipts.flatMap(({ chatAccountId, of: event }) =>
    (event.kind === "receipt" || event.kind === "payment") && isMessageId(event.reference)
      ? [{ chatAccountId, of: event.reference }]
      : []
  )
  // Events of one account never change messages of another.
  for (const [chatAccountId, group] of groupByAccount(references)) {
    const found = yield* messages.lock(chatAccountId, [...new Set(group)].toSorted())
    for (const message of found) known.set(message.id, { chatAccountId, of: message })
  }
  // Most receipts name a message by both ids. A message that was found and locked by Parley's id is not queried again.
  const found = new Set(
    Array.from(known.values(), ({ chatAccountId, of }) => `${chatAccountId} ${of.providerMessageId ?? ""}`)
  )
  const ids = receipts
    .flatMap(({ chatAccountId, of }) => providerIdsOf(of).map((id) => ({ chatAccountId, of: id })))
    .filter(({ chatAccountId, of }) => !found.has(`${chatAccountId} ${of}`))
  for (const [chatAccountId, group] of groupByAccount(ids)) {
    const found = yield* messages.lockByProvider(chatAccountId, [...new Set(group)].toSorted())
    for (const message of found) known.set(message.id, { chatAccountId, of: message })
  }
  return [...known.values()]
})

/** Returns the messages that receipts refer to. */
export const findReceiptTargets = (
  accounts: ReadonlyMap<string, ChatAccountId>,
  events: ReadonlyArray<ContactEvent>
): ReadonlyArray<ReceiptTarget> =>
  events.flatMap((event) => {
    const chatAccountId = accounts.get(event.phoneId)
    if (event.kind !== "receipt" || chatAccountId === undefined) return []
    const { id: providerMessageId, reference } = event
    return [{ chatAccountId, reference: isMessageId(reference) ? reference : null, providerMessageId }]
  })

/** Loads the later answers of conversations with an accepted answer that may fail. */
export const loadAnswers = Effect.fnUntraced(function* (
  known: ReadonlyArray<ForAccount<Message>>,
  events: ReadonlyArray<ContactEvent>
) {
  const failures = events.filter((event) => event.kind === "receipt" && event.status === "failed")
  const failedIds = new Set(failures.flatMap((event) => (event.kind === "receipt" ? [event.id, event.reference] : [])))
  const failing = known.flatMap(({ of }) => {
    const from = acceptedAt(of)
    const isTold = failedIds.has(of.id) || failedIds.has(of.providerMessageId)
    return isTold && from !== null && isAnswer(of) ? [{ conversationId: of.conversationId, from }] : []
  })
  return failing.length === 0 ? [] : yield* (yield* Waits).answers(failing)
})
