import { assert, layer } from "@effect/vitest"
import { UserId } from "@parley/domain/kernel"
import { changeMemberRole, type MemberId, removeMember } from "@parley/domain/platform"
import { ContactId } from "@parley/domain/crm"
import {
  assignConversation,
  changeConversations,
  ChatAccountId,
  type ConversationBulk,
  ConversationId,
  type ConversationListRequest,
  countConversations,
  getConversation,
  listConversations,
  openConversation,
  readConversation,
  reopenConversation,
  resolveConversation,
  snoozeConversation,
  updateConversation
} from "@parley/domain/messaging"
import type { Ports } from "@parley/domain/composition"
import {
  asOperatorOf,
  asPerson,
  givenContact,
  givenConversation,
  givenInvitation,
  givenMember,
  givenMessage,
  givenNumber,
  givenOrganization,
  givenUser,
  type Of,
  TestKit
} from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { traced } from "../../crm/traces.ts"
import { tagOf } from "../../tagOf.ts"
import { whyOf } from "./faults.ts"

const nobody = "01990000-0000-7000-8000-00000000dead"
const page = { limit: 50, cursor: null }

const listed = (organization: Of, request: ConversationListRequest) =>
  Effect.map(listConversations({ ...request, page }), ({ data }) => data.map(({ id }) => id)).pipe(
    asOperatorOf(organization)
  )

layer(TestKit.layer)("an assigned conversation", (it) => {
  it.effect("is unassigned when the member leaves or loses the permission", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      for (const leave of [
        removeMember,
        ({ id }: { readonly id: MemberId }) => changeMemberRole({ id, role: "viewer", ifVersion: null })
      ]) {
        const { member, user } = yield* givenMember(organization, "agent")
        const [open, resolved, another] = [
          yield* givenConversation(organization),
          yield* givenConversation(organization),
          yield* givenConversation(organization)
        ]
        yield* Effect.gen(function* () {
          for (const { id } of [open, resolved]) yield* assignConversation({ id, assigneeId: user.id })
          yield* resolveConversation({ id: resolved.id })
          yield* changeMemberRole({ id: member.id, role: "admin", ifVersion: null })
          assert.strictEqual((yield* getConversation({ id: open.id })).assigneeId, user.id)
          const { events } = yield* traced(organization, leave({ id: member.id }))
          const result = events.filter(({ type }) => type === "conversation.assigned")
          assert.sameDeepMembers(
            result,
            [open, resolved].map(({ id }) => ({
              type: "conversation.assigned",
              conversationId: id,
              assigneeId: null
            }))
          )
          for (const { id } of [open, resolved]) {
            const { assigneeId, version } = yield* getConversation({ id })
            assert.deepStrictEqual([assigneeId, version], [null, id === open.id ? 3 : 4])
          }
          assert.strictEqual((yield* getConversation({ id: another.id })).version, another.version)
          assert.strictEqual(
            yield* whyOf(assignConversation({ id: open.id, assigneeId: user.id })),
            "NotFound /assigneeId"
          )
        }).pipe(asOperatorOf(organization))
      }
    })
  )
})

