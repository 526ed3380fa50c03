import { assert, describe, it } from "@effect/vitest"
import { ContactId } from "@parley/domain/crm"
import {
  completeRun,
  enterNode,
  exitRun,
  maxVisits,
  NodeId,
  nextOpening,
  chooseSplitPath,
  restRun,
  toSteps,
  type RunCursor,
  WorkflowId,
  WorkflowRun,
  WorkflowRunId,
  wakeTime
} from "@parley/domain/automation"
import { Arbitrary, DateTime, Effect, Schema } from "effect"

const uuid = (number: number) => `00000000-0000-4000-8000-${number.toString(16).padStart(12, "0")}`

const id = (name: string) => NodeId.make(name)

const now = DateTime.makeUnsafe("2026-11-20T09:00:00Z")

const utc = DateTime.zoneMakeNamedUnsafe("UTC")
const berlin = DateTime.zoneMakeNamedUnsafe("Europe/Berlin")

const number = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 })))

const contactId = ContactId.make(uuid(1))

const traveller = (): RunCursor => ({
  run: new WorkflowRun({
    id: WorkflowRunId.make(uuid(2)),
    workflowId: WorkflowId.make(uuid(3)),
    workflowVersion: 1,
    state: "running",
    reason: null,
    contactId,
    key: contactId,
    node: null,
    wakeAt: null,
    goals: [],
    endedBy: null,
    startedBy: null,
    conditions: null,
    rerunOf: null,
    input: {},
    event: null,
    causation: null,
    startedAt: now,
    endedAt: null
  }),
  progress: {
    dueAt: now,
    isResting: false,
    visits: {},
    places: 0,
    subject: null,
    from: 0,
    since: 0,
    attempts: 0,
    heldSince: null
  }
})

const instant = (text: string) => DateTime.makeUnsafe(text)

const shown = (at: DateTime.Utc) => DateTime.formatIso(at)

describe("moves of a run", () => {
  it("count visits of a node and end the run at visit 999", () => {
    let kept = traveller()
    for (let place = 0; place < maxVisits; place += 1) kept = enterNode(kept, id(place % 2 === 0 ? "a" : "b"), now)
    assert.deepStrictEqual(
      [kept.run.state, kept.progress.places, kept.progress.visits],
      ["running", 1000, { a: 500, b: 500 }]
    )
    assert.deepStrictEqual(
      toSteps(kept, { state: "done" }, now).map(({ place, step }) => [place, step.node, step.visit]),
      [[1000, "b", 500]]
    )
    const over = enterNode(kept, id("a"), now)
    assert.deepStrictEqual([over.run.state, over.run.reason, over.run.endedAt], ["failed", "step_limit", now])
  })

  it("leave nothing to be done where they end it, and clear what it waited for where it goes on", () => {
    const resting = restRun(enterNode(traveller(), id("a"), now), DateTime.add(now, { minutes: 5 }))
    assert.deepStrictEqual([resting.run.state, resting.run.wakeAt], ["waiting", DateTime.add(now, { minutes: 5 })])
    for (const ended of [completeRun(resting, now), exitRun(resting, "goal", now)]) {
      assert.deepStrictEqual([ended.progress.dueAt, ended.run.wakeAt, ended.run.endedAt], [null, null, now])
    }
    const on = enterNode(resting, id("b"), now)
    assert.deepStrictEqual(
      [on.run.state, on.run.wakeAt, on.progress.dueAt, on.progress.isResting],
      ["running", null, now, false]
    )
  })
})

