import { assert } from "@effect/vitest"
import { type Causation, transact } from "@parley/domain/kernel"
import { Backlog } from "@parley/domain/platform"
import { ContactId, ContactMergeId } from "@parley/domain/crm"
import {
  anyAutomationRun,
  Automation,
  AutomationId,
  Automations,
  AutomationRun,
  type AutomationRunFilter,
  AutomationRunId,
  AutomationRuns,
  type AutomationRunSelection,
  type StoredAutomationRun,
  type RunAction,
  emptyDefinition
} from "@parley/domain/automation"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { freshId, givenOrganization, inside, outside } from "../../given.ts"

const at = (minutes: number) => DateTime.add(DateTime.makeUnsafe("2026-11-20T09:00:00.250Z"), { minutes })

const lane = 3

const action = (overrides: Partial<RunAction> = {}): RunAction => ({
  index: 0,
  type: "tag",
  state: "pending",
  error: null,
  effect: null,
  attempts: 0,
  until: null,
  ...overrides
})

const newRun = (overrides: Partial<AutomationRun> = {}) =>
  new AutomationRun({
    id: freshId(AutomationRunId),
    automationId: freshId(AutomationId),
    automationVersion: 2,
    state: "queued",
    reason: null,
    event: { position: 7, type: "order.paid" },
    contactId: freshId(ContactId),
    causation: null,
    conditions: null,
    actions: [],
    rerunOf: null,
    createdAt: at(0),
    startedAt: null,
    finishedAt: null,
    ...overrides
  })

const started = Effect.fnUntraced(function* (overrides: Partial<AutomationRun> = {}, ordinal = 1) {
  const run = newRun(overrides)
  yield* transact((yield* AutomationRuns).start([{ run, ordinal, lane }]))
  return run
})

const read = Effect.fnUntraced(function* ({ id }: AutomationRun) {
  return (yield* (yield* AutomationRuns).find(id)) ?? (yield* Effect.die(new Error("There is no such run.")))
})

const changed = Effect.fnUntraced(function* (run: AutomationRun, input: Partial<AutomationRun>) {
  const kept = yield* read(run)
  const after: StoredAutomationRun = { ...kept, run: new AutomationRun({ ...kept.run, ...input }) }
  return yield* transact((yield* AutomationRuns).save([after]))
})

const nextIds = Effect.fnUntraced(function* (minutes: number, limit = 10) {
  const found = yield* (yield* AutomationRuns).next(lane, at(minutes), limit)
  return found.map(({ run }) => run.id)
})

const plain = (run: AutomationRun) => ({ ...run })

const all: AutomationRunFilter = anyAutomationRun

const anAutomation = () =>
  new Automation({
    ...emptyDefinition,
    id: freshId(AutomationId),
    name: "Refund",
    enabled: true,
    disabledReason: null,
    position: 1,
    createdAt: at(0),
    updatedAt: at(0),
    version: 1
  })

