import { assert, describe, it } from "vitest"
import { createParley } from "../src/index.ts"
import { placeFields, readEndpoint } from "../src/request.ts"
import { baseUrl, json, serviceOf } from "./support/wire.ts"

const given = (options: object = {}) => {
  const { fetch, sent } = serviceOf(json({ data: [], nextCursor: null }))
  return { sent, parley: createParley({ baseUrl, token: "secret", organizationId: "o1", fetch, ...options }) }
}

const id = "c/1 ü"

describe("the fields of an input", () => {
  it("fill the path, and the rest of a GET is the query", async () => {
    const { parley, sent } = given()
    await parley.contacts.list({
      q: "a&b c",
      tag: ["one", "two"],
      limit: 5,
      filter: { field: "email", op: "is_set" },
      "attribute.city": "Köln"
    })
    await parley.contacts.get({ id, expand: "tags" })
    const [list, one] = sent
    assert.strictEqual(
      list?.url,
      "/api/v1/contacts?q=a%26b+c&tag=one&tag=two&limit=5&filter=%7B%22field%22%3A%22email%22%2C%22op%22%3A%22is_set%22%7D&attribute.city=K%C3%B6ln"
    )
    assert.strictEqual(one?.url, "/api/v1/contacts/c%2F1%20%C3%BC?expand=tags")
    assert.strictEqual(one?.body, "")
  })

  it("leave out what is undefined", async () => {
    const { parley, sent } = given()
    const absent: { readonly q?: string } = { q: undefined } as object
    await parley.contacts.list(absent)
    assert.strictEqual(sent[0]?.url, "/api/v1/contacts")
  })

  it("are the JSON body of a change, and the version is an entity tag", async () => {
    const { parley, sent } = given()
    await parley.contacts.update({ id, ifMatch: 3, name: null, locale: "de" })
    const [{ body, headers, method } = { body: "", headers: new Headers(), method: "" }] = sent
    assert.deepStrictEqual(JSON.parse(body), { name: null, locale: "de" })
    assert.deepStrictEqual([method, headers.get("if-match")], ["PATCH", '"3"'])
    assert.strictEqual(headers.get("content-type"), "application/json")
  })

  it("are the query of a DELETE", async () => {
    const { parley, sent } = given()
    await parley.contacts.delete({ id: "c1", erase: true, ifMatch: 2 })
    assert.deepStrictEqual([sent[0]?.url, sent[0]?.body], ["/api/v1/contacts/c1?erase=true", ""])
    assert.strictEqual(sent[0]?.headers.get("if-match"), '"2"')
  })

  it("are an empty object where a body is required, and no body elsewhere", async () => {
    const { parley, sent } = given()
    await parley.account.update({})
    await parley.conversations.resolve({ id: "v1" })
    await parley.messages.retry({ id: "v1", messageId: "m1" })
    await parley.messages.retry({ id: "v1", messageId: "m1", allowDuplicate: true })
    assert.deepStrictEqual(
      sent.map(({ body, headers }) => [body, headers.get("content-type")]),
      [
        ["{}", "application/json"],
        ["", null],
        ["", null],
        ['{"allowDuplicate":true}', "application/json"]
      ]
    )
  })

  it("are a file, its type and the query of an upload", async () => {
    const { parley, sent } = given()
    await parley.contactTransfer.import({ body: "name\nAda\n", dryRun: true })
    await parley.contactTransfer.import({ body: new Blob(['{"name":"Ada"}\n']), contentType: "application/x-ndjson" })
    await parley.media.upload({
      body: new TextEncoder().encode("%PDF"),
      contentType: "application/pdf",
      filename: "a b.pdf"
    })
    assert.deepStrictEqual(
      sent.map(({ body, headers, url }) => [url, headers.get("content-type"), body]),
      [
        ["/api/v1/contacts/imports?dryRun=true", "text/csv", "name\nAda\n"],
        ["/api/v1/contacts/imports", "application/x-ndjson", '{"name":"Ada"}\n'],
        ["/api/v1/media?filename=a+b.pdf", "application/pdf", "%PDF"]
      ]
    )
  })

  it("can be a query and several headers next to a body", () => {
    const endpoint = readEndpoint("POST /api/v1/things/{id} headers=if-match,last-event-id query=dryRun,tag bodyless")
    const input = { id: "1", dryRun: true, tag: ["a", "b"], ifMatch: 2, lastEventId: "e1" }
    assert.deepStrictEqual(placeFields(endpoint, { ...input, name: "Ada" }), {
      path: "/api/v1/things/1?dryRun=true&tag=a&tag=b",
      headers: { "if-match": '"2"', "last-event-id": "e1", "content-type": "application/json" },
      body: '{"name":"Ada"}'
    })
    assert.deepStrictEqual(placeFields(endpoint, { id: "1" }), {
      path: "/api/v1/things/1",
      headers: {},
      body: undefined
    })
  })

  it.each(["", ".", "..", undefined])("cannot lead to another path with the id %j", async (wrong) => {
    const { parley, sent } = given()
    const call = parley.contacts.delete({ id: wrong as string })
    await call.then(
      () => assert.fail("The call was sent."),
      (error: unknown) => assert.instanceOf(error, TypeError)
    )
    assert.isEmpty(sent)
  })
})

