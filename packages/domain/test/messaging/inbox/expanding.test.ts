import { assert, layer } from "@effect/vitest"
import { type Actor, AutomationTokenId, Currency, type Permission, transact, UserId } from "@parley/domain/kernel"
import { Members } from "@parley/domain/platform"
import { Contacts, getContact, listContacts, Tags, tagContact } from "@parley/domain/crm"
import {
  assignConversation,
  getConversation,
  getMessage,
  listConversations,
  listMessages,
  type MessageCharge,
  MessageCharges,
  RateCards
} from "@parley/domain/messaging"
import {
  actingIn,
  asOperatorOf,
  givenContact,
  givenConversation,
  givenMember,
  givenMessage,
  givenOrganization,
  givenTag,
  TestKit
} from "@parley/testkit"
import { DateTime, Effect } from "effect"

const page = { limit: 50, cursor: null }
const id = "01990000-0000-7000-8000-000000000001"

const tokenWith = (...permissions: ReadonlyArray<Permission>): Actor => ({
  kind: "token",
  tokenId: AutomationTokenId.make(id),
  responsibleUserId: UserId.make(id),
  permissions: new Set(permissions)
})

/** Two conversations of one agent and one unassigned, each with a separate contact with tags. */
const given = Effect.gen(function* () {
  const organization = yield* givenOrganization()
  const { member, user } = yield* givenMember(organization, "agent")
  const tags = [
    yield* givenTag(organization, { name: "VIP" }),
    yield* givenTag(organization, { name: "Guest" })
  ] as const
  const conversations = [
    yield* givenConversation(organization),
    yield* givenConversation(organization),
    yield* givenConversation(organization)
  ] as const
  const [one, other] = conversations
  yield* Effect.gen(function* () {
    for (const conversation of [one, other]) yield* assignConversation({ id: conversation.id, assigneeId: user.id })
    yield* tagContact({ id: one.contactId, tags: [tags[0].id, tags[1].id] })
    yield* tagContact({ id: other.contactId, tags: [tags[0].id] })
  }).pipe(asOperatorOf(organization))
  return { organization, member, tags, conversations }
})

