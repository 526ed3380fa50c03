import { nextId, transact } from "@parley/domain/kernel"
import type { Organization } from "@parley/domain/platform"
import type { Contact } from "@parley/domain/crm"
import { type ChatAccount, MessageTemplate, MessageTemplateId, MessageTemplates } from "@parley/domain/messaging"
import {
  Broadcast,
  BroadcastId,
  Broadcasts,
  toDraft,
  type ListedRecipient,
  RecipientLedger
} from "@parley/domain/campaigns"
import { asOperatorOf, givenContact, givenOrganization, MemoryChat } from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { givenChatAccount } from "../messaging/inbox/given.ts"

/** A template that is approved, as it is stored here, with one variable. */
export const givenStoredTemplate = Effect.fnUntraced(function* (
  organization: Organization,
  account: ChatAccount,
  fields: Partial<MessageTemplate> = {}
) {
  const now = yield* DateTime.now
  const id = yield* nextId(MessageTemplateId)
  const template = new MessageTemplate({
    id,
    chatAccountId: account.id,
    name: `spring_${id.slice(-12)}`,
    language: "en",
    category: "marketing",
    components: { body: { text: "Hello {{1}}!", examples: { "1": "Ada" } } },
    variables: [{ key: "body.1", in: "body", kind: "text" }],
    status: "approved",
    rejectionReason: null,
    quality: "green",
    externalId: id,
    createdAt: now,
    updatedAt: now,
    version: 1,
    ...fields
  })
  yield* transact(Effect.flatMap(MessageTemplates, (templates) => templates.insert(template))).pipe(
    asOperatorOf(organization),
    Effect.orDie
  )
  return template
})

/** A template that the provider has approved, with one variable. */
export const givenTemplate = Effect.fnUntraced(function* (
  organization: Organization,
  account: ChatAccount,
  fields: Partial<MessageTemplate> = {}
) {
  const template = yield* givenStoredTemplate(organization, account, fields)
  yield* (yield* MemoryChat.ChatScript).keepTemplate({
    externalId: template.id,
    name: template.name,
    language: "en",
    category: "marketing",
    components: { body: { text: "Hello {{1}}!", examples: { "1": "Ada" } } },
    status: "approved",
    rejectionReason: null,
    quality: "green",
    qualityAt: null,
    announcedCategory: null,
    timeToLive: null,
    libraryName: null
  })
  return template
})

let people = 0

/** A contact with marketing consent. */
export const givenReader = Effect.fnUntraced(function* (organization: Organization) {
  people += 1
  const phone = `+4916${String(10_000_000 + people)}`
  return yield* givenContact(organization, {
    name: `Reader ${people}`,
    phone,
    marketing: { state: "subscribed", source: "form" }
  })
})

/** Their place on the list of a broadcast. */
export const listedAs = ({ id, phone }: Contact, overrides: Partial<ListedRecipient> = {}): ListedRecipient => ({
  contactId: id,
  address: phone === null ? null : { kind: "phone", value: phone },
  variant: null,
  dueAt: null,
  left: null,
  ...overrides
})

/** A broadcast with a finished list, ready to be sent. */
export const givenFrozen = Effect.fnUntraced(function* (
  organization: Organization,
  account: ChatAccount,
  template: MessageTemplate,
  recipients: ReadonlyArray<ListedRecipient>,
  fields: Partial<Broadcast> = {}
) {
  const now = yield* DateTime.now
  const id = yield* nextId(BroadcastId)
  const input = {
    name: "Spring",
    chatAccountId: account.id,
    templateId: template.id,
    variables: { "body.1": { kind: "field", field: "name" } },
    audience: {}
  } as const
  const broadcast = new Broadcast({
    ...toDraft(id, input, now, { kind: "operator", name: "test" }),
    frozenAt: now,
    ...fields
  })
  const store = Effect.gen(function* () {
    yield* (yield* Broadcasts).insert(broadcast)
    yield* (yield* RecipientLedger).list(id, recipients)
  })
  yield* transact(store).pipe(asOperatorOf(organization))
  return broadcast
})

/** An organization with a number and a template, and a broadcast to this number of readers. */
export const givenCampaign = Effect.fnUntraced(function* (
  readers: number,
  fields: Partial<Broadcast> = {},
  accountFields: Partial<ChatAccount> = {}
) {
  const organization = yield* givenOrganization({ plan: "scale" })
  const account = yield* givenChatAccount(organization, accountFields)
  const template = yield* givenTemplate(organization, account)
  const contacts = yield* Effect.forEach(Array.from({ length: readers }), () => givenReader(organization))
  const recipients = contacts.map((contact) => listedAs(contact))
  const broadcast = yield* givenFrozen(organization, account, template, recipients, fields)
  return { organization, account, template, contacts, broadcast, id: broadcast.id }
})

/** The broadcast as it is now. */
export const readBroadcast = (organization: Organization, id: BroadcastId) =>
  Effect.flatMap(Broadcasts, (broadcasts) => broadcasts.get(id)).pipe(asOperatorOf(organization), Effect.orDie)

/** Encryption does not use the test clock. Callers that wait for it run after this. */
const breath = Effect.promise(async () => {
  for (let round = 0; round < 3; round += 1) {
    await crypto.subtle.digest("SHA-256", new Uint8Array(1))
    await new Promise((resolve) => void setImmediate(resolve))
  }
})

/** Advances time by some seconds, in steps that let all fibers continue. */
export const pass = Effect.fnUntraced(function* (seconds: number) {
  for (let step = 0; step < seconds * 20; step += 1) yield* Effect.andThen(TestClock.adjust("50 millis"), breath)
})
