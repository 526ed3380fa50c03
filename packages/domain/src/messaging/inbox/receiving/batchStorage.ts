import { DateTime, Effect, Schema } from "effect"
import { type Contact, mergeDuplicates, saveReceivedContacts } from "../../../crm/index.ts"
import { Ids } from "../../../kernel/index.ts"
import {
  type ChatAccountId,
  isAboutAccount,
  recordFirstDeliveries,
  reportPayment,
  updateAccountStatus
} from "../../chat/index.ts"
import { Conversations } from "../Conversations.ts"
import { MediaLibrary } from "../MediaLibrary.ts"
import { type Message, MessageId } from "../Message.ts"
import { Messages } from "../Messages.ts"
import { appendEvent } from "../events.ts"
import { Waits } from "../waiting/Waits.ts"
import { otherEndedWaits } from "../waiting/waitStorage.ts"
import { systemAuthor, writeMessage } from "../writing/messageWriting.ts"
import { type LoadedState, type ForAccount, findConversationPairs, type ReceivingOutcome } from "./LoadedState.ts"
import {
  type Confirmation,
  type InboundAnswer,
  BulkMessages,
  type ReferringReceipt,
  type ClaimedReceipts
} from "./BulkMessages.ts"
import { matchAccounts, occurredAt, type ContactEvent } from "./ContactEvent.ts"
import {
  findIdentities,
  findIdentityPairs,
  findLearnedReceipts,
  findOptOuts,
  lockInvolvedContacts
} from "./involvedPeople.ts"
import { senderIdentities } from "./senders.ts"
import { loadAnswers, groupByAccount, affectedMessages, findReceiptTargets } from "./affectedMessages.ts"
import { recordCharges } from "./messageCharges.ts"
import { keywordMeaning, noOptKeywords, type OptKeywords } from "./optOutKeywords.ts"
import { receiveEvents } from "./receive.ts"

const isMessageId = Schema.is(MessageId)

/** Reserves more ids than these events can use: a contact, a conversation, a message and a file for each. */
const reserveIds = Effect.fnUntraced(function* (events: ReadonlyArray<ContactEvent>) {
  const ids = yield* Ids
  const count = 4 * events.filter(({ kind }) => kind !== "receipt").length
  const supply = yield* Effect.replicateEffect(ids.next, count)
  return () => {
    let used = 0
    return () => supply[used++] ?? ""
  }
})

/** Offers receipts to the areas that send outside of conversations. */
const claimBulkReceipts = Effect.fnUntraced(function* (
  accounts: ReadonlyMap<string, ChatAccountId>,
  events: ReadonlyArray<ContactEvent>
) {
  const receipts = events.flatMap((event): ReadonlyArray<ReferringReceipt> => {
    const chatAccountId = accounts.get(event.phoneId)
    if (event.kind !== "receipt" || chatAccountId === undefined || !isMessageId(event.reference)) return []
    const { error, id: providerMessageId, reference, status: reportedStatus } = event
    const status = reportedStatus === "played" ? "read" : reportedStatus
    return [{ chatAccountId, reference, providerMessageId, status, at: occurredAt(event), error }]
  })
  const nothing: ClaimedReceipts = { references: new Set(), store: Effect.void }
  return receipts.length === 0 ? nothing : yield* (yield* BulkMessages).take(receipts)
})

/** Loads receipts for messages whose provider ids may appear in these events for the first time. */
const loadEarlyReceipts = Effect.fnUntraced(function* (
  accounts: ReadonlyMap<string, ChatAccountId>,
  known: ReadonlyArray<ForAccount<Message>>,
  events: ReadonlyArray<ContactEvent>
) {
  const messages = yield* Messages
  const sent = new Map<string, ForAccount<Message>>(
    known.filter(({ of }) => of.direction === "outbound").map((each) => [each.of.id, each])
  )
  const awaited = events.flatMap((event) => {
    const chatAccountId = accounts.get(event.phoneId)
    if (event.kind === "echo" && chatAccountId !== undefined) return [{ chatAccountId, of: event.id }]
    if (event.kind !== "receipt" || event.reference === null || chatAccountId === undefined) return []
    const found = sent.get(event.reference)
    if (found?.chatAccountId !== chatAccountId) return []
    // A message that is sent again gets another id.
    return found.of.providerMessageId === event.id ? [] : [{ chatAccountId, of: event.id }]
  })
  const taken = yield* Effect.forEach(groupByAccount(awaited), ([chatAccountId, ids]) =>
    Effect.map(messages.removeEarly(chatAccountId, [...new Set(ids)]), (receipts) =>
      receipts.map((of) => ({ chatAccountId, of }))
    )
  )
  return taken.flat()
})

const saveOutcome = Effect.fnUntraced(function* (outcome: ReceivingOutcome, now: DateTime.Utc) {
  const conversations = yield* Conversations
  const messages = yield* Messages
  yield* saveReceivedContacts(outcome.contacts)
  if (outcome.opened.length > 0) yield* conversations.insert(outcome.opened)
  if (outcome.changed.length > 0) yield* conversations.saveAll(outcome.changed)
  if (outcome.files.length > 0) yield* (yield* MediaLibrary).insert(outcome.files)
  for (const [chatAccountId, written] of groupByAccount(outcome.written)) {
    const stored = yield* messages.insert(chatAccountId, written, outcome.answered)
    // Another transaction has stored one of them, so the counts are wrong. The whole batch is retried.
    if (stored.length !== written.length) return yield* Effect.die(new Error("Another process stored the message."))
  }
  for (const [chatAccountId, moved] of groupByAccount(outcome.moved))
    yield* messages.saveAll(chatAccountId, moved, outcome.endings)
  for (const [chatAccountId, early] of groupByAccount(outcome.early)) {
    const kept = yield* messages.storeEarly(chatAccountId, early, now)
    // A message has received its provider id concurrently, so the receipt is not early. The whole batch is retried.
    if (kept !== early.length)
      return yield* Effect.die(new Error("Another process set the provider id of the message."))
  }
  const endings = otherEndedWaits(
    outcome.endings,
    outcome.moved.map(({ of }) => of)
  )
  if (outcome.waiting.length > 0 || endings.size > 0) yield* (yield* Waits).save(outcome.waiting, endings)
  for (const event of outcome.events) yield* appendEvent(event)
  for (const { chatAccountId, of } of outcome.otherPayments) yield* reportPayment(chatAccountId, of)
})

