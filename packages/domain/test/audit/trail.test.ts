import { assert, describe, it } from "@effect/vitest"
import {
  type Actor,
  AuditLog,
  CurrentRequest,
  EventLog,
  eventPermissions,
  type OrganizationId,
  platform,
  refer
} from "@parley/domain"
import { actingIn, actorOf, asOperatorOf, operator, TestKit } from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { newWorld } from "../attempting.ts"
import { attempts } from "../attempts.ts"
import { asTable, useCases } from "../useCases.ts"

const all = { limit: 1000, after: null }

const auditEventsOf = (id: OrganizationId) =>
  Effect.flatMap(AuditLog, (log) =>
    log.list({ actorId: null, targetKind: null, targetId: null, action: null, from: null, to: null }, all)
  ).pipe(asOperatorOf({ id }))

const eventsOf = (id: OrganizationId) =>
  Effect.flatMap(EventLog, (log) => log.list(Object.keys(eventPermissions), all)).pipe(asOperatorOf({ id }))

/** Who makes the attempt: an operator where only operators may, else the owner. */
const accessOf = (name: string) => useCases.find(({ useCase }) => useCase.name === name)?.useCase.access

/** Makes the attempt at the use case, and gives what it said of its trace and what it really left. */
const trial = Effect.fnUntraced(
  function* (name: string) {
    yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe("2026-05-06T07:08:09.123Z")))
    const prepare = attempts[name]
    if (prepare === undefined) return yield* Effect.die(new Error(`Nobody has tried ${name}.`))
    const world = yield* newWorld
    const actor: Actor = accessOf(name) === "operator" ? operator : yield* actorOf(world.owner, world.organization)
    const { call, secrets } = yield* prepare(world)
    yield* TestClock.adjust("1 second")
    const at = yield* DateTime.now
    const trace = yield* call.pipe(
      actingIn(world.organization, actor),
      Effect.provideService(CurrentRequest, { id: "req-1" })
    )
    const places = new Set([world.organization.id, platform, trace?.place ?? platform])
    const audited = yield* Effect.forEach(places, (place) =>
      Effect.map(auditEventsOf(place), (events) => events.map((event) => ({ place, event })))
    )
    const logged = yield* Effect.forEach(places, (place) =>
      Effect.map(eventsOf(place), (events) => events.map((event) => ({ place, event })))
    )
    const isNew = ({ event }: { readonly event: { readonly at: DateTime.Utc } }) =>
      DateTime.isGreaterThanOrEqualTo(event.at, at)
    return {
      actor,
      at,
      trace,
      secrets,
      world,
      everything: JSON.stringify([audited, logged]),
      audited: audited.flat().filter(isNew),
      logged: logged.flat().filter(isNew)
    }
  },
  (effect) => Effect.provide(effect, TestKit.layer, { local: true })
)

/** Use cases that write nothing about which a trail could say more than the log of requests. */
const traceless = `
audit.list
automation.get
automation.list
cannedReplies.list
chatAccounts.get
chatAccounts.list
chatAccounts.platformApp
chatWebhooks.receive
chatWebhooks.receiveForAccount
chatWebhooks.verify
contactFields.list
contacts.dropFile
contacts.get
contacts.getImport
contacts.list
contacts.listDuplicates
contacts.readImportFaults
contacts.receiveFile
contacts.timeline
conversations.count
conversations.get
conversations.list
deliveries.list
deliveries.show
docsHandoff.exchange
docsHandoff.getSession
docsHandoff.handOff
entitlements.get
events.follow
events.list
identity.getMe
identity.getOrganization
identity.listAutomationTokens
identity.listMembers
identity.refreshSession
identity.requestPasswordReset
jobs.get
jobs.list
media.drop
media.read
media.receive
messageTemplates.get
messageTemplates.list
messageTemplates.preview
messages.get
messages.list
notes.list
operations.showWorkers
segments.get
segments.list
subscribers.list
subscribers.listParked
tags.get
tags.list
`.trim()