layer(TestKit.layer)("a conversation that the team begins", (it) => {
  it.effect("is open, with nothing written in it, and its window closed", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const { id: contactId } = yield* givenContact(organization, { name: "Ada", phone: "+491701234567" })
      const { id: chatAccountId } = yield* givenNumber(organization)
      const { answer, audit, events } = yield* traced(
        organization,
        openConversation({ contactId, chatAccountId, priority: "high", labels: ["vip"] })
      ).pipe(asOperatorOf(organization))
      const { contact, id, labels, lastMessage, priority, status, unreadCount, version, window } = answer
      assert.deepStrictEqual(
        { contact, labels, lastMessage, priority, status, unreadCount, version, window },
        {
          contact: { id: contactId, name: "Ada", phone: "+491701234567" },
          labels: ["vip"],
          lastMessage: null,
          priority: "high",
          status: "open",
          unreadCount: 0,
          version: 1,
          window: { open: false, expiresAt: null }
        }
      )
      assert.deepStrictEqual(events, [
        { type: "conversation.opened", conversationId: id, contactId, chatAccountId, status: "open" }
      ])
      assert.deepStrictEqual(
        audit.map(({ action, target }) => [action, target]),
        [["conversation.opened", id]]
      )
    })
  )

  it.effect("is refused while another one stands, and takes the window over from the one before", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const { chatAccountId, contactId, id, windowExpiresAt } = yield* givenConversation(organization)
      const open = openConversation({ contactId, chatAccountId }).pipe(asOperatorOf(organization))
      const clash = yield* Effect.flip(open)
      assert.strictEqual(clash._tag === "ConversationExists" ? clash.conversationId : clash._tag, id)
      yield* resolveConversation({ id }).pipe(asOperatorOf(organization))
      const next = yield* open
      assert.notStrictEqual(next.id, id)
      assert.deepStrictEqual(next.window, { open: true, expiresAt: windowExpiresAt })
      assert.strictEqual(
        yield* tagOf(reopenConversation({ id }).pipe(asOperatorOf(organization))),
        "ConversationExists",
        "the former one stays as it is"
      )
      const over = yield* givenNumber(organization)
      yield* openConversation({ contactId, chatAccountId: over.id }).pipe(asOperatorOf(organization))
    })
  )

  it.effect("names what is not there", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const elsewhere = yield* givenOrganization()
      const { id: contactId } = yield* givenContact(organization)
      const { id: chatAccountId } = yield* givenNumber(organization)
      const theirs = yield* givenContact(elsewhere)
      const theirNumber = yield* givenNumber(elsewhere)
      const why = (input: Parameters<typeof openConversation>[0]) =>
        whyOf(openConversation(input).pipe(asOperatorOf(organization)))
      assert.deepStrictEqual(
        yield* Effect.all([
          why({ contactId: ContactId.make(nobody), chatAccountId }),
          why({ contactId: theirs.id, chatAccountId }),
          why({ contactId, chatAccountId: ChatAccountId.make(nobody) }),
          why({ contactId, chatAccountId: theirNumber.id }),
          why({ contactId, chatAccountId, assigneeId: UserId.make(nobody) })
        ]),
        [
          "NotFound /contactId",
          "NotFound /contactId",
          "NotFound /chatAccountId",
          "NotFound /chatAccountId",
          "NotFound /assigneeId"
        ]
      )
      assert.deepStrictEqual(yield* listed(organization, {}), [])
    })
  )
})

