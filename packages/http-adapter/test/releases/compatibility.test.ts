import { Config, Effect } from "effect"
import { describe, expect, it } from "vitest"
import { openApi } from "../../src/server/openapi/openApi.ts"
import { breakingChanges } from "./breakingChanges.ts"
import { contractOf, record, recorded } from "./recorded.ts"
import type { Json } from "./schemaBreaks.ts"

const isRecording = Effect.runSync(Config.withDefault(Config.Boolean("PARLEY_RECORD_RELEASE"), false))

const current = contractOf(openApi("https://parley.example"))

if (isRecording) record(current)

const release = recorded()

type Place = ReadonlyArray<string | number>

interface Edit {
  readonly place: Place
  readonly value?: unknown
}

const remove = (...place: Place): Edit => ({ place })
const set = (place: Place, value: unknown): Edit => ({ place, value })

const inside = (value: unknown, name: string | number): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

const at = (document: unknown, place: Place): unknown => place.reduce(inside, document)

/** The recorded contract with a change. A value in a list is removed or added at its index. */
const changed = ({ place, value }: Edit): Json => {
  const copy = structuredClone(release)
  const holder = at(copy, place.slice(0, -1))
  const name = place.at(-1) ?? ""
  if (typeof holder !== "object" || holder === null) throw new Error(`The contract has no ${place.join("/")}.`)
  if (Array.isArray(holder))
    holder.splice(Number(name), value === undefined ? 1 : 0, ...(value === undefined ? [] : [value]))
  else if (value === undefined) Reflect.deleteProperty(holder, name)
  else Reflect.set(holder, name, value)
  expect(copy).not.toEqual(release)
  return copy
}

const contacts = ["paths", "/api/v1/contacts"]
const schemas = ["components", "schemas"]
const version = [...schemas, "Contact", "properties", "version"]
const role = [...schemas, "NewMember", "properties", "role", "enum"]
const tagName = [...schemas, "NewTag", "properties", "name", "maxLength"]
const answers = [...contacts, "post", "responses"]

/** Changes that break a client, and the report about each. */
const breaks: ReadonlyArray<readonly [string, Edit, RegExp]> = [
  ["a removed path", remove(...contacts), /^GET \/api\/v1\/contacts: the operation is removed$/],
  ["a removed operation", remove(...contacts, "post"), /^POST \/api\/v1\/contacts: the operation is removed$/],
  [
    "a removed field of an answer",
    remove(...schemas, "Contact", "properties", "phone"),
    /^POST \/api\/v1\/contacts: answer 201\.phone: the field is removed$/
  ],
  [
    "a field of an answer that can be absent",
    remove(...schemas, "Contact", "required", 0),
    /^POST \/api\/v1\/contacts: answer 201\.\w+: the field can be absent$/
  ],
  [
    "a removed value of an enum",
    remove(...role, 0),
    /^POST \/api\/v1\/members: body\.role: the value "\w+" is removed$/
  ],
  [
    "a new required field of a request",
    set([...schemas, "NewContact"], { ...Object(at(release, [...schemas, "NewContact"])), required: ["nick"] }),
    /^POST \/api\/v1\/contacts: body.*\.nick: the new field is required$/
  ],
  [
    "an optional field of a request that becomes required",
    set([...schemas, "NewContact", "required"], ["locale"]),
    /^POST \/api\/v1\/contacts: body.*\.locale: the field is required$/
  ],
  [
    "a new required parameter",
    set([...contacts, "get", "parameters", 0], { name: "view", in: "query", required: true, schema: {} }),
    /^GET \/api\/v1\/contacts: query view: the new parameter is required$/
  ],
  [
    "a removed parameter",
    remove(...contacts, "get", "parameters", 0),
    /^GET \/api\/v1\/contacts: \w+ [\w-]+: the parameter is removed$/
  ],
  ["a changed type", set(version, { type: "string" }), /\.version: the type is string instead of integer$/],
  [
    "an answer that can be null",
    set(version, { anyOf: [at(release, version), { type: "null" }] }),
    /\.version: the value can be null$/
  ],
  ["a tighter limit", set(tagName, 3), /^POST \/api\/v1\/tags: body\.name: maxLength is 3 instead of \d+$/],
  [
    "a removed status of success",
    remove(...answers, "201"),
    /^POST \/api\/v1\/contacts: answer 201: the status is removed$/
  ],
  [
    "a new requirement of a token",
    set(["paths", "/healthz", "get", "security"], [{ bearer: [] }]),
    /^GET \/healthz: access: a token is required$/
  ],
  [
    "another permission",
    set([...contacts, "get", "x-permission"], "contacts.manage"),
    /^GET \/api\/v1\/contacts: access: x-permission is contacts\.manage instead of contacts\.read$/
  ],
  [
    "a removed field of a webhook",
    remove(...schemas, "WebhookEnvelope", "properties", "position"),
    /^POST contact\.created: body\.position: the field is removed$/
  ],
  [
    "a removed field of an error",
    remove(...schemas, "ContactExistsProblem", "properties", "contactId"),
    /^ContactExistsProblem\.contactId: the field is removed$/
  ]
]

/** Changes that keep clients working. */
const additions: ReadonlyArray<readonly [string, Edit]> = [
  ["a new path", set(["paths", "/api/v1/new"], { get: { responses: {} } })],
  ["a new field of an answer", set([...schemas, "Contact", "properties", "nick"], { type: "string" })],
  ["a new optional field of a request", set([...schemas, "NewContact", "properties", "nick"], {})],
  ["a new value in a request", set([...role, 0], "guest")],
  ["a wider limit", set(tagName, 10_000)],
  ["a new optional parameter", set([...contacts, "get", "parameters", 0], { name: "view", in: "query", schema: {} })],
  [
    "another title of an error",
    set([...schemas, "ContactExistsProblem", "properties", "title", "enum"], ["The identity is in use"])
  ],
  ["a removed need of a permission", remove(...contacts, "get", "x-permission")]
]

describe("the contract", () => {
  it("is compatible with the recorded one; PARLEY_RECORD_RELEASE=true records a new one", () => {
    expect(breakingChanges(release, current)).toEqual([])
  })

  it.each(breaks)("reports %s", (_, edit, expected) => {
    expect(breakingChanges(release, changed(edit))).toContainEqual(expect.stringMatching(expected))
  })

  it.each(additions)("accepts %s", (_, edit) => {
    expect(breakingChanges(release, changed(edit))).toEqual([])
  })
})