const trails = `
use case                       | audit event                 | event
automation.create              | automation.created          | automation.created
automation.delete              | automation.deleted          | automation.deleted
automation.disable             | automation.disabled         | automation.disabled
automation.enable              | automation.enabled          | automation.enabled
automation.update              | automation.updated          | automation.updated
cannedReplies.create           | canned_reply.created        | canned_reply.created
cannedReplies.delete           | canned_reply.deleted        | canned_reply.deleted
cannedReplies.update           | canned_reply.updated        | canned_reply.updated
chatAccounts.check             | chat_account.checked        | chat_account.updated
chatAccounts.connect           | chat_account.connected      | chat_account.connected
chatAccounts.remove            | chat_account.removed        | chat_account.removed
chatAccounts.reseal            | chat_account.resealed       | -
chatAccounts.rotateSecret      | chat_account.secret_rotated | chat_account.updated
chatAccounts.signUp            | chat_account.connected      | chat_account.connected
chatAccounts.update            | chat_account.updated        | chat_account.updated
contactFields.create           | contact_field.created       | contact_field.created
contactFields.delete           | contact_field.deleted       | job.started
contactFields.update           | contact_field.updated       | contact_field.updated
contacts.change                | contacts.changed            | contacts.changed
contacts.create                | contact.created             | contact.created
contacts.delete                | contact.deleted             | contact.deleted
contacts.dismissDuplicate      | contact.duplicate_dismissed | contact.duplicate_dismissed
contacts.erase                 | contact.erased              | contact.deleted
contacts.export                | contacts.exported           | -
contacts.exportOne             | contact.exported            | -
contacts.import                | contacts.imported           | job.started
contacts.merge                 | contact.merged              | contact.merged
contacts.tag                   | contact.tagged              | contact.tagged
contacts.unmerge               | contact.unmerged            | contact.unmerged
contacts.untag                 | contact.untagged            | contact.untagged
contacts.update                | contact.updated             | contact.updated
contacts.upsertByPhone         | contact.created             | contact.created
conversations.assign           | conversation.updated        | conversation.assigned
conversations.change           | conversation.updated        | conversation.status_changed
conversations.open             | conversation.opened         | conversation.opened
conversations.read             | -                           | conversation.read
conversations.reopen           | conversation.updated        | conversation.status_changed
conversations.resolve          | conversation.updated        | conversation.status_changed
conversations.snooze           | conversation.updated        | conversation.status_changed
conversations.update           | conversation.updated        | conversation.updated
deliveries.park                | delivery.parked             | -
deliveries.replay              | delivery.replayed           | -
identity.acceptInvitation      | member.joined               | member.joined
identity.addMember             | member.joined               | member.joined
identity.adoptAutomationToken  | automation_token.adopted    | automation_token.adopted
identity.changeMemberRole      | member.role_changed         | member.role_changed
identity.changePassword        | user.password_changed       | -
identity.createOrganization    | organization.created        | organization.created
identity.createUser            | user.created                | -
identity.inviteMember          | member.invited              | member.invited
identity.issueAutomationToken  | automation_token.issued     | automation_token.issued
identity.linkPasswordReset     | user.password_reset_linked  | -
identity.login                 | session.opened              | -
identity.logout                | session.closed              | -
identity.removeMember          | member.removed              | member.removed
identity.resetPassword         | user.password_reset         | -
identity.revokeAutomationToken | automation_token.revoked    | automation_token.revoked
identity.rotateSigningKey      | signing_key.rotated         | -
identity.setOrganizationPlan   | organization.plan_changed   | organization.plan_changed
identity.setOrganizationStatus | organization.status_changed | organization.status_changed
identity.setPasswordByLink     | user.password_reset         | -
identity.setUserStatus         | user.status_changed         | -
identity.updateMe              | user.renamed                | -
identity.updateOrganization    | organization.updated        | organization.updated
jobs.cancel                    | job.cancelled               | job.finished
media.keep                     | media.uploaded              | -
media.upload                   | media.uploaded              | -
messageTemplates.create        | message_template.created    | message_template.created
messageTemplates.delete        | message_template.deleted    | message_template.deleted
messageTemplates.submit        | message_template.submitted  | message_template.status_changed
messageTemplates.sync          | message_templates.synced    | message_template.created
messageTemplates.update        | message_template.updated    | message_template.updated
messages.retry                 | message.retried             | message.status_changed
messages.send                  | message.sent                | message.queued
notes.create                   | note.created                | note.created
notes.delete                   | note.deleted                | note.deleted
notes.update                   | note.updated                | note.updated
segments.create                | segment.created             | segment.created
segments.delete                | segment.deleted             | segment.deleted
segments.update                | segment.updated             | segment.updated
subscribers.forget             | subscriber.forgotten        | -
subscribers.replayParked       | subscriber.parked_replayed  | -
subscribers.rewind             | subscriber.rewound          | -
subscribers.skipParked         | subscriber.parked_skipped   | -
suppressions.reseal            | suppressions.resealed       | -
tags.create                    | tag.created                 | tag.created
tags.delete                    | tag.deleted                 | tag.deleted
tags.merge                     | tag.merged                  | job.started
tags.update                    | tag.updated                 | tag.updated
`.trim()

