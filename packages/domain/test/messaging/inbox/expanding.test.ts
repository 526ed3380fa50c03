import { assert, layer } from "@effect/vitest"
import {
  type Actor,
  assignConversation,
  AutomationTokenId,
  Contacts,
  getContact,
  getConversation,
  listContacts,
  listConversations,
  Members,
  type Permission,
  Tags,
  tagContact,
  UserId
} from "@parley/domain"
import {
  actingIn,
  asOperatorOf,
  givenContact,
  givenConversation,
  givenMember,
  givenOrganization,
  givenTag,
  TestKit
} from "@parley/testkit"
import { Effect } from "effect"

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