/** Updates the health of accounts from refusals in receipts. The latest refusal of each account counts. */
const updateAccountStatuses = Effect.fnUntraced(function* (
  accounts: ReadonlyMap<string, ChatAccountId>,
  events: ReadonlyArray<ContactEvent>
) {
  const latest = new Map<ChatAccountId, Parameters<typeof updateAccountStatus>[1]>()
  for (const event of events) {
    const chatAccountId = accounts.get(event.phoneId)
    if (event.kind !== "receipt" || event.error === null || chatAccountId === undefined) continue
    const before = latest.get(chatAccountId)
    const isNewer = before === undefined || DateTime.isGreaterThan(event.at, before.at)
    if (isNewer && isAboutAccount(event.error)) latest.set(chatAccountId, { ...event.error, at: event.at })
  }
  yield* Effect.forEach(latest, ([id, refusal]) => updateAccountStatus(id, refusal), { discard: true })
})

/** Selects incoming messages that can answer messages sent outside of conversations. */
const findInboundAnswers = (
  { changed, contacts: stored, opened, written }: ReceivingOutcome,
  words: OptKeywords,
  events: ReadonlyArray<ContactEvent>
): ReadonlyArray<InboundAnswer> => {
  const contacts = new Map([...opened, ...changed].map(({ contactId, id }) => [id, contactId]))
  const isOut = ({ consent }: Contact) => consent.marketing === "unsubscribed" && consent.source === "chat_keyword"
  const newlyOut = new Set([
    ...stored.added.filter(isOut).map(({ id }) => id),
    ...stored.altered
      .filter(({ after, before }) => isOut(after) && before.consent.marketing !== "unsubscribed")
      .map(({ after }) => after.id)
  ])
  const quotes = new Map(
    events.flatMap((event) => (event.kind === "message" ? [[event.id, event.replyTo] as const] : []))
  )
  return written.flatMap(({ chatAccountId, of: message }) => {
    const contactId = contacts.get(message.conversationId)
    const { direction, providerMessageId } = message
    if (direction !== "inbound" || providerMessageId === null || contactId === undefined) return []
    const quoted = quotes.get(providerMessageId) ?? null
    const meaning = keywordMeaning(message, words)
    // Of several such messages in one batch, the first one opts out.
    const optsOut = meaning === "opt_out" && newlyOut.delete(contactId)
    return [{ chatAccountId, contactId, message, quoted, meaning, optsOut }]
  })
}

/** Sends a confirmation. It is skipped if the contact is blocked or the account is disconnected; the request itself is applied anyway. */
const sendConfirmation = ({ conversationId, text }: Confirmation) =>
  Effect.ignore(writeMessage(conversationId, { kind: "text", text }, { author: systemAuthor, priority: "person" }))

/** Applies events of contacts to the inbox. It loads and locks the state, computes the outcome, and stores it. */
export const applyMessages = Effect.fnUntraced(function* (provider: string, reports: ReadonlyArray<ContactEvent>) {
  const now = yield* DateTime.now
  const { accounts, connected, heard: events } = yield* matchAccounts(provider, reports)
  const ids = yield* reserveIds(events)
  const learned = yield* findLearnedReceipts(events)
  const people = findIdentities(events, learned).flatMap(senderIdentities)
  const contacts = yield* mergeDuplicates(yield* lockInvolvedContacts(people), findIdentityPairs(accounts, events))
  const optOuts = yield* findOptOuts(people, contacts)
  const pairs = findConversationPairs({ accounts, contacts, learned, optOuts }, events, now, ids())
  const { latest: conversations, waiting } = yield* (yield* Conversations).lockInvolved(
    pairs,
    findReceiptTargets(accounts, events)
  )
  const outside = yield* claimBulkReceipts(accounts, events)
  const messages = yield* affectedMessages(accounts, events)
  const words = events.some(({ kind }) => kind === "message") ? yield* (yield* BulkMessages).words() : noOptKeywords
  const early = yield* loadEarlyReceipts(accounts, messages, events)
  const answers = yield* loadAnswers(messages, events)
  const known: LoadedState = {
    accounts,
    contacts,
    optOuts,
    conversations,
    waiting,
    answers,
    messages,
    outside: outside.references,
    learned,
    words,
    early
  }
  const outcome = receiveEvents(known, events, now, ids())
  yield* saveOutcome(outcome, now)
  const written = findInboundAnswers(outcome, words, events)
  const confirmations = written.length === 0 ? [] : yield* (yield* BulkMessages).answer(written)
  yield* Effect.forEach(confirmations, sendConfirmation, { discard: true })
  yield* outside.store
  yield* recordFirstDeliveries(connected)
  yield* recordCharges(accounts, events)
  yield* updateAccountStatuses(accounts, events)
  const ignored = outcome.ignored + reports.length - events.length
  if (ignored > 0) {
    yield* Effect.logWarning(`${ignored} of ${reports.length} events belong to numbers that are not connected`)
  }
})
