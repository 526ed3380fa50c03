import { assert, layer } from "@effect/vitest"
import { Ids, transact } from "@parley/domain/kernel"
import { plans } from "@parley/domain/platform"
import { ContactId, Contacts } from "@parley/domain/crm"
import { ChatAccount, ChatAccounts, MessageTemplate, MessageTemplates } from "@parley/domain/messaging"
import {
  type Broadcast,
  Broadcasts,
  freezeSlice,
  type NewAudiencePreview,
  previewAudience,
  RecipientLedger,
  RecipientReservations,
  requireSnapshot,
  resumeBroadcast,
  reserveAudience,
  scheduleBroadcast,
  updateBroadcast,
  sendBroadcast,
  simulateBroadcast,
  updateBroadcastSettings,
  type AudiencePreview,
  createBroadcast,
  reserveRecipients
} from "@parley/domain/campaigns"
import { asOperatorOf, givenContact, givenOrganization, TestKit } from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { givenChatAccount } from "../messaging/inbox/given.ts"
import { givenFrozen, givenReader, givenTemplate, listedAs } from "./given.ts"

const begin = DateTime.makeUnsafe("2026-03-02T08:00:00Z")

const given = Effect.fnUntraced(function* (readers: number) {
  yield* TestClock.setTime(DateTime.toEpochMillis(begin))
  const organization = yield* givenOrganization({ plan: "scale" })
  const account = yield* givenChatAccount(organization)
  const template = yield* givenTemplate(organization, account)
  const contacts = yield* Effect.forEach(Array.from({ length: readers }), () => givenReader(organization))
  const input: NewAudiencePreview = {
    chatAccountId: account.id,
    templateId: template.id,
    variables: { "body.1": { kind: "field", field: "firstName" } },
    audience: {}
  }
  const start = (fields: Partial<Broadcast> = {}) =>
    givenFrozen(organization, account, template, [], {
      status: "sending",
      startedAt: begin,
      frozenAt: null,
      variables: input.variables ?? {},
      ...fields
    })
  return { account, contacts, inside: asOperatorOf(organization), organization, input, start, template }
})

