import { assert, describe, it } from "@effect/vitest"
import { createParley } from "@parley/client"
import { Effect } from "effect"
import { FetchHttpClient } from "effect/http"
import { Api } from "../../src/api/Api.ts"
import { isRef, type Operation, type Parameter, reflectApi, type Reflected } from "../../src/api/describe.ts"
import { openApi } from "../../src/server/openapi/openApi.ts"
import { ParleyClient } from "../../src/client/index.ts"
import { makePromiseClient } from "../../src/client/PromiseClient.ts"

const settings = {
  baseUrl: "http://parley.test",
  token: "a-token",
  organizationId: "01934a10-5e00-7c11-8f3d-6a7b8c9d0e1f"
}

const id = "01934f6e-8c2b-7d10-9f3a-5b1c2d3e4f50"

/** Values that fit the contract, for parameters whose schema allows more. */
const values: Readonly<Record<string, unknown>> = {
  codeChallenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
  country: "DE",
  currency: "EUR",
  cursor: "a cursor",
  expand: "tags",
  filter: {
    all: [
      { field: "email", op: "is_set" },
      { field: "name", op: "contains", value: "Æ & b" }
    ]
  },
  from: "2026-11-01",
  height: 480,
  kind: "contacts.import",
  map: ["Name:name"],
  shop: "acme.myshopify.com",
  to: "2026-11-30",
  type: "contact.created",
  width: 960
}

/** Values of endpoints where a parameter of that name has another meaning. */
const ownValues: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "contacts.upsertByPhone": { phone: "+491701234567" },
  "conversations.get": { expand: "assignee,contact" },
  "conversations.list": { expand: "contact" },
  "messages.get": { expand: "cost" },
  "messages.list": { expand: "cost" },
  "events.list": { type: ["contact.created", "message.*"] },
  "messageTemplates.library": { language: "en-US" },
  "messageTemplates.list": { name: "order_shipped" },
  "operatorRateCards.delete": { validFrom: "2026-10-01" },
  "operatorRateCards.get": { validFrom: "2026-10-01" },
  "plugins.listCalls": { action: "add_points" },
  "webhookSubscriptions.list": { event: "contact.created" }
}

/** Values that the Effect client takes in another form than the request has. */
const parsed: Readonly<Record<string, (text: unknown) => unknown>> = {
  expand: (text) => String(text).split(","),
  map: () => [{ column: "Name", target: "name" }]
}

const byFormat: Readonly<Record<string, string>> = { uuid: id, "date-time": "2026-11-20T09:30:00.000Z" }

interface Shape {
  readonly anyOf?: ReadonlyArray<Shape>
  readonly enum?: ReadonlyArray<unknown>
  readonly format?: string
  readonly items?: Shape
  readonly patternProperties?: object
  readonly type?: string
}

const sampleOf = ({ anyOf, enum: choices, format = "", items, type }: Shape): unknown => {
  if (choices !== undefined) return choices.at(-1)
  if (anyOf?.[0] !== undefined) return sampleOf(anyOf[0])
  if (type === "array") return [sampleOf(items ?? {})]
  if (type === "boolean") return true
  return type === "integer" ? 7 : (byFormat[format] ?? "a text & more")
}

interface Documented {
  readonly name: string
  readonly operation: Operation
  readonly reflected: Reflected
}

const document = openApi(settings.baseUrl)

const documented: ReadonlyArray<Documented> = reflectApi(Api).flatMap((reflected) => {
  const operation = document.paths[reflected.path]?.[reflected.method]
  return operation === undefined
    ? []
    : [{ name: `${reflected.group}.${reflected.endpoint.identifier}`, operation, reflected }]
})

const valueOf = (
  name: string,
  { example, name: documented, schema, "x-client-name": parameter = documented }: Parameter
): readonly [string, unknown] => {
  const shape: Shape = schema
  if (shape.patternProperties !== undefined) return [`${parameter}.city`, "Paris & Sceaux"]
  const known = shape.format === "date-time" ? undefined : values[parameter]
  return [parameter, ownValues[name]?.[parameter] ?? known ?? example ?? sampleOf(shape)]
}