layer(TestKit.layer)("what the team does with a conversation", (it) => {
  it.effect("is published once, and is unchanged by a repetition", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const { user } = yield* givenMember(organization, "agent")
      const { id } = yield* givenConversation(organization)
      const patch = { status: "pending", priority: "urgent", labels: ["a", "b"], assigneeId: user.id } as const
      const change = updateConversation({ id, ...patch, ifVersion: 1 }).pipe(asOperatorOf(organization))
      const { answer, audit, events } = yield* traced(organization, change)
      const { assigneeId, labels, priority, status, version } = answer
      assert.deepStrictEqual<unknown>({ assigneeId, labels, priority, status, version }, { ...patch, version: 2 })
      assert.deepStrictEqual(events, [
        {
          type: "conversation.status_changed",
          conversationId: id,
          from: "open",
          to: "pending",
          chatAccountId: answer.chatAccountId
        },
        { type: "conversation.assigned", conversationId: id, assigneeId: user.id },
        { type: "conversation.updated", conversationId: id, fields: ["priority", "labels"] }
      ])
      assert.deepStrictEqual(
        audit.map(({ action, after, before }) => ({ action, after, before })),
        [
          {
            action: "conversation.updated",
            before: { status: "open", priority: "none", assigneeId: null, labels: [] },
            after: { ...patch, labels: ["a", "b"] }
          }
        ]
      )
      assert.strictEqual(yield* tagOf(change), "VersionConflict")
      const again = yield* traced(
        organization,
        updateConversation({ id, ...patch, ifVersion: null }).pipe(asOperatorOf(organization))
      )
      assert.deepStrictEqual([again.answer.version, again.events, again.audit], [2, [], []])
    })
  )

  it.effect("hands it only to members who may work on it", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const elsewhere = yield* givenOrganization()
      const agent = yield* givenMember(organization, "agent")
      const viewer = yield* givenMember(organization, "viewer")
      const stranger = yield* givenMember(elsewhere, "agent")
      const invited = yield* givenUser()
      yield* givenInvitation(organization, invited.user.email)
      const { id } = yield* givenConversation(organization)
      const to = (user: UserId | null) =>
        whyOf(assignConversation({ id, assigneeId: user }).pipe(asOperatorOf(organization)))
      assert.deepStrictEqual(
        yield* Effect.all([to(viewer.user.id), to(stranger.user.id), to(invited.user.id), to(agent.user.id), to(null)]),
        ["NotFound /assigneeId", "NotFound /assigneeId", "NotFound /assigneeId", "ok", "ok"]
      )
    })
  )

  it.effect("assigns `me` to the caller if it is a person", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const agent = yield* givenMember(organization, "agent")
      const first = yield* givenConversation(organization)
      const { chatAccountId } = first
      const { id: contactId } = yield* givenContact(organization)
      const asAgent = asPerson(organization, agent)
      const given = yield* Effect.all([
        Effect.map(assignConversation({ id: first.id, assigneeId: "me" }), ({ assigneeId }) => assigneeId),
        Effect.map(
          updateConversation({ id: first.id, assigneeId: null, ifVersion: null }),
          ({ assigneeId }) => assigneeId
        ),
        Effect.map(
          updateConversation({ id: first.id, assigneeId: "me", ifVersion: null }),
          ({ assigneeId }) => assigneeId
        ),
        Effect.map(openConversation({ contactId, chatAccountId, assigneeId: "me" }), ({ assigneeId }) => assigneeId)
      ]).pipe(asAgent)
      assert.deepStrictEqual(given, [agent.user.id, null, agent.user.id, agent.user.id])
      const bulk = { ids: [first.id], action: { type: "assign", assigneeId: "me" } } as const
      const { changed, unchanged } = yield* changeConversations(bulk).pipe(asAgent)
      assert.deepStrictEqual([changed, unchanged], [0, 1])
      const asOperator = asOperatorOf(organization)
      assert.deepStrictEqual(
        yield* Effect.all([
          whyOf(assignConversation({ id: first.id, assigneeId: "me" })),
          whyOf(updateConversation({ id: first.id, assigneeId: "me", ifVersion: null })),
          whyOf(openConversation({ contactId, chatAccountId, assigneeId: "me" })),
          whyOf(changeConversations(bulk))
        ]).pipe(asOperator),
        [
          "ValidationFailed /assigneeId",
          "ValidationFailed /assigneeId",
          "ValidationFailed /assigneeId",
          "ValidationFailed /action/assigneeId"
        ]
      )
    })
  )

  it.effect("changes an existing snooze, with a trace only for a new time", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const { id } = yield* givenConversation(organization)
      const now = yield* DateTime.now
      const until = (hours: number) =>
        traced(
          organization,
          snoozeConversation({ id, until: DateTime.add(now, { hours }) }).pipe(asOperatorOf(organization))
        )
      yield* until(1)
      const later = yield* until(2)
      assert.deepStrictEqual(
        [later.answer.status, later.answer.snoozedUntil, later.answer.version],
        ["snoozed", DateTime.add(now, { hours: 2 }), 3]
      )
      assert.deepStrictEqual(later.events, [
        { type: "conversation.updated", conversationId: id, fields: ["snoozedUntil"] }
      ])
      const same = yield* until(2)
      assert.deepStrictEqual([same.answer.version, same.events, same.audit], [3, [], []])
    })
  )

  it.effect("puts it off into the next year at most, and never into the past", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const { id } = yield* givenConversation(organization)
      const now = yield* DateTime.now
      const until = (at: DateTime.Utc) => whyOf(snoozeConversation({ id, until: at }).pipe(asOperatorOf(organization)))
      assert.deepStrictEqual(
        yield* Effect.all([
          until(now),
          until(DateTime.subtract(now, { seconds: 1 })),
          until(DateTime.add(now, { years: 1, seconds: 1 })),
          until(DateTime.add(now, { years: 1 }))
        ]),
        ["ValidationFailed /until", "ValidationFailed /until", "ValidationFailed /until", "ok"]
      )
      const { snoozedUntil, status } = yield* getConversation({ id }).pipe(asOperatorOf(organization))
      assert.deepStrictEqual(
        { snoozedUntil, status },
        { snoozedUntil: DateTime.add(now, { years: 1 }), status: "snoozed" }
      )
      const open = yield* reopenConversation({ id }).pipe(asOperatorOf(organization))
      assert.deepStrictEqual([open.status, open.snoozedUntil], ["open", null])
    })
  )

  it.effect("says where else it can go", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const { id } = yield* givenConversation(organization)
      yield* resolveConversation({ id }).pipe(asOperatorOf(organization))
      const error = yield* Effect.flip(resolveConversation({ id }).pipe(asOperatorOf(organization)))
      assert.deepStrictEqual(
        error._tag === "ConversationTransitionInvalid" ? [error.from, error.to, error.allowed] : error._tag,
        ["resolved", "resolved", ["open"]]
      )
      assert.strictEqual(
        yield* tagOf(resolveConversation({ id: ConversationId.make(nobody) }).pipe(asOperatorOf(organization))),
        "NotFound"
      )
    })
  )

  it.effect("reads all that came in, and tells it once", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const { id } = yield* givenConversation(organization, { inboundCount: 3, readCount: 1 })
      assert.strictEqual((yield* getConversation({ id }).pipe(asOperatorOf(organization))).unreadCount, 2)
      const { answer, audit, events } = yield* traced(
        organization,
        readConversation({ id }).pipe(asOperatorOf(organization))
      )
      assert.deepStrictEqual([answer.unreadCount, answer.version, audit], [0, 2, []])
      assert.deepStrictEqual(events, [{ type: "conversation.read", conversationId: id }])
      const again = yield* traced(organization, readConversation({ id }).pipe(asOperatorOf(organization)))
      assert.deepStrictEqual([again.answer.version, again.events], [2, []])
    })
  )
})