layer(TestKit.layer)("expanded relations of answers", (it) => {
  it.effect("equal the requested resources of each row, with one read for all rows", () =>
    Effect.gen(function* () {
      const { conversations, member, organization, tags } = yield* given
      const reads: Array<string> = []
      const counted = <A extends object>(port: A, name: keyof A & string): A => {
        const read = port[name] as (...args: ReadonlyArray<unknown>) => unknown
        return {
          ...port,
          [name]: (...args: ReadonlyArray<unknown>) => {
            reads.push(name)
            return read(...args)
          }
        }
      }
      const inside = asOperatorOf(organization)
      const ports = {
        contacts: counted(yield* Contacts, "find"),
        members: counted(yield* Members, "findByUsers"),
        tags: counted(yield* Tags, "find")
      }
      const listed = yield* listConversations({ expand: ["assignee", "contact"], sort: "createdAt", page }).pipe(
        Effect.provideService(Contacts, ports.contacts),
        Effect.provideService(Members, ports.members),
        inside
      )
      assert.deepStrictEqual(reads.splice(0).toSorted(), ["find", "findByUsers"])
      const byId = new Map(listed.data.map((row) => [row.id, row]))
      for (const [index, { contactId, id }] of conversations.entries()) {
        const expanded = byId.get(id)?.expanded
        assert.deepStrictEqual(
          [expanded?.assignee?.id ?? null, expanded?.contact?.id],
          [index === 2 ? null : member.id, contactId]
        )
      }
      const found = yield* listContacts({ expand: ["tags"], page }).pipe(
        Effect.provideService(Tags, ports.tags),
        inside
      )
      assert.deepStrictEqual(reads, ["find"])
      for (const { expanded, id, tags: ids } of found.data) {
        assert.deepStrictEqual(
          expanded?.tags?.map((tag) => tag.id),
          ids,
          id
        )
      }
      const contact = yield* getContact({ id: conversations[0].contactId, expand: ["tags"] }).pipe(inside)
      assert.sameMembers(contact.expanded?.tags?.map(({ name }) => name) ?? [], [tags[0].name, tags[1].name])
      const { expanded } = yield* getConversation({ id: conversations[1].id, expand: ["assignee"] }).pipe(inside)
      assert.deepStrictEqual([expanded?.assignee?.id, expanded?.contact], [member.id, undefined])
    })
  )

  it.effect("include the costs of conversations and messages, with one read of charges for each page", () =>
    Effect.gen(function* () {
      const { conversations, organization } = yield* given
      const inside = asOperatorOf(organization)
      const [one, other] = conversations
      const messages = [
        yield* givenMessage(organization, one),
        yield* givenMessage(organization, one),
        yield* givenMessage(organization, one),
        yield* givenMessage(organization, one)
      ] as const
      const at = DateTime.makeUnsafe("2026-11-23T15:00:00Z")
      const chargeOf = (index: number, changes: Partial<MessageCharge> = {}): MessageCharge => ({
        chatAccountId: one.chatAccountId,
        providerMessageId: `wamid.${one.id}.${index}`,
        messageId: messages[index]?.id ?? null,
        country: "DE",
        category: "marketing",
        type: "regular",
        billable: true,
        deliveredAt: at,
        pricedAt: at,
        ...changes
      })
      const charges = [chargeOf(0), chargeOf(1, { type: "free_entry_point" }), chargeOf(2, { category: "galactic" })]
      const port = yield* MessageCharges
      yield* inside(transact(port.record(charges)))
      const currency = Currency.make("EUR")
      yield* (yield* RateCards).put([
        { country: null, category: "marketing", currency, amount: 73_300, validFrom: "2026-01-01" }
      ])
      let reads = 0
      const tallyEach: typeof port.tallyEach = (resources) => {
        reads += 1
        return port.tallyEach(resources)
      }
      const counting = Effect.provideService(MessageCharges, { ...port, tallyEach })
      const { data } = yield* listMessages({ id: one.id, page, expand: ["cost"] }).pipe(counting, inside)
      const costs = new Map(data.map(({ expanded, id }) => [id, expanded?.cost]))
      assert.deepStrictEqual(
        messages.map(({ id }) => costs.get(id)),
        [{ currency, amount: 73_300 }, { currency, amount: 0 }, null, null]
      )
      const listed = yield* listConversations({ expand: ["cost"], sort: "createdAt", page }).pipe(counting, inside)
      const shown = new Map(listed.data.map(({ expanded, id }) => [id, expanded?.cost]))
      const none = { currency, amount: 0, messages: 0, free: 0, withoutRate: 0 }
      assert.deepStrictEqual(shown.get(one.id), { currency, amount: 73_300, messages: 3, free: 1, withoutRate: 1 })
      assert.deepStrictEqual(shown.get(other.id), none)
      assert.strictEqual(reads, 2)
      const reader = actingIn(organization, tokenWith("conversations.read"))
      const hidden = yield* reader(getMessage({ id: one.id, messageId: messages[0].id, expand: ["cost"] }))
      assert.deepStrictEqual("expanded" in hidden ? hidden.expanded : null, {})
      assert.deepStrictEqual((yield* reader(getConversation({ id: one.id, expand: ["cost"] }))).expanded, {})
    })
  )

  it.effect("is nothing where nothing was asked for, and none of other organizations", () =>
    Effect.gen(function* () {
      const { conversations, organization } = yield* given
      const bare = yield* getConversation({ id: conversations[0].id }).pipe(asOperatorOf(organization))
      assert.notProperty(bare, "expanded")
      const other = yield* givenOrganization()
      yield* givenContact(other)
      const { data } = yield* listContacts({ expand: ["tags"], page }).pipe(asOperatorOf(other))
      assert.deepStrictEqual(
        data.map(({ expanded }) => expanded),
        [{ tags: [] }]
      )
    })
  )

  it.effect("is left out for who may not read it", () =>
    Effect.gen(function* () {
      const { organization } = yield* given
      const shown = (...permissions: ReadonlyArray<Permission>) =>
        listConversations({ expand: ["assignee", "contact"], page }).pipe(
          actingIn(organization, tokenWith("conversations.read", ...permissions)),
          Effect.map(({ data }) => [...new Set(data.flatMap(({ expanded }) => Object.keys(expanded ?? {})))])
        )
      assert.deepStrictEqual(yield* shown(), [])
      assert.deepStrictEqual(yield* shown("members.read"), ["assignee"])
      assert.deepStrictEqual(yield* shown("contacts.read"), ["contact"])
      assert.deepStrictEqual(yield* shown("contacts.read", "members.read"), ["assignee", "contact"])
    })
  )
})
