import { assert } from "@effect/vitest"
import { CurrentActor, type Permission, PluginId, transact, type UserId } from "@parley/domain/kernel"
import {
  AuditLog,
  type MemberId,
  type Organization,
  removeMember,
  setAvailability,
  setOrganizationPlan,
  setUserStatus
} from "@parley/domain/platform"
import {
  assignConversation,
  assignWaiting,
  type AssignmentReason,
  type AutoAssignment,
  autoAssign,
  type ConversationId,
  getConversation,
  resolveConversation,
  snoozeConversation,
  updateConversation
} from "@parley/domain/messaging"
import { updateAutomationSettings } from "@parley/domain/automation"
import {
  asOperator,
  asOperatorOf,
  givenContact,
  givenConversation,
  givenMember,
  givenOrganization,
  within
} from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { eventsOf } from "../../crm/traces.ts"
import { settleReactions } from "../../integrations/webhooks/given.ts"
import { test } from "./given.ts"

const anybody: AutoAssignment = { memberIds: null, sticky: false, whenNone: "queue" }

const assign = (organization: Organization, id: ConversationId, overrides: Partial<AutoAssignment> = {}) =>
  transact(autoAssign(id, { ...anybody, ...overrides })).pipe(asOperatorOf(organization))

const assigneeOf = (organization: Organization, id: ConversationId) =>
  Effect.map(getConversation({ id }), ({ assigneeId }) => assigneeId).pipe(asOperatorOf(organization))

const set = (organization: Organization, id: MemberId, status: "available" | "away", capacity?: number) =>
  setAvailability({ id, status, ...(capacity !== undefined && { capacity }) }).pipe(asOperatorOf(organization))

/** Assigns waiting conversations after all event consumers have run. */
const settle = (organization: Organization) => Effect.andThen(settleReactions(organization), assignWaiting)

/** An organization with automations in its plan, and two members with this capacity each. */
const givenTeam = Effect.fnUntraced(function* (capacity: number) {
  const organization = yield* givenOrganization({ plan: "growth" })
  const one = yield* givenMember(organization, "agent")
  const other = yield* givenMember(organization, "agent")
  for (const { member } of [one, other]) yield* set(organization, member.id, "available", capacity)
  return { organization, one, other }
})

const assigned = (assigneeId: UserId, because: AssignmentReason = "lowest_load") => ({
  kind: "assigned" as const,
  assigneeId,
  because
})

const trailOf = (organization: Organization, id: ConversationId) =>
  Effect.flatMap(AuditLog, (log) =>
    log.list(
      { actorId: null, targetKind: null, targetId: id, action: null, from: null, to: null },
      { limit: 10, after: null }
    )
  ).pipe(
    asOperatorOf(organization),
    Effect.map((entries) => entries.map(({ action, actor }) => [action, actor.kind, actor.id]))
  )

const pluginId = PluginId.make("01990000-0000-7000-8000-000000000001")

const asPlugin = Effect.provideService(CurrentActor, {
  kind: "delegate",
  for: { kind: "plugin", id: pluginId },
  permissions: new Set<Permission>()
})

test("the least loaded member gets the conversation like a manual assignment, in the actor's name", () =>
  Effect.gen(function* () {
    const { one, organization, other } = yield* givenTeam(5)
    const { id: busy } = yield* givenConversation(organization)
    yield* assignConversation({ id: busy, assigneeId: one.user.id }).pipe(asOperatorOf(organization))
    const { id } = yield* givenConversation(organization)
    const outcome = yield* transact(autoAssign(id, anybody)).pipe(asPlugin, within(organization))
    assert.deepStrictEqual(outcome, assigned(other.user.id))
    assert.strictEqual(yield* assigneeOf(organization, id), other.user.id)
    assert.deepStrictEqual((yield* eventsOf(organization)).at(-1), {
      type: "conversation.assigned",
      conversationId: id,
      assigneeId: other.user.id
    })
    assert.deepStrictEqual(yield* trailOf(organization, id), [["conversation.updated", "plugin", pluginId]])
    // Both have one now: the other member got theirs later.
    yield* TestClock.adjust("1 second")
    const { id: next } = yield* givenConversation(organization)
    assert.deepStrictEqual(yield* assign(organization, next), assigned(one.user.id))
  }))

