import type { Organization } from "@parley/domain/platform"
import { Contacts, type Contact, anyContact, updateContact } from "@parley/domain/crm"
import { Conversations, type Conversation, type Message, Messages } from "@parley/domain/messaging"
import { asOperatorOf, givenContact, givenOrganization } from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { givenChatAccount, givenConversation, givenQueued } from "./given.ts"
import { numbers, people, storyEnd } from "./story.ts"

const long = DateTime.subtract(storyEnd, { days: 30 })

const known = (organization: Organization, person: 2 | 3 | 4) => {
  const { chatUser, name, phone } = people[person]
  const identities = chatUser === null ? [] : [{ kind: "chat_user" as const, value: chatUser }]
  return givenContact(organization, { name: name ?? "Somebody", phone, identities })
}

/** An organization that a story can happen to: it knows some of the people, and has written some of the messages. */
export const givenStage = Effect.gen(function* () {
  const organization = yield* givenOrganization({ plan: "scale" })
  const [first] = [
    yield* givenChatAccount(organization, { externalPhoneId: numbers[0] }),
    yield* givenChatAccount(organization, { externalPhoneId: numbers[1] })
  ]
  const [snoozer, leaver, blocked] = [
    yield* known(organization, 2),
    yield* known(organization, 3),
    yield* known(organization, 4)
  ]
  yield* updateContact({ id: blocked.id, blocked: true, ifVersion: null }).pipe(asOperatorOf(organization))
  const tomorrow = DateTime.add(storyEnd, { days: 1 })
  yield* givenConversation(organization, snoozer, first, { status: "snoozed", snoozedUntil: tomorrow })
  const left = yield* givenConversation(organization, leaver, first, { status: "resolved", resolvedAt: long })
  const sent: ReadonlyArray<Partial<Message>> = [
    { status: "sent", providerMessageId: "wamid.out.0", sentAt: storyEnd },
    { status: "sent", providerMessageId: "wamid.out.1", sentAt: storyEnd },
    { status: "queued" },
    { status: "in_doubt" }
  ]
  const messages = yield* Effect.forEach(sent, (fields) => givenQueued(organization, left, fields))
  return { organization, idOf: (message: number): string => messages[message]?.id ?? "" }
})

const everything = Effect.gen(function* () {
  const all = { limit: 10_000, after: null }
  const contacts = yield* Contacts
  const conversations = yield* Conversations
  const messages = yield* Messages
  const { rows } = yield* contacts.list({ filter: anyContact, search: null, sort: "createdAt" }, all)
  const query = {
    statuses: null,
    assignee: null,
    unread: null,
    awaitingReply: null,
    priorities: null,
    labels: null,
    chatAccountId: null,
    contactId: null,
    words: null,
    sort: "createdAt"
  } as const
  const found = yield* conversations.list(query, all)
  const talks = found.rows.map(({ conversation }) => conversation)
  const written = yield* Effect.forEach(talks, ({ id }) => messages.list(id, all))
  return { contacts: rows, conversations: talks, messages: written.flat() }
})

/** All stored data. */
export const readStage = (organization: Organization) => asOperatorOf(organization)(everything)

const time = (at: DateTime.Utc | null) => (at === null ? null : DateTime.formatIso(at))

const sorted = (rows: ReadonlyArray<ReadonlyArray<unknown>>) => rows.map((row) => JSON.stringify(row)).toSorted()

/** The result of a stage in a comparable form. */
export const comparable = ({
  contacts,
  conversations,
  messages
}: {
  readonly contacts: ReadonlyArray<Contact>
  readonly conversations: ReadonlyArray<Conversation>
  readonly messages: ReadonlyArray<Message>
}) => {
  const nameOf = (id: string) => {
    const found = contacts.find((contact) => contact.id === id)?.identities ?? []
    return found
      .map(({ kind, value }) => `${kind} ${value}`)
      .toSorted()
      .join()
  }
  const isLatest = (each: Conversation) =>
    conversations.every(
      (other) => other.contactId !== each.contactId || other.chatAccountId !== each.chatAccountId || other.id <= each.id
    )
  const talkOf = (each: Conversation | undefined) =>
    each === undefined ? "none" : `${nameOf(each.contactId)} ${isLatest(each) ? "latest" : "former"}`
  return {
    contacts: sorted(
      contacts.map(({ consent, id, lastInboundAt, lastSeenAt, name }) => [
        nameOf(id),
        name,
        consent.marketing,
        time(consent.changedAt),
        time(lastInboundAt),
        time(lastSeenAt)
      ])
    ),
    conversations: sorted(
      conversations.map((each) => [
        talkOf(each),
        each.status,
        each.inboundCount,
        each.readCount,
        time(each.lastInboundAt),
        time(each.windowExpiresAt),
        each.recipient,
        time(each.recipientAt),
        each.otherWindows.map(({ expiresAt, kind, value }) => [kind, value, time(expiresAt)]),
        time(each.lastMessage?.at ?? null)
      ])
    ),
    messages: sorted(
      messages.map((each) => [
        talkOf(conversations.find(({ id }) => id === each.conversationId)),
        each.direction,
        each.kind,
        each.text,
        each.status,
        each.providerMessageId,
        messages.find(({ id }) => id === each.replyToId)?.providerMessageId ?? null,
        each.direction === "inbound" ? time(each.at) : null,
        time(each.sentAt),
        time(each.deliveredAt),
        time(each.readAt),
        time(each.failedAt),
        each.error
      ])
    )
  }
}