describe("splits", () => {
  const paths = [
    { percent: 30, next: id("x") },
    { percent: 70, next: id("y") }
  ]

  it.effect.prop("keep the path of a contact for every unrelated change", [number, number], ([one, other]) =>
    Effect.sync(() => {
      const of = [WorkflowId.make(uuid(one)), ContactId.make(uuid(other))] as const
      const first = chooseSplitPath({ id: id("s"), paths }, ...of)
      const renamed = paths.map(({ percent }, index) => ({ percent, next: id(`other${index}`) }))
      assert.strictEqual(chooseSplitPath({ id: id("s"), paths: renamed }, ...of)?.index, first?.index)
      const finer = [
        { percent: 30, next: id("x") },
        { percent: 35, next: id("y") },
        { percent: 35, next: id("z") }
      ]
      assert.strictEqual(chooseSplitPath({ id: id("s"), paths: finer }, ...of)?.index === 0, first?.index === 0)
    })
  )

  it("split contacts by percentages, separately at each node", () => {
    const workflowId = WorkflowId.make(uuid(7))
    const contacts = Array.from({ length: 20_000 }, (_, index) => ContactId.make(uuid(index)))
    const indexIn = (node: string) =>
      contacts.map((contact) => chooseSplitPath({ id: id(node), paths }, workflowId, contact)?.index)
    const [first, second] = [indexIn("s"), indexIn("t")]
    const share = first.filter((index) => index === 0).length / contacts.length
    assert.isTrue(Math.abs(share - 0.3) < 0.015, `${share}`)
    const both = first.filter((index, place) => index === 0 && second[place] === 0).length / contacts.length
    assert.isTrue(Math.abs(both - 0.09) < 0.015, `${both}`)
  })

  it("stay as they are forever", () => {
    const taken = Array.from(
      { length: 12 },
      (_, index) =>
        chooseSplitPath({ id: id("s"), paths }, WorkflowId.make(uuid(3)), ContactId.make(uuid(index)))?.index
    )
    assert.deepStrictEqual(taken, [1, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 1])
  })
})

describe("waits", () => {
  const until = (localTime: string, ...days: ReadonlyArray<"mon" | "sat" | "sun">) => ({
    until: { localTime, ...(days.length > 0 && { days }) }
  })

  it("go by seconds, then by the clock, then by the schedule", () => {
    assert.strictEqual(shown(wakeTime({ seconds: 90 }, utc, null, now)), "2026-11-20T09:01:30.000Z")
    assert.strictEqual(shown(wakeTime(until("09:00"), utc, null, now)), "2026-11-20T09:00:00.000Z")
    assert.strictEqual(shown(wakeTime({ seconds: 60, ...until("09:00") }, utc, null, now)), "2026-11-21T09:00:00.000Z")
    assert.strictEqual(shown(wakeTime(until("08:00", "mon"), berlin, null, now)), "2026-11-23T07:00:00.000Z")
    const weekly = { mon: [["10:00", "12:00"]], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] } as const
    const schedule = { hours: { weekly, holidays: [] }, zone: berlin }
    assert.strictEqual(shown(wakeTime(until("08:00", "mon"), berlin, schedule, now)), "2026-11-23T09:00:00.000Z")
    assert.strictEqual(shown(wakeTime(until("11:30", "mon"), berlin, schedule, now)), "2026-11-23T10:30:00.000Z")
  })

  it("use the next moment of a skipped hour and the first of a repeated hour", () => {
    assert.strictEqual(
      shown(wakeTime(until("02:30"), berlin, null, instant("2026-03-28T12:00:00Z"))),
      "2026-03-29T01:00:00.000Z"
    )
    assert.strictEqual(
      shown(wakeTime(until("02:30"), berlin, null, instant("2026-10-24T12:00:00Z"))),
      "2026-10-25T00:30:00.000Z"
    )
    assert.strictEqual(
      shown(wakeTime(until("02:30"), berlin, null, instant("2026-10-25T00:45:00Z"))),
      "2026-10-26T01:30:00.000Z"
    )
  })

  it("look again after a day where a schedule opens at no time", () => {
    const never = { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] }
    const closed = { hours: { weekly: never, holidays: [] }, zone: utc }
    assert.strictEqual(shown(nextOpening(closed, now)), "2026-11-21T09:00:00.000Z")
  })

  it.effect.prop(
    "never end before they are over, and no later than a week and an hour after that",
    [number, number],
    ([one, other]) =>
      Effect.sync(() => {
        const from = DateTime.add(instant("2026-03-25T00:00:00Z"), { minutes: one % (60 * 24 * 400) })
        const clock = `${String(other % 24).padStart(2, "0")}:${String(other % 60).padStart(2, "0")}`
        const zones = ["Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Pacific/Apia"]
        const zone = DateTime.zoneMakeNamedUnsafe(zones[one % zones.length] ?? "UTC")
        const seconds = 60 + (other % 100_000)
        const wakes = wakeTime({ seconds, ...until(clock, "sat") }, zone, null, from)
        const over = DateTime.add(from, { seconds })
        assert.isFalse(DateTime.isLessThan(wakes, over))
        assert.isTrue(DateTime.isLessThanOrEqualTo(wakes, DateTime.add(over, { days: 7, hours: 2 })))
      })
  )
})