test("members who are away, disabled, without permission, unnamed or at capacity get none", () =>
  Effect.gen(function* () {
    const { one, organization, other } = yield* givenTeam(1)
    yield* givenMember(organization, "viewer")
    const conversations = [
      yield* givenConversation(organization),
      yield* givenConversation(organization),
      yield* givenConversation(organization)
    ]
    const [first = assert.fail(), second = assert.fail(), third = assert.fail()] = conversations.map(({ id }) => id)
    const named = { memberIds: [one.member.id], whenNone: "leave" as const }
    yield* set(organization, one.member.id, "away")
    assert.deepStrictEqual(yield* assign(organization, first, named), { kind: "unchanged" })
    yield* set(organization, one.member.id, "available")
    yield* setUserStatus({ id: one.user.id, status: "disabled" }).pipe(asOperator)
    assert.deepStrictEqual(yield* assign(organization, first, named), { kind: "unchanged" })
    yield* setUserStatus({ id: one.user.id, status: "active" }).pipe(asOperator)
    assert.deepStrictEqual(yield* assign(organization, first, named), assigned(one.user.id))
    assert.deepStrictEqual(yield* assign(organization, second, named), { kind: "unchanged" })
    assert.deepStrictEqual(yield* assign(organization, second, { whenNone: "leave" }), assigned(other.user.id))
    assert.deepStrictEqual(yield* assign(organization, third, { whenNone: "leave" }), { kind: "unchanged" })
  }))

test("an assigned conversation stays, and a resolved one is not assigned", () =>
  Effect.gen(function* () {
    const { one, organization } = yield* givenTeam(5)
    const { id } = yield* givenConversation(organization)
    yield* assignConversation({ id, assigneeId: one.user.id }).pipe(asOperatorOf(organization))
    assert.deepStrictEqual(yield* assign(organization, id), { kind: "unchanged" })
    const { id: resolved } = yield* givenConversation(organization, { status: "resolved" })
    assert.deepStrictEqual(yield* assign(organization, resolved), { kind: "unchanged" })
  }))

test("the previous assignee goes first while free, if requested", () =>
  Effect.gen(function* () {
    const { one, organization, other } = yield* givenTeam(2)
    const { id: contactId } = yield* givenContact(organization)
    yield* givenConversation(organization, { contactId, status: "resolved", assigneeId: one.user.id })
    yield* givenConversation(organization, { assigneeId: one.user.id })
    const conversation = () => givenConversation(organization, { contactId })
    const [sticky, plain, full] = [yield* conversation(), yield* conversation(), yield* conversation()]
    assert.deepStrictEqual(yield* assign(organization, plain.id), assigned(other.user.id))
    yield* assignConversation({ id: plain.id, assigneeId: null }).pipe(asOperatorOf(organization))
    assert.deepStrictEqual(
      yield* assign(organization, sticky.id, { sticky: true }),
      assigned(one.user.id, "last_assignee")
    )
    assert.deepStrictEqual(yield* assign(organization, full.id, { sticky: true }), assigned(other.user.id))
  }))

test("waiting conversations are assigned by priority when a member becomes free, in the name of the requester", () =>
  Effect.gen(function* () {
    const { one, organization, other } = yield* givenTeam(1)
    for (const { member } of [one, other]) yield* set(organization, member.id, "away")
    const [low, high, last] = [
      yield* givenConversation(organization, { priority: "low" }),
      yield* givenConversation(organization, { priority: "high" }),
      yield* givenConversation(organization)
    ]
    yield* transact(autoAssign(low.id, anybody)).pipe(asPlugin, within(organization))
    for (const { id } of [high, last]) {
      assert.deepStrictEqual(yield* assign(organization, id), { kind: "queued" })
    }
    yield* settle(organization)
    assert.isNull(yield* assigneeOf(organization, high.id))
    yield* set(organization, one.member.id, "available")
    yield* settle(organization)
    assert.strictEqual(yield* assigneeOf(organization, high.id), one.user.id)
    assert.isNull(yield* assigneeOf(organization, low.id))
    yield* resolveConversation({ id: high.id }).pipe(asOperatorOf(organization))
    yield* settle(organization)
    assert.strictEqual(yield* assigneeOf(organization, low.id), one.user.id)
    assert.deepStrictEqual(yield* trailOf(organization, low.id), [["conversation.updated", "plugin", pluginId]])
    const later = DateTime.add(yield* DateTime.now, { hours: 1 })
    yield* snoozeConversation({ id: low.id, until: later }).pipe(asOperatorOf(organization))
    yield* settle(organization)
    assert.strictEqual(yield* assigneeOf(organization, last.id), one.user.id)
  }))