describe("a request", () => {
  it("has the token, the organization and a key where the endpoint takes them", async () => {
    const { parley, sent } = given()
    await parley.contacts.create({ name: "Ada" })
    await parley.account.logout()
    await parley.sessions.login({ email: "a@b.example", password: "secret" })
    await parley.operations.health()
    await parley.contacts.get({ id: "c1" })
    const has = (name: string) => sent.map(({ headers }) => headers.has(name))
    assert.deepStrictEqual(has("authorization"), [true, true, false, false, true])
    assert.deepStrictEqual(has("x-organization-id"), [true, false, false, false, true])
    assert.deepStrictEqual(has("idempotency-key"), [true, true, true, false, false])
    assert.strictEqual(sent[0]?.headers.get("authorization"), "Bearer secret")
  })

  it("has a new key for each call, or the key of the call", async () => {
    const { parley, sent } = given()
    await parley.tags.create({ name: "VIP" })
    await parley.tags.create({ name: "VIP" })
    await parley.tags.create({ name: "VIP" }, { idempotencyKey: "mine" })
    const keys = sent.map(({ headers }) => headers.get("idempotency-key"))
    assert.strictEqual(new Set(keys).size, 3)
    assert.match(keys[0] ?? "", /^[0-9a-f]{32}$/u)
    assert.strictEqual(keys[2], "mine")
  })

  it("acts in the organization of the call, of its client, or of none", async () => {
    const { parley, sent } = given()
    const other = parley.inOrganization("o2")
    await other.tags.list()
    await other.throwing().tags.list()
    await parley.throwing().inOrganization("o3").tags.list()
    await other.tags.list({}, { organizationId: "o4" })
    await parley.tags.list()
    await given().parley.tags.list()
    assert.deepStrictEqual(
      sent.map(({ headers }) => headers.get("x-organization-id")),
      ["o2", "o2", "o3", "o4", "o1"]
    )
  })

  it("goes to the address of the service, with or without a slash or a path", async () => {
    for (const [address, expected] of [
      ["https://parley.test/", "/api/v1/tags"],
      [new URL("https://parley.test"), "/api/v1/tags"],
      ["https://parley.test/behind/", "/behind/api/v1/tags"]
    ] as const) {
      const { parley, sent } = given({ baseUrl: address })
      await parley.tags.list()
      assert.strictEqual(sent[0]?.url, expected)
    }
  })

  it("has the headers of the client and of the call, the latter first", async () => {
    const { parley, sent } = given({ headers: { "X-App": "one", "X-Trace": "t" } })
    await parley.tags.list({}, { headers: { "x-app": "two", Accept: "application/json" } })
    const [{ headers } = { headers: new Headers() }] = sent
    assert.deepStrictEqual(
      ["x-app", "x-trace", "accept"].map((name) => headers.get(name)),
      ["two", "t", "application/json"]
    )
  })
})