layer(TestKit.layer)("a change of many conversations", (it) => {
  it.effect("names refused conversations and changes the others", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const open = yield* givenConversation(organization)
      const resolved = yield* givenConversation(organization, { status: "resolved" })
      const pair = { contactId: open.contactId, chatAccountId: open.chatAccountId }
      const former = yield* givenConversation(organization, { ...pair, status: "resolved" })
      const snoozed = yield* givenConversation(organization, {
        status: "snoozed",
        snoozedUntil: DateTime.add(yield* DateTime.now, { hours: 1 })
      })
      const missing = ConversationId.make(nobody)
      const ids = [snoozed.id, former.id, missing, resolved.id, open.id]
      const act = (action: ConversationBulk["action"]) =>
        Effect.map(changeConversations({ ids, action }), ({ refused, ...counts }) => ({
          ...counts,
          refused: refused.map(({ code, id }) => [id, code])
        })).pipe(asOperatorOf(organization))
      const notFound = [missing, "not_found"]

      assert.deepStrictEqual(yield* act({ type: "reopen" }), {
        changed: 2,
        unchanged: 1,
        refused: [notFound, [former.id, "conversation_exists"]]
      })
      assert.deepStrictEqual(yield* act({ type: "snooze", until: DateTime.add(yield* DateTime.now, { days: 1 }) }), {
        changed: 3,
        unchanged: 0,
        refused: [notFound, [former.id, "conversation_transition_invalid"]]
      })
      assert.deepStrictEqual(yield* act({ type: "resolve" }), { changed: 3, unchanged: 1, refused: [notFound] })
      assert.deepStrictEqual(yield* act({ type: "read" }), { changed: 4, unchanged: 0, refused: [notFound] })
      assert.deepStrictEqual(yield* act({ type: "set_priority", priority: "low" }), {
        changed: 4,
        unchanged: 0,
        refused: [notFound]
      })
      assert.strictEqual((yield* listed(organization, { priority: ["low"], status: ["resolved"] })).length, 4)
    })
  )

  it.effect("adds labels and takes them away, as long as they are not too many", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const full = Array.from({ length: 20 }, (_, at) => `label ${at}`)
      const one = yield* givenConversation(organization, { labels: ["a"] })
      const two = yield* givenConversation(organization, { labels: full })
      const ids = [one.id, two.id]
      const added = yield* changeConversations({ ids, action: { type: "add_labels", labels: ["a", "b"] } }).pipe(
        asOperatorOf(organization)
      )
      assert.deepStrictEqual(
        [added.changed, added.refused.map(({ code, id }) => [id, code])],
        [1, [[two.id, "too_many_labels"]]]
      )
      assert.deepStrictEqual((yield* getConversation({ id: one.id }).pipe(asOperatorOf(organization))).labels, [
        "a",
        "b"
      ])
      const removed = yield* changeConversations({ ids, action: { type: "remove_labels", labels: ["a"] } }).pipe(
        asOperatorOf(organization)
      )
      assert.deepStrictEqual([removed.changed, removed.unchanged], [1, 1])
      assert.deepStrictEqual((yield* getConversation({ id: one.id }).pipe(asOperatorOf(organization))).labels, ["b"])
      const why = whyOf(
        changeConversations({ ids, action: { type: "assign", assigneeId: UserId.make(nobody) } }).pipe(
          asOperatorOf(organization)
        )
      )
      assert.strictEqual(yield* why, "NotFound /action/assigneeId")
    })
  )
})