test("a new conversation does not overtake waiting ones for the same members", () =>
  Effect.gen(function* () {
    const { one, organization, other } = yield* givenTeam(1)
    yield* removeMember({ id: other.member.id }).pipe(asOperatorOf(organization))
    yield* set(organization, one.member.id, "away")
    const waiting = yield* givenConversation(organization)
    assert.deepStrictEqual(yield* assign(organization, waiting.id), { kind: "queued" })
    yield* set(organization, one.member.id, "available")
    const newcomer = yield* givenConversation(organization)
    assert.deepStrictEqual(yield* assign(organization, newcomer.id), { kind: "queued" })
    const urgent = yield* givenConversation(organization, { priority: "urgent" })
    assert.deepStrictEqual(yield* assign(organization, urgent.id), assigned(one.user.id))
    yield* resolveConversation({ id: urgent.id }).pipe(asOperatorOf(organization))
    yield* settle(organization)
    assert.deepStrictEqual(
      [yield* assigneeOf(organization, waiting.id), yield* assigneeOf(organization, newcomer.id)],
      [one.user.id, null]
    )
  }))

test("a manually assigned or resolved conversation waits no more, also if unassigned later", () =>
  Effect.gen(function* () {
    const { one, organization, other } = yield* givenTeam(5)
    for (const { member } of [one, other]) yield* set(organization, member.id, "away")
    const [taken, resolved] = [yield* givenConversation(organization), yield* givenConversation(organization)]
    for (const { id } of [taken, resolved]) yield* assign(organization, id)
    yield* Effect.gen(function* () {
      yield* assignConversation({ id: taken.id, assigneeId: one.user.id })
      yield* assignConversation({ id: taken.id, assigneeId: null })
      yield* resolveConversation({ id: resolved.id })
      yield* updateConversation({ id: resolved.id, status: "open", ifVersion: null })
    }).pipe(asOperatorOf(organization))
    yield* set(organization, one.member.id, "available")
    yield* settle(organization)
    assert.deepStrictEqual(
      [yield* assigneeOf(organization, taken.id), yield* assigneeOf(organization, resolved.id)],
      [null, null]
    )
  }))

test("after 24 hours a conversation waits no more", () =>
  Effect.gen(function* () {
    const { one, organization, other } = yield* givenTeam(5)
    for (const { member } of [one, other]) yield* set(organization, member.id, "away")
    const old = yield* givenConversation(organization)
    yield* assign(organization, old.id)
    yield* TestClock.adjust("1 minute")
    const young = yield* givenConversation(organization)
    yield* assign(organization, young.id)
    yield* TestClock.adjust("1439 minutes")
    yield* set(organization, one.member.id, "available")
    yield* settle(organization)
    assert.deepStrictEqual(
      [yield* assigneeOf(organization, old.id), yield* assigneeOf(organization, young.id)],
      [null, one.user.id]
    )
  }))

test("during a pause of automations no conversation is assigned; they are assigned directly afterwards", () =>
  Effect.gen(function* () {
    const { one, organization, other } = yield* givenTeam(5)
    for (const { member } of [one, other]) yield* set(organization, member.id, "away")
    const { id } = yield* givenConversation(organization)
    yield* assign(organization, id)
    const pause = (paused: boolean) =>
      updateAutomationSettings({ paused, ifVersion: null }).pipe(asOperatorOf(organization))
    yield* pause(true)
    yield* set(organization, one.member.id, "available")
    yield* settle(organization)
    assert.isNull(yield* assigneeOf(organization, id))
    yield* pause(false)
    yield* settle(organization)
    assert.strictEqual(yield* assigneeOf(organization, id), one.user.id)
  }))

test("while the plan lacks automations nothing that waits is handed out, and what still waits is once it has them", () =>
  Effect.gen(function* () {
    const { one, organization, other } = yield* givenTeam(5)
    for (const { member } of [one, other]) yield* set(organization, member.id, "away")
    const { id } = yield* givenConversation(organization)
    yield* assign(organization, id)
    yield* setOrganizationPlan({ plan: "free" }).pipe(asOperatorOf(organization))
    yield* set(organization, one.member.id, "available")
    yield* settle(organization)
    assert.isNull(yield* assigneeOf(organization, id))
    yield* setOrganizationPlan({ plan: "growth" }).pipe(asOperatorOf(organization))
    yield* settle(organization)
    assert.strictEqual(yield* assigneeOf(organization, id), one.user.id)
  }))
