import { assert, it } from "@effect/vitest"
import { OrganizationId } from "@parley/domain/kernel"
import { type DueLane, type LanePriority, shardCount, shardOf } from "@parley/domain/platform"
import { Arbitrary, DateTime, Effect, Schema } from "effect"
import { failureTimeoutMillis, makeFailureDetector } from "../../../src/platform/background/Shards.ts"
import { makeFairQueue } from "../../../src/platform/background/fairQueue.ts"
import { shardShare } from "../../../src/platform/background/shardOwnership.ts"

const dawn = DateTime.makeUnsafe("2026-01-01T00:00:00Z")

const organization = (number: number) =>
  OrganizationId.make(`00000000-0000-4000-8000-${String(number).padStart(12, "0")}`)

const lane = (owner: number, key: number, priority: LanePriority = "person", seconds = key): DueLane => ({
  task: "work",
  organizationId: organization(owner),
  key: String(key),
  shard: 0,
  priority,
  dueAt: DateTime.add(dawn, { seconds })
})

/** Works at one lane after another until none is left; says whose they were. */
const workedOff = (lanes: ReadonlyArray<DueLane>, room: number) => {
  const choose = makeFairQueue()
  const worked: Array<DueLane> = []
  while (worked.length < lanes.length) {
    const chosen = choose(
      lanes.filter((each) => !worked.includes(each)),
      new Map(),
      room
    )
    assert.isAbove(chosen.length, 0)
    worked.push(...chosen)
  }
  return worked
}

const upTo = (most: number) => Arbitrary.schema(Schema.Literals(Array.from({ length: most }, (_, number) => number)))

const someLanes = Arbitrary.map(
  Arbitrary.array(Arbitrary.all({ owner: upTo(5), seconds: upTo(100) }), { maxLength: 60 }),
  (rows) => rows.map(({ owner, seconds }, key) => lane(owner, key, "person", seconds))
)

it.prop(
  "no organization has a second turn before each other that is due has had one",
  { lanes: someLanes, room: upTo(7) },
  ({ lanes, room }) => {
    const worked = workedOff(lanes, room + 1)
    const turns = new Map<OrganizationId, number>()
    for (const [place, { organizationId }] of worked.entries()) {
      const own = (turns.get(organizationId) ?? 0) + 1
      turns.set(organizationId, own)
      for (const other of new Set(worked.slice(place + 1).map((each) => each.organizationId))) {
        assert.isAtLeast(turns.get(other) ?? 0, own - 1)
      }
    }
  }
)

it("lanes of one organization are worked at from the earliest on", () => {
  const worked = workedOff([lane(1, 3), lane(1, 1), lane(1, 2)], 1)
  assert.deepStrictEqual(
    worked.map(({ key }) => key),
    ["1", "2", "3"]
  )
})

it("an organization with running lanes comes after one without", () => {
  const chosen = makeFairQueue()([lane(1, 1), lane(2, 2)], new Map([[organization(1), 1]]), 1)
  assert.deepStrictEqual(
    chosen.map(({ key }) => key),
    ["2"]
  )
})

it("interactive lanes go first, and every fourth turn is bulk", () => {
  const lanes = Array.from({ length: 40 }, (_, key) => lane(key, key, key < 20 ? "bulk" : "person"))
  const worked = workedOff(lanes, 3).map(({ priority }) => priority)
  assert.deepStrictEqual(worked.slice(0, 8), [
    "person",
    "person",
    "person",
    "bulk",
    "person",
    "person",
    "person",
    "bulk"
  ])
  assert.strictEqual(worked.slice(0, 26).filter((priority) => priority === "person").length, 20)
})

it.prop(
  "all shards are shared out, and no two nodes differ by more than one",
  { names: Arbitrary.array(upTo(1_000), { minLength: 1, maxLength: 200 }) },
  ({ names }) => {
    const nodes = Array.from(new Set(names.map(String)))
    const shares = nodes.map((node) => shardShare(node, nodes, shardCount))
    assert.strictEqual(
      shares.reduce((sum, share) => sum + share, 0),
      shardCount
    )
    assert.isAtMost(Math.max(...shares) - Math.min(...shares), 1)
    assert.strictEqual(shardShare("somebody else", nodes, shardCount), 0)
  }
)

it("lanes are spread over four nodes so that none has a fifth more or less than its part", () => {
  const counts = [0, 0, 0, 0]
  for (let key = 0; key < 20_000; key += 1) {
    const node = Math.floor(shardOf({ task: "work", organizationId: organization(key % 97), key: `${key}` }) / 32)
    counts[node] = (counts[node] ?? 0) + 1
  }
  for (const count of counts) assert.closeTo(count, 5_000, 1_000)
})

it("a lane has the same shard for ever", () => {
  assert.deepStrictEqual(
    ["", "a", "é🥐"].map((key) => shardOf({ task: "sends", organizationId: organization(1), key })),
    [62, 79, 102]
  )
})

it("an observation names the time until a silent worker reaches the timeout", () => {
  const observe = makeFailureDetector()
  const node = (id: string, beat: number) => ({ id, name: id, tasks: ["work"], beat })
  const nextMillis = (now: number, ...nodes: ReadonlyArray<ReturnType<typeof node>>) => observe(nodes, now).nextMillis
  assert.strictEqual(nextMillis(0, node("one", 1), node("two", 1)), failureTimeoutMillis)
  assert.strictEqual(nextMillis(2_000, node("one", 2), node("two", 1)), failureTimeoutMillis - 2_000)
  assert.strictEqual(nextMillis(3_500, node("one", 3), node("two", 1)), failureTimeoutMillis - 3_500)
  assert.strictEqual(nextMillis(failureTimeoutMillis, node("one", 4), node("two", 1)), failureTimeoutMillis)
})

it.effect("silent workers are declared dead after six seconds, and none after a standstill of all", () =>
  Effect.sync(() => {
    const findDead = makeFailureDetector()
    const node = (id: string, beat: number) => ({ id, name: id, tasks: ["work"], beat })
    const dead = (now: number, ...nodes: ReadonlyArray<ReturnType<typeof node>>) =>
      findDead(nodes, now).dead.map(({ id }) => id)
    assert.deepStrictEqual(dead(0, node("one", 1), node("two", 1)), [])
    assert.deepStrictEqual(dead(2_000, node("one", 2), node("two", 1)), [])
    assert.deepStrictEqual(dead(4_000, node("one", 3), node("two", 1)), [])
    assert.deepStrictEqual(dead(failureTimeoutMillis - 1, node("one", 4), node("two", 1)), [])
    assert.deepStrictEqual(dead(failureTimeoutMillis, node("one", 5), node("two", 1)), ["two"])
    assert.deepStrictEqual(dead(60_000, node("one", 5)), [])
    assert.deepStrictEqual(dead(62_000, node("one", 6)), [])
  })
)