layer(TestKit.layer)("an audience", (it) => {
  it.effect("is counted without contacts whose local time is over, if they are skipped", () =>
    Effect.gen(function* () {
      const { inside, organization, input } = yield* given(2)
      const late = yield* givenContact(organization, {
        name: "Lia",
        phone: "+541123456789",
        marketing: { state: "subscribed", source: "form" }
      })
      const schedule = { localAt: "2026-03-02T08:00", zone: "contact" } as const
      const preview = (passed: "send" | "skip") =>
        inside(previewAudience({ ...input, schedule: { ...schedule, passed } }))
      const { excluded, reachable, sample, toSend } = yield* preview("skip")
      assert.deepStrictEqual([excluded, reachable, toSend], [{ local_time_passed: 2 }, 1, 1])
      assert.deepStrictEqual(
        sample.map(({ contactId }) => contactId),
        [late.id]
      )
      assert.strictEqual((yield* preview("send")).toSend, 3)
    })
  )

  it.effect("is counted with excluded contacts and ten sample messages", () =>
    Effect.gen(function* () {
      const { contacts, inside, organization, input } = yield* given(12)
      yield* givenContact(organization, { name: "Nobody", phone: "+491609999999" })
      yield* givenContact(organization, {
        name: null,
        phone: "+491609999998",
        marketing: { state: "subscribed", source: "form" }
      })
      const preview = yield* inside(previewAudience({ ...input, holdOut: 25 }))
      assert.deepStrictEqual(
        { ...preview, sample: preview.sample[0] },
        {
          matched: 14,
          reachable: 12,
          heldOut: 3,
          toSend: 9,
          variants: null,
          excluded: { not_subscribed: 1, missing_variable: 1 },
          sample: {
            contactId: contacts[0]?.id ?? ContactId.make(""),
            address: contacts[0]?.phone ?? "",
            preview: { header: null, body: "Hello Reader!", footer: null, buttons: [] }
          },
          warnings: [],
          notes: [],
          costs: { state: "no_rate_card", currency: "EUR", amount: null, messages: null, withoutRate: null },
          audienceSnapshotId: null,
          expiresAt: null
        }
      )
      assert.strictEqual(preview.sample.length, 10)
    })
  )

  it.effect("has a preview warning for each reason that blocks sending", () =>
    Effect.gen(function* () {
      const { inside, organization, input, template } = yield* given(2)
      const { variables: _, ...unmapped } = input
      const pointersOf = ({ warnings }: AudiencePreview) => warnings.map(({ code, pointer }) => `${code} ${pointer}`)
      const preview = (fields: NewAudiencePreview) => inside(previewAudience(fields))
      const draft = { ...input, name: "Spring", schedule: { at: DateTime.add(begin, { days: 1 }) } }
      assert.deepStrictEqual(pointersOf(yield* preview(draft)), [])
      assert.deepStrictEqual(pointersOf(yield* preview(unmapped)), ["validation_failed /variables/body.1"])
      assert.deepStrictEqual(pointersOf(yield* preview({ ...input, schedule: { endBy: begin } })), [
        "validation_failed /schedule/endBy"
      ])
      const nobody = { all: [{ field: "name", op: "contains", value: "nobody at all" }] } as const
      assert.deepStrictEqual(pointersOf(yield* preview({ ...input, audience: nobody })), ["audience_empty /audience"])
      const paused = new MessageTemplate({ ...template, status: "paused" })
      yield* inside(transact(Effect.flatMap(MessageTemplates, (templates) => templates.save(paused, null))))
      const { id } = yield* inside(createBroadcast({ name: "Much" }))
      yield* inside(transact(reserveRecipients(id, plans[organization.plan].limits.broadcastRecipientsPerMonth - 1)))
      const { warnings } = yield* preview(input)
      assert.deepStrictEqual(pointersOf({ ...(yield* preview(input)), warnings }), [
        "template_not_approved /templateId",
        "plan_limit_reached "
      ])
      // A send returns the same problems.
      const stored = yield* inside(createBroadcast({ ...input, name: "Spring" }))
      const refused = yield* Effect.flip(inside(sendBroadcast({ id: stored.id, ifVersion: null })))
      assert.deepStrictEqual([refused._tag, refused.message], ["TemplateNotApproved", warnings[0]?.detail])
      yield* inside(transact(Effect.flatMap(MessageTemplates, (templates) => templates.save(template, null))))
      const full = yield* Effect.flip(inside(sendBroadcast({ id: stored.id, ifVersion: null })))
      assert.deepStrictEqual([full._tag, full.message], ["PlanLimitReached", warnings[1]?.detail])
    })
  )

  it.effect("previews the values of a message next to its missing ones", () =>
    Effect.gen(function* () {
      const { account, inside, organization, input } = yield* given(1)
      const components = { body: { text: "Hello {{1}}, order {{2}}!" } }
      const keys = ["body.1", "body.2"]
      const variables = keys.map((key) => ({ key, in: "body", kind: "text" }) as const)
      const { id: templateId } = yield* givenTemplate(organization, account, { components, variables })
      const { sample, warnings } = yield* inside(previewAudience({ ...input, templateId }))
      assert.strictEqual(sample[0]?.preview?.body, "Hello Reader, order {{2}}!")
      assert.deepStrictEqual(
        warnings.map(({ pointer }) => pointer),
        ["/variables/body.2"]
      )
    })
  )

  it.effect("notes that one marketing variant makes the whole broadcast marketing", () =>
    Effect.gen(function* () {
      const { account, inside, organization, input, template } = yield* given(1)
      const utility = yield* givenTemplate(organization, account, { category: "utility" })
      const { templateId: _, variables = {}, ...rest } = input
      const notesOf = (first: MessageTemplate, second: MessageTemplate) =>
        inside(
          previewAudience({
            ...rest,
            variants: [
              { key: "a", weight: 50, templateId: first.id, variables },
              { key: "b", weight: 50, templateId: second.id, variables }
            ]
          })
        ).pipe(Effect.map(({ notes }) => notes))
      assert.deepStrictEqual(yield* notesOf(utility, template), [
        {
          code: "marketing_for_all_variants",
          pointer: "/variants/1/templateId",
          detail:
            "Variant b uses a marketing template, so the whole broadcast is marketing: its rules for consent, quiet hours and frequency caps apply to every variant."
        }
      ])
      assert.deepStrictEqual(yield* notesOf(utility, utility), [])
      assert.deepStrictEqual(yield* notesOf(template, template), [])
    })
  )

  it.effect("notes a low quality rating of the number", () =>
    Effect.gen(function* () {
      const { account, inside, input } = yield* given(1)
      const notesOf = Effect.fnUntraced(function* (qualityRating: ChatAccount["qualityRating"]) {
        const accounts = yield* ChatAccounts
        const rated = new ChatAccount({ ...(yield* accounts.get(account.id)), qualityRating })
        yield* transact(accounts.save(rated, null, rated.version))
        const { notes } = yield* previewAudience(input)
        return notes.map(({ code, pointer }) => `${code} ${pointer}`)
      })
      const low = ["number_quality_low /chatAccountId"]
      const found = yield* inside(Effect.forEach(["red", "yellow", "green", "unknown"] as const, notesOf))
      assert.deepStrictEqual(found, [low, low, [], []])
    })
  )

  it.effect("says by weight how many would get each variant, and which variant each of the sample would see", () =>
    Effect.gen(function* () {
      const { inside, input, template } = yield* given(5)
      const { templateId: _, variables: __, ...rest } = input
      const variant = (key: "a" | "b", weight: number, value: string) =>
        ({ key, weight, templateId: template.id, variables: { "body.1": { kind: "constant", value } } }) as const
      const preview = yield* inside(
        previewAudience({ ...rest, variants: [variant("a", 50, "one"), variant("b", 50, "two")] })
      )
      assert.deepStrictEqual(preview.variants, [
        { key: "a", toSend: 3 },
        { key: "b", toSend: 2 }
      ])
      for (const { preview: shown } of preview.sample) {
        assert.oneOf(shown?.body, ["Hello one!", "Hello two!"])
      }
    })
  )

  it.effect("needs an account and a filter", () =>
    Effect.gen(function* () {
      const { inside, input } = yield* given(1)
      for (const field of ["chatAccountId", "audience"] as const) {
        const error = yield* Effect.flip(inside(previewAudience({ ...input, [field]: null })))
        assert.deepInclude(error, { _tag: "ValidationFailed" })
        if (error._tag === "ValidationFailed") assert.strictEqual(error.errors[0]?.pointer, `/${field}`)
      }
    })
  )

  it.effect("that was kept belongs to a broadcast that says the same, for a day", () =>
    Effect.gen(function* () {
      const { inside, input, start } = yield* given(2)
      const { audienceSnapshotId: id, expiresAt } = yield* inside(previewAudience({ ...input, freeze: true }))
      assert.deepStrictEqual(expiresAt, DateTime.add(begin, { days: 1 }))
      if (id === null) return assert.fail("The list is kept")
      const broadcast = yield* start()
      assert.strictEqual((yield* inside(transact(requireSnapshot(broadcast, id)))).matched, 2)
      const other = { ...broadcast, audience: { not: {} }, variables: {} }
      const mismatch = yield* Effect.flip(inside(transact(requireSnapshot(other, id))))
      assert.deepInclude(mismatch, { _tag: "AudienceSnapshotMismatch", fields: ["variables", "audience"] })
      const stranger = yield* given(0)
      assert.deepInclude(yield* Effect.flip(stranger.inside(transact(requireSnapshot(broadcast, id)))), {
        _tag: "NotFound",
        pointer: "/audienceSnapshotId"
      })
      yield* TestClock.adjust("1 day")
      const expired = yield* Effect.flip(inside(transact(requireSnapshot(broadcast, id))))
      assert.deepInclude(expired, { _tag: "AudienceSnapshotExpired", expiredAt: DateTime.add(begin, { days: 1 }) })
    })
  )

  it.effect("is reserved completely at the start; the unused part is returned after the list is complete", () =>
    Effect.gen(function* () {
      const { contacts, inside, start } = yield* given(5)
      const broadcast = yield* start()
      const { id } = broadcast
      const [broadcasts, reservations] = [yield* Broadcasts, yield* RecipientReservations]
      yield* inside(transact(reserveAudience(broadcast, begin)))
      assert.strictEqual(yield* inside(reservations.takenBy(id)), 5)
      assert.isFalse(yield* inside(freezeSlice(id, 2)))
      yield* inside(transact(Effect.flatMap(Contacts, (port) => port.remove(contacts.slice(4).map(({ id }) => id)))))
      assert.isFalse(yield* inside(freezeSlice(id, 2)))
      assert.isTrue(yield* inside(freezeSlice(id, 2)))
      assert.isTrue(yield* inside(freezeSlice(id, 2)))
      const frozen = yield* inside(broadcasts.get(id))
      assert.deepStrictEqual(frozen.frozenAt, begin)
      assert.deepInclude(frozen.stats, { matched: 4, pending: 4 })
      assert.strictEqual(yield* inside(reservations.takenBy(id)), 4)
    })
  )

  it.effect("that has grown since it was reserved ends where the plan has no more room", () =>
    Effect.gen(function* () {
      const { inside, organization, start } = yield* given(3)
      const broadcast = yield* start()
      yield* inside(transact(reserveAudience(broadcast, begin)))
      yield* givenReader(organization)
      assert.isTrue(yield* inside(freezeSlice(broadcast.id)))
      const { candidates } = yield* inside(
        Effect.flatMap(RecipientLedger, (ledger) => ledger.next(broadcast.id, { now: begin, limit: 10 }))
      )
      assert.strictEqual(candidates.length, 3)
      const { stats } = yield* inside(Effect.flatMap(Broadcasts, (broadcasts) => broadcasts.get(broadcast.id)))
      assert.deepInclude(stats, { matched: 4, pending: 3, excluded: 1 })
    })
  )

  it.effect("without contacts is refused", () =>
    Effect.gen(function* () {
      const { inside, organization, start } = yield* given(0)
      yield* givenContact(organization, { name: "Nobody", phone: "+491609999999" })
      const error = yield* Effect.flip(inside(transact(reserveAudience(yield* start(), begin))))
      assert.deepInclude(error, { _tag: "AudienceEmpty", matched: 1 })
    })
  )

  it.effect("is sent to at the time of each contact's own clock", () =>
    Effect.gen(function* () {
      const { inside, start } = yield* given(1)
      const broadcast = yield* start({ schedule: { localAt: "2026-03-02T12:00", zone: "contact" } })
      yield* inside(transact(reserveAudience(broadcast, begin)))
      assert.isTrue(yield* inside(freezeSlice(broadcast.id)))
      const next = (now: DateTime.Utc) =>
        inside(Effect.flatMap(RecipientLedger, (ledger) => ledger.next(broadcast.id, { now, limit: 10 })))
      assert.strictEqual((yield* next(DateTime.add(begin, { minutes: 179 }))).candidates.length, 0)
      assert.strictEqual((yield* next(DateTime.add(begin, { hours: 3 }))).candidates.length, 1)
    })
  )

  it.effect("is sent directly on request, regardless of local times", () =>
    Effect.gen(function* () {
      const { inside, start } = yield* given(1)
      for (const localAt of ["2026-03-01T12:00", "2026-03-04T12:00"]) {
        const { id } = yield* start({
          status: "draft",
          startedAt: null,
          schedule: { localAt, zone: "contact", passed: "skip" }
        })
        assert.deepStrictEqual((yield* inside(sendBroadcast({ id, ifVersion: null }))).schedule, { zone: "contact" })
        assert.isTrue(yield* inside(freezeSlice(id)))
        const { candidates } = yield* inside(
          Effect.flatMap(RecipientLedger, (ledger) => ledger.next(id, { now: begin, limit: 10 }))
        )
        assert.strictEqual(candidates.length, 1, localAt)
      }
    })
  )

  it.effect("is simulated without contacts whose local time is over, if they are skipped", () =>
    Effect.gen(function* () {
      const { contacts, inside, organization, start } = yield* given(1)
      yield* givenContact(organization, {
        name: "Late Riser",
        phone: "+491609999990",
        timezone: "America/New_York",
        marketing: { state: "subscribed", source: "form" }
      })
      const { id } = yield* start({
        status: "draft",
        startedAt: null,
        schedule: { localAt: "2026-03-02T07:00", zone: "contact", passed: "skip" }
      })
      const [contact] = contacts
      if (contact === undefined) return assert.fail("There is a reader")
      const simulated = yield* inside(simulateBroadcast({ id, contactId: contact.id }))
      assert.strictEqual(simulated.toSend, 1)
      assert.deepStrictEqual(simulated.contact, { outcome: "excluded", reason: "local_time_passed" })
    })
  )

  it.effect("goes on after a pause, also when it might not start any more", () =>
    Effect.gen(function* () {
      const { inside, start } = yield* given(1)
      const { id } = yield* start({ status: "paused", schedule: { notAfter: begin } })
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* inside(resumeBroadcast({ id }))).status, "sending")
    })
  )

  it.effect("leaves out who has had enough by the caps that hold for its category", () =>
    Effect.gen(function* () {
      const { contacts, inside, input, start } = yield* given(2)
      const { id: broadcastId } = yield* start()
      const ledger = yield* RecipientLedger
      const calls = contacts.slice(0, 1).map(({ id: contactId }) => ({ contactId, seq: 1, values: {} }))
      const windowId = yield* (yield* Ids).next
      const window = { id: windowId, broadcastId, fence: 1, claimedAt: begin, calls }
      const outcome = { kind: "sent", providerMessageId: "wamid.1" } as const
      const send = Effect.gen(function* () {
        yield* ledger.list(
          broadcastId,
          contacts.slice(0, 1).map((contact) => listedAs(contact))
        )
        yield* ledger.begin({ revision: 0, mark: 1, window, excluded: [], postponed: [] })
        yield* ledger.settle(broadcastId, [{ windowId, seq: 1, at: begin, outcome }])
      })
      yield* inside(transact(send))
      const reachable = Effect.fnUntraced(function* (category: "marketing" | "utility" | "any", max = 1) {
        yield* inside(updateBroadcastSettings({ frequencyCaps: [{ category, max, days: 7 }], ifVersion: null }))
        return (yield* inside(previewAudience(input))).reachable
      })
      assert.strictEqual(yield* reachable("marketing"), 1)
      assert.strictEqual(yield* reachable("any"), 1)
      assert.strictEqual(yield* reachable("any", 2), 2)
      assert.strictEqual(yield* reachable("utility"), 2)
      yield* reachable("marketing")
      assert.strictEqual((yield* inside(previewAudience({ ...input, ignoreFrequencyCaps: true }))).reachable, 2)
    })
  )

  it.effect("that was kept is what a broadcast is scheduled or sent with, and outlives its day", () =>
    Effect.gen(function* () {
      const { inside, organization, input, start } = yield* given(2)
      const { audienceSnapshotId } = yield* inside(previewAudience({ ...input, freeze: true }))
      if (audienceSnapshotId === null) return assert.fail("The list is kept")
      yield* givenReader(organization)
      const draft = { status: "draft", startedAt: null } as const
      const schedule = { at: DateTime.add(begin, { days: 2 }) }
      const later = yield* start({ ...draft, schedule })
      const scheduled = yield* inside(scheduleBroadcast({ id: later.id, audienceSnapshotId, ifVersion: null }))
      assert.strictEqual(scheduled.audienceSnapshotId, audienceSnapshotId)
      const otherwise = yield* Effect.flip(
        inside(updateBroadcast({ id: later.id, audience: { not: {} }, ifVersion: null }))
      )
      assert.deepInclude(otherwise, { _tag: "AudienceSnapshotMismatch", fields: ["audience"] })
      assert.strictEqual(
        (yield* inside(updateBroadcast({ id: later.id, name: "Spring!", ifVersion: null }))).name,
        "Spring!"
      )
      yield* TestClock.adjust("30 hours")
      const { id } = yield* start(draft)
      yield* inside(sendBroadcast({ id, audienceSnapshotId, ifVersion: null }))
      assert.isTrue(yield* inside(freezeSlice(id)))
      const { stats } = yield* inside(Effect.flatMap(Broadcasts, (broadcasts) => broadcasts.get(id)))
      assert.deepInclude(stats, { matched: 2, pending: 2 })
      const other = yield* start({ ...draft, audience: { not: {} } })
      const error = yield* Effect.flip(inside(sendBroadcast({ id: other.id, audienceSnapshotId, ifVersion: null })))
      assert.deepInclude(error, { _tag: "AudienceSnapshotMismatch", fields: ["audience"] })
    })
  )
})