layer(TestKit.layer)("lists of conversations", (it) => {
  it.effect("are filtered by each thing that can be asked for", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const agent = yield* givenMember(organization, "agent")
      const now = yield* DateTime.now
      const at = (hours: number) => DateTime.add(now, { hours })
      const first = yield* givenConversation(organization, {
        lastActivityAt: at(1),
        createdAt: at(5),
        assigneeId: agent.user.id,
        priority: "high",
        labels: ["vip", "bread"],
        readCount: 1
      })
      const second = yield* givenConversation(organization, {
        lastActivityAt: at(2),
        createdAt: at(4),
        status: "pending",
        labels: ["bread"]
      })
      const third = yield* givenConversation(organization, {
        lastActivityAt: at(3),
        createdAt: at(3),
        status: "resolved"
      })
      yield* givenMessage(organization, first, { text: "Der Käse, bitte: 2 Stück" })
      yield* givenMessage(organization, first, { text: "Danke" })
      yield* givenMessage(organization, third, { text: "kein KÄSE mehr" })
      const [a, b, c] = [first.id, second.id, third.id]
      const mine = Effect.map(listConversations({ assignee: "me", page }), ({ data }) => data.map(({ id }) => id))

      assert.deepStrictEqual(yield* listed(organization, {}), [c, b, a])
      assert.deepStrictEqual(yield* listed(organization, { sort: "lastActivityAt" }), [a, b, c])
      assert.deepStrictEqual(yield* listed(organization, { sort: "createdAt" }), [c, b, a])
      assert.deepStrictEqual(yield* listed(organization, { sort: "-createdAt" }), [a, b, c])
      assert.deepStrictEqual(yield* listed(organization, { status: ["open", "pending"] }), [b, a])
      assert.deepStrictEqual(yield* listed(organization, { assignee: "none" }), [c, b])
      assert.deepStrictEqual(yield* listed(organization, { assignee: agent.user.id }), [a])
      assert.deepStrictEqual(yield* mine.pipe(asPerson(organization, agent)), [a])
      assert.strictEqual(yield* whyOf(mine.pipe(asOperatorOf(organization))), "ValidationFailed /assignee")
      assert.deepStrictEqual(yield* listed(organization, { unread: true }), [c, b])
      assert.deepStrictEqual(yield* listed(organization, { unread: false }), [a])
      assert.deepStrictEqual(yield* listed(organization, { priority: ["high", "urgent"] }), [a])
      assert.deepStrictEqual(yield* listed(organization, { label: ["bread"] }), [b, a])
      assert.deepStrictEqual(yield* listed(organization, { label: ["bread", "none has this"] }), [b, a])
      assert.deepStrictEqual(yield* listed(organization, { contactId: second.contactId }), [b])
      assert.deepStrictEqual(yield* listed(organization, { chatAccountId: third.chatAccountId }), [c])
      assert.deepStrictEqual(yield* listed(organization, { q: "KÄS" }), [c, a])
      assert.deepStrictEqual(yield* listed(organization, { q: "stück  käse" }), [a])
      assert.deepStrictEqual(yield* listed(organization, { q: "käse danke" }), [], "not of one message")
      assert.deepStrictEqual(yield* listed(organization, { q: "äse" }), [], "not the beginning of a word")
      assert.deepStrictEqual(yield* listed(organization, { q: " !? " }), [c, b, a])
      assert.deepStrictEqual(yield* countConversations().pipe(asPerson(organization, agent)), {
        open: 1,
        pending: 1,
        snoozed: 0,
        resolved: 1,
        mine: 1,
        unassigned: 1,
        unread: 1
      })
      assert.strictEqual((yield* countConversations().pipe(asOperatorOf(organization))).mine, 0)
    })
  )

  it.effect("go on page by page, and a cursor is good for its own order only", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const made = yield* Effect.replicateEffect(givenConversation(organization), 5)
      const walk = (cursor: string | null): Effect.Effect<ReadonlyArray<string>, unknown, Ports> =>
        Effect.gen(function* () {
          const { data, nextCursor } = yield* listConversations({ page: { limit: 2, cursor } }).pipe(
            asOperatorOf(organization)
          )
          const ids = data.map(({ id }) => id)
          return nextCursor === null ? ids : [...ids, ...(yield* walk(nextCursor))]
        })
      assert.deepStrictEqual(
        yield* Effect.orDie(walk(null)),
        made
          .map(({ id }) => id)
          .toSorted()
          .toReversed()
      )
      const { nextCursor } = yield* listConversations({ page: { limit: 2, cursor: null } }).pipe(
        asOperatorOf(organization)
      )
      const other = listConversations({ sort: "createdAt", page: { limit: 2, cursor: nextCursor } })
      assert.strictEqual(yield* tagOf(other.pipe(asOperatorOf(organization))), "CursorInvalid")
    })
  )
})