export const automationRuns: StorageContract = {
  port: "AutomationRuns",
  promises: (it) => {
    it.effect("lists each version with live runs once", () =>
      Effect.gen(function* () {
        const runs = yield* AutomationRuns
        const [one, other] = [freshId(AutomationId), freshId(AutomationId)]
        const versions = Effect.map(runs.versionsUnderWay(), (found) =>
          found.map((ref) => `${ref.automationId} ${ref.version}`).toSorted()
        )
        yield* Effect.gen(function* () {
          yield* started({ automationId: one, automationVersion: 1 })
          yield* started({ automationId: one, automationVersion: 1 })
          yield* started({ automationId: one, automationVersion: 2 })
          const last = yield* started({ automationId: other, automationVersion: 3 })
          yield* started({ automationId: other, automationVersion: 4, state: "succeeded", finishedAt: at(1) })
          assert.deepStrictEqual(yield* versions, [`${one} 1`, `${one} 2`, `${other} 3`].toSorted())
          yield* changed(last, { state: "aborted", finishedAt: at(2) })
          assert.deepStrictEqual(yield* versions, [`${one} 1`, `${one} 2`].toSorted())
        }).pipe(inside(yield* givenOrganization()))
        assert.deepStrictEqual(yield* versions.pipe(inside(yield* givenOrganization())), [])
      })
    )

    it.effect("counts and locks the selected runs of an automation, oldest event first, page by page", () =>
      Effect.gen(function* () {
        const runs = yield* AutomationRuns
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const [automationId, contactId] = [freshId(AutomationId), freshId(ContactId)]
        const all: AutomationRunSelection = {
          states: ["queued", "running"],
          rerun: "included",
          contactId: null,
          position: null,
          createdFrom: null,
          createdBefore: at(9)
        }
        const counted = (selection: Partial<AutomationRunSelection> = {}) =>
          runs.countSelected(automationId, { ...all, ...selection })
        const locked = (selection: Partial<AutomationRunSelection> = {}, after: AutomationRun | null = null) =>
          Effect.map(
            transact(
              runs.lockSelected(
                automationId,
                { ...all, ...selection },
                { after: after === null ? null : [String(after.event.position), after.id], limit: 2 }
              )
            ),
            (kept) => kept.map(({ run }) => run.id)
          )
        yield* Effect.gen(function* () {
          const event = (position: number) => ({ position, type: "order.paid" })
          const third = yield* started({ automationId, event: event(12), state: "running", createdAt: at(3) })
          const first = yield* started({ automationId, event: event(9), contactId, createdAt: at(2) })
          const second = yield* started({ automationId, event: event(10), createdAt: at(1) })
          const failed = yield* started({ automationId, event: event(9), state: "failed", finishedAt: at(2) })
          yield* started({ event: event(9) })
          const rerunOf = { runId: failed.id, actions: "remaining" } as const
          const repeating = yield* started({
            automationId,
            event: event(9),
            state: "failed",
            finishedAt: at(3),
            rerunOf
          })
          assert.deepStrictEqual((yield* runs.get(automationId, repeating.id)).rerunOf, rerunOf)
          assert.strictEqual(yield* counted({ states: ["failed"] }), 2)
          assert.strictEqual(yield* counted({ states: ["failed"], rerun: "excluded" }), 1)
          assert.deepStrictEqual(yield* locked({ states: ["failed"], rerun: "excluded" }), [repeating.id])
          assert.deepStrictEqual(yield* locked(), [first.id, second.id])
          assert.deepStrictEqual(yield* locked({}, second), [third.id])
          assert.deepStrictEqual(yield* locked({}, third), [])
          assert.deepStrictEqual(yield* locked({ states: ["running"] }), [third.id])
          assert.deepStrictEqual(
            yield* locked({ states: ["failed"], position: 9 }),
            [failed.id, repeating.id].toSorted()
          )
          assert.deepStrictEqual(yield* locked({ contactId }), [first.id])
          assert.deepStrictEqual(yield* locked({ position: 10 }), [second.id])
          assert.deepStrictEqual(yield* locked({ createdFrom: at(2) }), [first.id, third.id])
          assert.deepStrictEqual(yield* locked({ createdBefore: at(2) }), [second.id])
          assert.deepStrictEqual(yield* locked({ states: [] }), [])
          assert.deepStrictEqual(
            yield* Effect.all([
              counted(),
              counted({ states: [] }),
              counted({ contactId }),
              counted({ createdFrom: at(2) })
            ]),
            [3, 0, 1, 2]
          )
        }).pipe(inside(one))
        assert.deepStrictEqual(yield* Effect.all([counted(), locked()]).pipe(inside(other)), [0, []])
      })
    )

    it.effect("lists the performed runs of a contact, and selects runs by contact and event", () =>
      Effect.gen(function* () {
        const runs = yield* AutomationRuns
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const contactId = freshId(ContactId)
        yield* Effect.gen(function* () {
          const automation = anAutomation()
          const automationId = automation.id
          yield* transact((yield* Automations).insert(automation))
          const first = yield* started({ automationId, contactId, state: "succeeded", finishedAt: at(1) })
          const twins = [
            yield* started({ contactId, createdAt: at(2), event: { position: 8, type: "order.paid" } }),
            yield* started({ automationId, contactId, createdAt: at(2), event: { position: 8, type: "order.paid" } })
          ].toSorted((a, b) => (a.id < b.id ? 1 : -1))
          yield* started({ automationId, contactId, createdAt: at(3), state: "skipped", finishedAt: at(3) })
          const others = yield* started({ automationId })
          const page = (after: AutomationRun | undefined) =>
            Effect.map(
              runs.performedFor(contactId, {
                limit: 2,
                after: after === undefined ? null : [DateTime.formatIso(after.createdAt), after.id]
              }),
              (found) => found.map(({ name, run }) => [run.id, name])
            )
          const rowOf = (run: AutomationRun) => [run.id, run.automationId === automationId ? automation.name : null]
          assert.deepStrictEqual(yield* page(undefined), twins.map(rowOf))
          assert.deepStrictEqual(yield* page(twins[0]), [...twins.slice(1), first].map(rowOf))
          assert.deepStrictEqual(yield* page(first), [])
          const selected = (filter: Partial<typeof all>) =>
            Effect.map(runs.list(automationId, { ...all, ...filter }, { limit: 9, after: null }), (found) =>
              found.map(({ id }) => id)
            )
          assert.lengthOf(yield* selected({ contactId }), 3)
          assert.deepStrictEqual(yield* selected({ contactId, position: 8 }), [
            twins.find((run) => run.automationId === automationId)?.id
          ])
          assert.deepStrictEqual(yield* selected({ contactId: others.contactId }), [others.id])
          assert.deepStrictEqual(yield* selected({ contactId, state: "succeeded" }), [first.id])
          assert.deepStrictEqual(yield* selected({ position: 9 }), [])
          yield* transact(runs.forget([contactId], at(4)))
          assert.deepStrictEqual(yield* page(undefined), [])
        }).pipe(inside(one))
        assert.deepStrictEqual(yield* runs.performedFor(contactId, { limit: 9, after: null }).pipe(inside(other)), [])
      })
    )

    it.effect("keeps all of a run, and starts each once, for the organization that it belongs to", () =>
      Effect.gen(function* () {
        const runs = yield* AutomationRuns
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const causation: Causation = { depth: 1, root: 3, via: [{ kind: "automation", id: freshId(AutomationId) }] }
        const run = newRun({
          state: "aborted",
          reason: "cycle",
          causation,
          conditions: { field: "tag", op: "any_of", value: ["t1"], saw: null, held: true },
          actions: [
            action({ state: "done", effect: { kind: "contact", id: "c1" }, attempts: 1 }),
            action({ index: 1, state: "failed", error: { code: "not_found", detail: null } }),
            action({ index: 2, type: "send_template", state: "waiting", until: at(9) })
          ],
          startedAt: at(1),
          finishedAt: at(2)
        })
        const start = transact(runs.start([{ run, ordinal: 4, lane }]))
        assert.deepStrictEqual(yield* start.pipe(inside(one)), new Set([run.id]))
        assert.deepStrictEqual(yield* start.pipe(inside(one)), new Set())
        const kept = yield* read(run).pipe(inside(one))
        assert.deepStrictEqual([plain(kept.run), kept.ordinal, kept.revision], [plain(run), 4, 1])
        assert.deepStrictEqual(plain(yield* runs.get(run.automationId, run.id).pipe(inside(one))), plain(run))
        yield* Effect.gen(function* () {
          assert.isNull(yield* runs.find(run.id))
          assert.strictEqual((yield* Effect.flip(runs.get(run.automationId, run.id)))._tag, "NotFound")
          assert.lengthOf(yield* runs.list(run.automationId, all, { limit: 9, after: null }), 0)
          assert.isFalse(yield* transact(runs.save([kept])))
          assert.lengthOf(yield* runs.ofContact(run.contactId ?? freshId(ContactId), 9), 0)
        }).pipe(inside(other))
        const missing = yield* Effect.flip(runs.get(freshId(AutomationId), run.id)).pipe(inside(one))
        assert.strictEqual(missing._tag, "NotFound")
      })
    )

    it.effect("gives what there is to do in a lane, in the order of events, then of automations", () =>
      Effect.gen(function* () {
        const runs = yield* AutomationRuns
        yield* Effect.gen(function* () {
          assert.isNull(yield* runs.nextDue(lane))
          const third = yield* started({ event: { position: 9, type: "order.paid" } })
          const second = yield* started({}, 2)
          const first = yield* started({}, 1)
          yield* started({ state: "aborted", reason: "cycle", finishedAt: at(0) })
          yield* transact(runs.start([{ run: newRun(), ordinal: 1, lane: lane + 1 }]))
          assert.deepStrictEqual(yield* nextIds(0), [first.id, second.id, third.id])
          assert.deepStrictEqual(yield* nextIds(0, 2), [first.id, second.id])
          assert.deepStrictEqual(yield* runs.nextDue(lane), at(0))
          assert.isTrue(yield* changed(first, { state: "succeeded", finishedAt: at(1) }))
          assert.deepStrictEqual(yield* nextIds(0), [second.id, third.id])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("tells operators how many have something to do, wait for a time and wait for a plugin", () =>
      Effect.gen(function* () {
        const backlog = outside(
          Effect.map(
            Effect.flatMap(Backlog, ({ size }) => size),
            (size) => size.automationRuns
          )
        )
        const before = yield* backlog
        yield* Effect.gen(function* () {
          yield* started()
          yield* started({ state: "running", actions: [action({ state: "waiting", until: at(9) })] })
          yield* started({ state: "running", actions: [action({ state: "calling" })] })
          yield* started({ state: "succeeded", finishedAt: at(1) })
        }).pipe(inside(yield* givenOrganization()))
        const { calling, oldest, queued, waiting } = yield* backlog
        assert.deepStrictEqual([queued - before.queued, waiting - before.waiting, calling - before.calling], [1, 1, 1])
        assert.isNotNull(oldest)
      })
    )

    it.effect("gives a run that waits when its time has come, and says when that is", () =>
      Effect.gen(function* () {
        const runs = yield* AutomationRuns
        yield* Effect.gen(function* () {
          const run = yield* started()
          yield* changed(run, { state: "running", actions: [action({ state: "waiting", until: at(30) })] })
          assert.deepStrictEqual(yield* nextIds(29), [])
          assert.deepStrictEqual(yield* runs.nextDue(lane), at(30))
          assert.deepStrictEqual(yield* nextIds(30), [run.id])
          const later = yield* started({ contactId: run.contactId, event: { position: 8, type: "order.paid" } })
          assert.deepStrictEqual(yield* nextIds(29), [later.id])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("gives nothing of a contact while a plugin is asked for it", () =>
      Effect.gen(function* () {
        const runs = yield* AutomationRuns
        yield* Effect.gen(function* () {
          const run = yield* started()
          const later = yield* started({ contactId: run.contactId, event: { position: 8, type: "order.paid" } })
          yield* changed(run, { state: "running", actions: [action({ type: "plugin_action", state: "calling" })] })
          assert.deepStrictEqual(yield* nextIds(99), [])
          assert.isNull(yield* runs.nextDue(lane))
          const other = yield* started({}, 2)
          assert.deepStrictEqual(yield* nextIds(99), [other.id])
          yield* changed(run, { state: "running", actions: [action({ type: "plugin_action", state: "done" })] })
          assert.deepStrictEqual(yield* nextIds(99), [run.id, other.id, later.id])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("gives nothing of a cancelled run, and the later runs of its contact", () =>
      Effect.gen(function* () {
        const runs = yield* AutomationRuns
        yield* Effect.gen(function* () {
          const run = yield* started()
          const later = yield* started({ contactId: run.contactId, event: { position: 8, type: "order.paid" } })
          yield* changed(run, { state: "running", actions: [action({ type: "plugin_action", state: "calling" })] })
          const actions = [action({ type: "plugin_action", state: "skipped" })]
          assert.isTrue(yield* changed(run, { state: "cancelled", actions, finishedAt: at(2) }))
          assert.deepStrictEqual(yield* nextIds(99), [later.id])
          const { automationId } = run
          const cancelled = yield* runs.list(automationId, { ...all, state: "cancelled" }, { limit: 9, after: null })
          assert.deepStrictEqual(cancelled.map(plain), [plain((yield* read(run)).run)])
          const live = yield* runs.versionsUnderWay()
          assert.notInclude(
            live.map((version) => version.automationId),
            automationId
          )
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("accepts no change from a stale read of a run", () =>
      Effect.gen(function* () {
        const runs = yield* AutomationRuns
        yield* Effect.gen(function* () {
          const run = yield* started()
          const stale = yield* read(run)
          assert.isTrue(yield* changed(run, { state: "running", startedAt: at(1) }))
          assert.isFalse(yield* transact(runs.save([stale])))
          const kept = yield* read(run)
          assert.deepStrictEqual([kept.run.state, kept.revision], ["running", 2])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("lists runs by event position, newest first, page by page and by state", () =>
      Effect.gen(function* () {
        const runs = yield* AutomationRuns
        yield* Effect.gen(function* () {
          const automationId = freshId(AutomationId)
          // All runs have equal times, as in a batch of events.
          const on = (position: number) => ({ automationId, event: { position, type: "order.paid" } })
          const third = yield* started(on(10))
          const second = yield* started({ ...on(9), state: "skipped", finishedAt: at(1) })
          const first = yield* started({ ...on(8), createdAt: at(1) })
          yield* started()
          const page = (after: AutomationRun | null, state: "queued" | null = null) =>
            Effect.map(
              runs.list(
                automationId,
                { ...all, state },
                { limit: 2, after: after === null ? null : [String(after.event.position), after.id] }
              ),
              (found) => found.map(({ id }) => id)
            )
          assert.deepStrictEqual(yield* page(null), [third.id, second.id])
          assert.deepStrictEqual(yield* page(second), [first.id])
          assert.deepStrictEqual(yield* page(third), [second.id, first.id])
          assert.deepStrictEqual(yield* page(null, "queued"), [third.id, first.id])
          const twins = [yield* started(on(7)), yield* started(on(7))]
            .map(({ id }) => id)
            .toSorted()
            .toReversed()
          const [twin] = yield* runs.list(automationId, all, { limit: 1, after: ["8", first.id] })
          assert.deepStrictEqual(yield* page(first), twins)
          assert.deepStrictEqual(yield* page(twin ?? first), twins.slice(1))
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("cuts the live runs of one automation", () =>
      Effect.gen(function* () {
        const runs = yield* AutomationRuns
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const automationId = freshId(AutomationId)
        yield* Effect.gen(function* () {
          const queued = yield* started({ automationId, actions: [action()] })
          const waiting = yield* started({
            automationId,
            state: "running",
            reason: "quiet_hours",
            actions: [action({ state: "done", attempts: 1 }), action({ index: 1, state: "waiting", until: at(90) })]
          })
          const calling = yield* started({ automationId, state: "running", actions: [action({ state: "calling" })] })
          const over = yield* started({ automationId, state: "succeeded", finishedAt: at(1) })
          const another = yield* started()
          const stale = yield* read(waiting)
          assert.strictEqual(yield* transact(runs.cancel(automationId, at(5))).pipe(inside(other)), 0)
          assert.strictEqual(yield* transact(runs.cancel(automationId, at(5))), 3)
          assert.strictEqual(yield* transact(runs.cancel(automationId, at(6))), 0)
          assert.isFalse(yield* transact(runs.save([stale])), "whoever performs it keeps nothing of it")
          for (const run of [queued, waiting, calling]) {
            const { finishedAt, reason, state } = (yield* read(run)).run
            assert.deepStrictEqual([state, reason, finishedAt], ["aborted", "automation_disabled", at(5)])
          }
          assert.deepStrictEqual((yield* read(waiting)).run.actions, [
            action({ state: "done", attempts: 1 }),
            action({ index: 1, state: "skipped" })
          ])
          assert.strictEqual((yield* read(over)).run.state, "succeeded")
          assert.deepStrictEqual(yield* nextIds(99), [another.id])
        }).pipe(inside(one))
      })
    )

    it.effect("recalls runs in quiet hours, for some contacts or all, up to the limit", () =>
      Effect.gen(function* () {
        const runs = yield* AutomationRuns
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const quiet = (contactId: ContactId, minutes = 90) =>
          started({
            contactId,
            state: "running",
            reason: "quiet_hours",
            actions: [
              action({ state: "done", attempts: 1 }),
              action({ index: 1, state: "waiting", until: at(minutes) })
            ]
          })
        const [a, b] = [freshId(ContactId), freshId(ContactId)]
        yield* Effect.gen(function* () {
          const first = yield* quiet(a)
          const second = yield* quiet(b)
          const retried = yield* started({
            contactId: a,
            state: "running",
            actions: [action({ state: "waiting", until: at(60) })]
          })
          const due = yield* quiet(a, 3)
          const stale = yield* read(first)
          const recall = (contactIds: ReadonlyArray<ContactId> | null, limit = 9) =>
            transact(runs.recall(contactIds, at(5), limit))
          assert.deepStrictEqual(yield* recall(null).pipe(inside(other)), [])
          assert.deepStrictEqual(yield* recall([freshId(ContactId)]), [])
          assert.deepStrictEqual(yield* recall([a]), [lane])
          assert.deepStrictEqual(yield* recall([a]), [])
          assert.isFalse(yield* transact(runs.save([stale])))
          assert.deepStrictEqual((yield* read(first)).run.actions, [
            action({ state: "done", attempts: 1 }),
            action({ index: 1, state: "waiting", until: at(5) })
          ])
          assert.sameMembers(yield* nextIds(5), [due.id, first.id])
          assert.deepStrictEqual(yield* recall(null, 1), [lane])
          assert.deepStrictEqual(yield* recall(null, 1), [])
          assert.sameMembers(yield* nextIds(5), [due.id, first.id, second.id])
          assert.deepStrictEqual((yield* read(retried)).run.actions, [action({ state: "waiting", until: at(60) })])
        }).pipe(inside(one))
      })
    )

    it.effect("counts what has begun to act for a contact since, and failures in a row", () =>
      Effect.gen(function* () {
        const runs = yield* AutomationRuns
        yield* Effect.gen(function* () {
          const [automationId, contactId] = [freshId(AutomationId), freshId(ContactId)]
          const ended = (state: "failed" | "skipped" | "succeeded", minutes: number) =>
            started({
              automationId,
              contactId,
              state,
              event: { position: minutes, type: "order.paid" },
              startedAt: at(minutes),
              finishedAt: at(minutes)
            })
          yield* ended("failed", 1)
          yield* ended("succeeded", 2)
          yield* ended("failed", 3)
          yield* ended("skipped", 4)
          yield* ended("failed", 5)
          yield* started({ automationId, contactId })
          assert.deepStrictEqual(yield* runs.begunSince(contactId, at(0)), new Map([[automationId, 4]]))
          assert.deepStrictEqual(yield* runs.begunSince(contactId, at(2)), new Map([[automationId, 2]]))
          assert.deepStrictEqual(yield* runs.begunSince(freshId(ContactId), at(0)), new Map())
          assert.strictEqual(yield* runs.failedInARow(automationId, 2, 20), 2)
          assert.strictEqual(yield* runs.failedInARow(automationId, 2, 1), 1)
          assert.strictEqual(yield* runs.failedInARow(automationId, 3, 20), 0)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("hands the runs of a contact over, and forgets whose they were", () =>
      Effect.gen(function* () {
        const runs = yield* AutomationRuns
        yield* Effect.gen(function* () {
          const [from, to] = [freshId(ContactId), freshId(ContactId)]
          const saw = { field: "tag", op: "is", value: "x", saw: "x", held: true }
          const input = { code: "plugin_refused", detail: "There is no customer called Anna." }
          const over = yield* started({
            contactId: from,
            state: "failed",
            conditions: saw,
            finishedAt: at(1),
            actions: [
              action({ state: "done", effect: { kind: "contact", id: from } }),
              action({ index: 1, state: "done", effect: { kind: "note", id: "n1" } }),
              action({ index: 2, state: "failed", error: input })
            ]
          })
          const mergeId = freshId(ContactMergeId)
          assert.isFalse(yield* transact(runs.handOver({ from, to, mergeId }, lane)))
          const live = yield* started({
            contactId: from,
            state: "running",
            conditions: saw,
            createdAt: at(1),
            actions: [
              action({ state: "done", effect: { kind: "contact", id: from }, attempts: 1 }),
              action({ index: 1, state: "waiting", until: at(90) })
            ]
          })
          const stale = yield* read(live)
          assert.isTrue(yield* transact(runs.handOver({ from, to, mergeId }, lane)))
          assert.isFalse(yield* transact(runs.save([stale])))
          assert.deepStrictEqual(
            (yield* runs.ofContact(to, 9)).map(({ id }) => id),
            [live.id, over.id]
          )
          assert.lengthOf(yield* runs.ofContact(from, 9), 0)
          yield* transact(runs.forget([to], at(5)))
          assert.lengthOf(yield* runs.ofContact(to, 9), 0)
          const [first, second] = [yield* read(over), yield* read(live)]
          assert.deepStrictEqual(
            [first.run.state, first.run.contactId, first.run.conditions, first.run.finishedAt],
            ["failed", null, null, at(1)]
          )
          assert.deepStrictEqual(first.run.actions, [
            action({ state: "done" }),
            action({ index: 1, state: "done", effect: { kind: "note", id: "n1" } }),
            action({ index: 2, state: "failed", error: { ...input, detail: null } })
          ])
          assert.deepStrictEqual(
            [second.run.state, second.run.reason, second.run.conditions, second.run.finishedAt],
            ["aborted", "contact_gone", null, at(5)]
          )
          assert.deepStrictEqual(second.run.actions, [
            action({ state: "done", attempts: 1 }),
            action({ index: 1, state: "skipped" })
          ])
          assert.deepStrictEqual(yield* nextIds(99), [])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("returns transferred runs to their last contact, and none that started later", () =>
      Effect.gen(function* () {
        const runs = yield* AutomationRuns
        yield* Effect.gen(function* () {
          const [a, b, c] = [freshId(ContactId), freshId(ContactId), freshId(ContactId)]
          const [first, second] = [freshId(ContactMergeId), freshId(ContactMergeId)]
          const over = yield* started({ contactId: a, state: "succeeded", finishedAt: at(1) })
          const live = yield* started({ contactId: a })
          const whose = (id: ContactId) => Effect.map(runs.ofContact(id, 9), (found) => found.map((run) => run.id))
          yield* transact(runs.handOver({ from: a, to: b, mergeId: first }, lane))
          yield* transact(runs.handOver({ from: b, to: c, mergeId: second }, lane))
          const since = yield* started({ contactId: c })
          const stale = yield* read(live)
          assert.isTrue(yield* transact(runs.handBack({ from: c, to: b, mergeId: second, later: [] }, lane + 1)))
          assert.isFalse(yield* transact(runs.save([stale])))
          assert.sameMembers(yield* whose(b), [over.id, live.id])
          assert.deepStrictEqual(yield* whose(c), [since.id])
          assert.deepStrictEqual(
            (yield* runs.next(lane + 1, at(9), 9)).map(({ run }) => run.id),
            [live.id]
          )
          assert.isFalse(yield* transact(runs.handBack({ from: c, to: b, mergeId: second, later: [] }, lane)))
          assert.isTrue(yield* transact(runs.handBack({ from: b, to: a, mergeId: first, later: [] }, lane)))
          assert.sameMembers(yield* whose(a), [over.id, live.id])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("forgets what is old and over, and skipped runs but the latest of each automation", () =>
      Effect.gen(function* () {
        const runs = yield* AutomationRuns
        yield* Effect.gen(function* () {
          const automation = anAutomation()
          yield* transact((yield* Automations).insert(automation))
          const skipped = (minutes: number) =>
            started({
              automationId: automation.id,
              state: "skipped",
              event: { position: minutes + 1, type: "order.paid" },
              createdAt: at(minutes),
              startedAt: at(minutes),
              finishedAt: at(minutes)
            })
          const made = yield* Effect.forEach([0, 1, 2, 3, 4], skipped)
          const open = yield* started({ automationId: automation.id })
          const done = yield* started({ automationId: automation.id, state: "succeeded", finishedAt: at(1) })
          assert.strictEqual(yield* runs.sweepSkipped(2, 2), 2)
          assert.strictEqual(yield* runs.sweepSkipped(2, 2), 1)
          assert.strictEqual(yield* runs.sweepSkipped(2, 2), 0)
          const left = Effect.map(runs.list(automation.id, all, { limit: 9, after: null }), (found) =>
            found.map(({ id }) => id)
          )
          const young = made.slice(3).map(({ id }) => id)
          assert.sameMembers(Array.from(yield* left), [...young, open.id, done.id])
          assert.strictEqual(yield* runs.sweep(at(0), 9), 0)
          assert.strictEqual(yield* runs.sweep(at(1), 9), 1)
          assert.sameMembers(Array.from(yield* left), [...young, open.id])
        }).pipe(inside(yield* givenOrganization()))
      })
    )
  }
}

export const automationRunsContract = runContract(automationRuns)
