import { assert, describe, it } from "@effect/vitest"
import { OrganizationId } from "@parley/domain/kernel"
import { SecureRandom } from "effect/crypto"
import { addShard, noNews, payloadsOf, readPayload } from "../src/platform/events/notificationPayloads.ts"

const [self, other] = [SecureRandom.uuidV7Unsafe(), SecureRandom.uuidV7Unsafe()]

const newsOf = (organizations: number) => {
  const news = noNews()
  for (let count = 0; count < organizations; count++) news.logs.add(OrganizationId.make(SecureRandom.uuidV7Unsafe()))
  return news
}

describe("notifications", () => {
  it("tell others all that is new in few payloads, one for each work", () => {
    const news = newsOf(1_000)
    for (let shard = 0; shard < 128; shard++) addShard(news, "sends", shard)
    addShard(news, "deliveries", 3)
    news.areShardsFree = true
    const payloads = payloadsOf(news, self)
    assert.isAtMost(payloads.length, 8)
    const read = payloads.map((payload) => readPayload(payload, other))
    assert.deepStrictEqual(new Set(read.flatMap(({ logs }) => Array.from(logs))), news.logs)
    assert.deepStrictEqual(new Map(read.flatMap(({ lanes }) => Array.from(lanes))), news.lanes)
    assert.isTrue(read.some(({ areShardsFree }) => areShardsFree))
  })

  it("carry live events with any text, and drop those without a known permission", () => {
    const id = OrganizationId.make(SecureRandom.uuidV7Unsafe())
    const event = { type: "test.live", permission: "events.read", data: { text: 'a "b" } {\nc' } } as const
    const news = noNews()
    news.live.push({ id, event })
    const [payload = ""] = payloadsOf(news, self)
    assert.deepStrictEqual(readPayload(payload, other).live, [{ id, event }])
    assert.deepStrictEqual(readPayload(payload.replace("events.read", "unknown"), other), noNews())
  })

  it("fit into the limit of PostgreSQL", () => {
    for (const payload of payloadsOf(newsOf(1_000), self)) assert.isBelow(payload.length, 8_000)
  })

  it("say nothing where nothing is new", () => {
    assert.deepStrictEqual(payloadsOf(noNews(), self), [])
  })

  it("are passed over by the process that they come from", () => {
    const news = newsOf(1)
    addShard(news, "sends", 1)
    for (const payload of payloadsOf(news, self)) assert.deepStrictEqual(readPayload(payload, self), noNews())
  })

  it("are ignored with unknown content", () => {
    const unknown = [
      "",
      "shards",
      "lane:sends:3",
      other,
      `${other} weather fine`,
      `${other} lanes x sends`,
      `${other} logs 1-2`
    ]
    for (const payload of unknown) assert.deepStrictEqual(readPayload(payload, self), noNews(), payload)
  })
})