const names = useCases.map(({ useCase }) => useCase.name)

describe("the audit trail", () => {
  it.effect.each(names)("%s: says who changed what, from what to what, when and in which request, once", (name) =>
    Effect.gen(function* () {
      const { actor, at, audited, trace, world } = yield* trial(name)
      if (trace === null || trace.action === null) return assert.deepStrictEqual(audited, [])
      const self = actor.kind === "user" ? actor.userId : ""
      const id = trace.target.id === "the actor" ? self : trace.target.id
      assert.deepStrictEqual(
        audited.map(({ event: { action, actor, after, at, before, requestId, target }, place }) => ({
          place,
          actor,
          action,
          target,
          before,
          after,
          requestId,
          at: DateTime.formatIso(at)
        })),
        [
          {
            place: trace.place ?? world.organization.id,
            actor: trace.actor === undefined ? refer(actor) : { kind: "user", id: trace.actor },
            action: trace.action,
            target: { kind: trace.target.kind, id },
            before: trace.before,
            after: trace.after,
            requestId: "req-1",
            at: DateTime.formatIso(at)
          }
        ]
      )
    })
  )

  it.effect("covers every use case that changes something", () =>
    Effect.gen(function* () {
      const rows = yield* Effect.forEach(names, (name) => Effect.map(trial(name), ({ trace }) => ({ name, trace })))
      const table = asTable([
        ["use case", "audit event", "event"],
        ...rows.flatMap(({ name, trace }) =>
          trace === null ? [] : [[name, trace.action ?? "-", trace.event?.type ?? "-"]]
        )
      ])
      assert.strictEqual(table, trails, `\n${table}\n`)
      assert.strictEqual(
        rows
          .filter(({ trace }) => trace === null)
          .map(({ name }) => name)
          .join("\n"),
        traceless
      )
    })
  )

  it.effect.each(names)("%s: writes no secret into it, nor into the events", (name) =>
    Effect.gen(function* () {
      const { everything, secrets } = yield* trial(name)
      for (const secret of secrets) assert.notInclude(everything, secret)
    })
  )

  it.effect("is tried with secrets wherever there are any", () =>
    Effect.gen(function* () {
      const rows = yield* Effect.forEach(names, (name) => Effect.map(trial(name), ({ secrets }) => ({ name, secrets })))
      assert.deepStrictEqual(
        rows.filter(({ secrets }) => secrets.length > 0).map(({ name }) => name),
        [
          "chatAccounts.connect",
          "chatAccounts.signUp",
          "chatAccounts.update",
          "chatWebhooks.receive",
          "chatWebhooks.receiveForAccount",
          "chatWebhooks.verify",
          "docsHandoff.exchange",
          "docsHandoff.handOff",
          "identity.acceptInvitation",
          "identity.changePassword",
          "identity.createUser",
          "identity.inviteMember",
          "identity.issueAutomationToken",
          "identity.linkPasswordReset",
          "identity.login",
          "identity.refreshSession",
          "identity.resetPassword",
          "identity.setPasswordByLink"
        ]
      )
    })
  )
})

describe("the events", () => {
  it.effect.each(names)("%s: tell what happened, in the organization it happened to", (name) =>
    Effect.gen(function* () {
      const { actor, logged, trace, world } = yield* trial(name)
      const expected =
        trace?.event === undefined || trace.event === null
          ? []
          : [
              {
                place: trace.place ?? world.organization.id,
                actor: trace.actor === undefined ? refer(actor) : { kind: "user", id: trace.actor },
                event: trace.event
              }
            ]
      assert.deepStrictEqual(
        logged.map(({ event: { actor, event }, place }): unknown => ({ place, actor, event })),
        expected
      )
    })
  )
})
