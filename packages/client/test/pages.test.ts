import { assert, describe, it } from "vitest"
import { createParley, isProblem } from "../src/index.ts"
import { type Answer, baseUrl, json, problem, serviceOf } from "./support/wire.ts"

const given = (...answers: ReadonlyArray<Answer>) => {
  const { fetch, sent } = serviceOf(...answers)
  return { sent, parley: createParley({ baseUrl, token: "secret", fetch }) }
}

const collect = async <A>(items: AsyncIterable<A>) => {
  const all: Array<A> = []
  for await (const item of items) all.push(item)
  return all
}

const pageOf = (ids: ReadonlyArray<string>, nextCursor: string | null) =>
  json({ data: ids.map((id) => ({ id })), nextCursor })

const three = [pageOf(["1", "2"], "c1"), pageOf(["3", "4"], "c2"), pageOf(["5"], null)]

describe("a list", () => {
  it("is read row by row to its end, with its filters on each page", async () => {
    const { parley, sent } = given(...three)
    const rows = await collect(parley.contacts.list.all({ tag: ["vip"], limit: 2 }))
    assert.deepStrictEqual(
      rows.map(({ id }) => id),
      ["1", "2", "3", "4", "5"]
    )
    assert.deepStrictEqual(
      sent.map(({ url }) => url),
      ["", "&cursor=c1", "&cursor=c2"].map((rest) => `/api/v1/contacts?tag=vip&limit=2${rest}`)
    )
  })

  it("is read page by page, in a client of either kind", async () => {
    for (const client of [given(...three).parley, given(...three).parley.throwing()]) {
      const pages = await collect(client.contacts.list.pages())
      assert.deepStrictEqual(
        pages.map(({ data }) => data.length),
        [2, 2, 1]
      )
    }
  })

  it("is read no further than its reader goes, and not before it starts", async () => {
    const { parley, sent } = given(...three)
    const rows = parley.contacts.list.all()
    assert.isEmpty(sent)
    for await (const { id } of rows) if (id === "3") break
    assert.lengthOf(sent, 2)
  })

  it("starts at a cursor", async () => {
    const { parley, sent } = given(pageOf(["9"], null))
    await collect(parley.contacts.list.all({ cursor: "c8" }))
    assert.strictEqual(sent[0]?.url, "/api/v1/contacts?cursor=c8")
  })

  it("throws the problem of a page", async () => {
    const { parley } = given(pageOf(["1"], "c1"), problem(400, "cursor_invalid"))
    const seen: Array<string> = []
    const read = async () => {
      for await (const { id } of parley.contacts.list.all()) seen.push(id)
    }
    const error: unknown = await read().catch((error: unknown) => error)
    assert.isTrue(isProblem(error, "cursor_invalid"))
    assert.deepStrictEqual(seen, ["1"])
  })

  it("of events is read up to now, by the cursor that is called after", async () => {
    const { parley, sent } = given(
      json({ data: [{ position: 1 }], nextCursor: "e1" }),
      json({ data: [], nextCursor: "e1" })
    )
    const events = await collect(parley.events.list.all({ after: "e0" }))
    assert.lengthOf(events, 1)
    assert.deepStrictEqual(
      sent.map(({ url }) => url),
      ["/api/v1/events?after=e0", "/api/v1/events?after=e1"]
    )
  })
})