const parametersIn = ({ name, operation }: Documented, place: string) =>
  Object.fromEntries(
    operation.parameters.flatMap((parameter) =>
      isRef(parameter) || parameter.in !== place ? [] : [valueOf(name, parameter)]
    )
  )

const isFile = (schema: object) => Reflect.get(schema, "_tag") === "StreamUint8Array"

/** A call with a value for everything that the endpoint takes. */
const callOf = (call: Documented) => {
  const { endpoint } = call.reflected
  const [media] = Object.values(call.operation.requestBody?.content ?? {})
  const isUpload = Array.from(endpoint.payload.values()).some(({ schemas }) => schemas.some(isFile))
  const { "If-Match": version, "Last-Event-ID": lastEventId } = parametersIn(call, "header")
  return {
    params: parametersIn(call, "path"),
    query: parametersIn(call, "query"),
    version: version === undefined ? undefined : 3,
    lastEventId,
    contentType: call.name === "media.upload" ? "application/pdf" : undefined,
    file: isUpload ? new TextEncoder().encode("bytes") : undefined,
    body: isUpload ? undefined : media?.example
  }
}

type Call = ReturnType<typeof callOf>

const defined = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Records requests. Its answers cause no repetition. */
const recorder = () => {
  const sent: Array<Sent> = []
  const record: typeof fetch = async (url, init) => {
    const request = new Request(url, init)
    const headers = Object.fromEntries(request.headers)
    sent.push({ method: request.method, url: request.url, headers, body: await request.text() })
    return new Response(null, { status: 418 })
  }
  return { record, sent }
}

type Methods = Readonly<Record<string, Readonly<Record<string, (...args: ReadonlyArray<unknown>) => Promise<unknown>>>>>

const key = { idempotencyKey: "a-key" }

const sentByLight = async ({ reflected: { endpoint, group } }: Documented, call: Call) => {
  const { body, contentType, file, lastEventId, params, query, version } = call
  const { record, sent } = recorder()
  const methods = createParley({ ...settings, fetch: record }) as unknown as Methods
  const own = defined({ ifMatch: version, lastEventId, contentType, body: file })
  await methods[group]?.[endpoint.identifier]?.({ ...params, ...query, ...own, ...Object(body) }, key)
  return sent
}

const sentByEffect = async ({ reflected: { endpoint, group } }: Documented, call: Call) => {
  const { body, contentType, file, lastEventId, params, query, version } = call
  const { record, sent } = recorder()
  const client = await Effect.runPromise(
    ParleyClient.make(settings).pipe(
      Effect.provide(FetchHttpClient.layer),
      Effect.provideService(FetchHttpClient.Fetch, record)
    )
  )
  const methods = makePromiseClient(client) as unknown as Methods
  const headers = defined({ "if-match": version, "last-event-id": lastEventId, "content-type": contentType })
  const payload = defined({ payload: file ?? body })
  const read = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, parsed[name]?.(value) ?? value]))
  const calling = methods[group]?.[endpoint.identifier]?.({ params, query: read, headers, ...payload }, key)
  const failure: unknown = await calling?.catch((error: unknown) => error)
  assert.lengthOf(sent, 1, `Add a valid value to \`ownValues\` in client/requests.test.ts. ${String(failure)}`)
  return sent
}

describe("a method of the light client", () => {
  it("exists for each documented endpoint, and for no other", () => {
    const methods = createParley(settings) as unknown as Methods
    const own = new Set(["throwing", "inOrganization"])
    const names = Object.entries(methods)
      .filter(([area]) => !own.has(area))
      .flatMap(([area, all]) => Object.keys(all).map((name) => `${area}.${name}`))
    assert.sameMembers(names, [...documented.map(({ name }) => name), "events.follow"])
  })

  it.each(documented)("sends the request that the Effect client sends: $name", async (each) => {
    const call = callOf(each)
    assert.deepStrictEqual(await sentByLight(each, call), await sentByEffect(each, call))
  })
})
