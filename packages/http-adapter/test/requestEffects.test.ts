import { assert } from "@effect/vitest"
import { AuditLog, EventLog } from "@parley/domain/platform"
import { eventPermissions } from "@parley/domain/composition"
import { TestKit } from "@parley/testkit"
import { Effect } from "effect"
import { type Endpoint, endpoints, isWebhook } from "./harness/contract.ts"
import { type Answer, call } from "./harness/Http.ts"
import { type OptionalField, optionalFields, valuesOf } from "./harness/requestVariants.ts"
import { validRequest, type ValidRequest } from "./harness/requests.ts"
import { overHttp } from "./harness/service.ts"
import { givenTenant, inside } from "./harness/tenants.ts"
import { withQuery } from "./harness/withQuery.ts"
import { samples, seeds, type Showing, showings, unseen } from "./harness/requestSamples.ts"

const samplesEach = 5

const everything = { actorId: null, targetKind: null, targetId: null, action: null, from: null, to: null }

/** Removes ids, phone numbers and secrets, because they differ between two organizations. */
const plain = (text: string) =>
  text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gu, "#id")
    .replaceAll(/whsec_[\w+/=-]+/gu, "#secret")
    .replaceAll(/[\w-]{24,}(?:\.[\w-]+)*/gu, "#secret")
    .replaceAll(/\d{6,}/gu, "#number")

/** The audit trail and the events of an organization. */
const trailOf = Effect.gen(function* () {
  const slice = { limit: 1_000, after: null }
  const audited = yield* (yield* AuditLog).list(everything, slice)
  const events = yield* (yield* EventLog).list(Object.keys(eventPermissions), slice)
  return JSON.stringify([audited, events.map(({ event }) => event)])
})

const changed = (body: unknown, [name = "", ...rest]: ReadonlyArray<string>, value: unknown): unknown => {
  const before: Readonly<Record<string, unknown>> = typeof body === "object" && body !== null ? { ...body } : {}
  return { ...before, [name]: rest.length === 0 ? value : changed(before[name], rest, value) }
}

const queryOf = (name: string, value: unknown) =>
  (Array.isArray(value) ? value : [value])
    .map(
      (each) =>
        `${encodeURIComponent(name)}=${encodeURIComponent(typeof each === "object" ? JSON.stringify(each) : String(each))}`
    )
    .join("&")

/** The request with another value of the field. */
const withValue = (request: ValidRequest, { path, slot }: OptionalField, value: unknown): ValidRequest =>
  slot === "body"
    ? { ...request, body: changed(request.body, path, value) }
    : {
        ...request,
        path: withQuery(
          request.path.replaceAll(new RegExp(`(?<=[?&])${path[0]}=[^&]*&?`, "gu"), ""),
          queryOf(path[0] ?? "", value)
        )
      }

/** The request with an empty object in place of the field. The object alone must not count as an effect. */
const withParent = (request: ValidRequest, { path, slot }: OptionalField): ValidRequest => {
  const parents = path.slice(0, -1)
  const present = parents.reduce<unknown>(
    (value, name) => (typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined),
    request.body
  )
  if (slot === "query" || parents.length === 0 || (present !== undefined && present !== null)) return request
  return { ...request, body: changed(request.body, parents, {}) }
}

interface Outcome {
  readonly answer: Answer
  readonly seen: string
}

const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]))

/** Sends the request in a separate organization. */
const outcomeOf = Effect.fnUntraced(function* (
  endpoint: Endpoint,
  { body, query, recipe }: Showing,
  change: (request: ValidRequest) => ValidRequest
) {
  const tenant = yield* givenTenant()
  const caller = { tenant, person: tenant.owner }
  for (const id of seeds[endpoint.id] ?? []) {
    const seed = byId.get(id)
    if (seed === undefined) return assert.fail(`There is no endpoint ${id}.`)
    const request = yield* validRequest(seed, caller)
    if (seed.method !== "GET") yield* call(seed.method, request.path, request)
  }
  const usual = yield* validRequest(endpoint, caller, recipe)
  const given = body === undefined ? usual : { ...usual, body: Object.assign({}, usual.body, body) }
  const request = change(query === undefined ? given : { ...given, path: withQuery(given.path, query) })
  const answer = yield* call(endpoint.method, request.path, request)
  const trail = yield* trailOf.pipe(inside(tenant.organization))
  const type = answer.headers.get("content-type")
  return { answer, seen: plain(`${answer.status} ${type} ${answer.text} ${trail}`) } satisfies Outcome
})

const nameOf = (endpoint: Endpoint, { path, slot }: OptionalField) =>
  `${endpoint.id} ${slot === "query" ? "?" : "/"}${path.join("/")}`

const isAccepted = ({ answer }: Outcome) => answer.status < 400

/** Whether a refusal points to this field. */
const names = ({ answer: { body } }: Outcome, { path }: OptionalField) => {
  const pointers = [
    body["pointer"],
    ...(Array.isArray(body["errors"]) ? body["errors"].map(({ pointer }) => pointer) : [])
  ]
  const at = `/${path.join("/")}`
  return body["code"] === "cursor_invalid" || pointers.some((pointer) => String(pointer).includes(at))
}

/** `null` and empty values are the defaults of many fields. */
const saysSomething = (value: unknown) =>
  value !== null && value !== "" && !(typeof value === "object" && Object.keys(value).length === 0)

/** Reason why a field counts as ignored; `null` if it changes the outcome, or if a pointer rejects it. */
const faultOf = Effect.fnUntraced(function* (endpoint: Endpoint, field: OptionalField, usual: Outcome) {
  const showing = showings[nameOf(endpoint, field)]
  const isNested = field.path.length > 1
  const withObject =
    showing === undefined && !isNested
      ? usual
      : yield* outcomeOf(endpoint, showing ?? {}, (request) => withParent(request, field))
  // Some objects are rejected without the field.
  const base = isAccepted(withObject) ? withObject : showing === undefined ? usual : withObject
  if (!isAccepted(base)) return `base refused: ${base.answer.text}`
  const own = showing?.values ?? samples[field.path.at(-1) ?? ""] ?? []
  const values = [...own, ...(yield* valuesOf(field, samplesEach)).filter(saysSomething)]
  if (values.length === 0) return "no value"
  let accepted = 0
  let refused = 0
  for (const value of values) {
    const outcome = yield* outcomeOf(endpoint, showing ?? {}, (request) => withValue(request, field, value))
    if (isAccepted(outcome)) {
      accepted += 1
      if (outcome.seen !== base.seen) return null
    } else if (names(outcome, field)) refused += 1
  }
  if (accepted > 0) return "accepted and ignored"
  return refused > 0 ? null : "refused for another reason"
})

const judged = endpoints.filter(
  // Rows of the installation are shared by all tests. The suite for operators has these fields.
  (endpoint) => !isWebhook(endpoint) && endpoint.admission !== "operator" && optionalFields(endpoint).length > 0
)

/**
 * Sends each optional field of each request in a separate organization, with values that its schema allows. The answer, the audit trail or the events
 * must differ from the same request without the field. If all values are rejected, the rejection must name the field.
 */
overHttp("an optional field of a request", TestKit.layer, (it) => {
  it.effect.each(judged)("changes what $id does, or is refused", (endpoint) =>
    Effect.gen(function* () {
      const base = yield* outcomeOf(endpoint, {}, (request) => request)
      assert.isTrue(isAccepted(base), base.answer.text)
      assert.strictEqual((yield* outcomeOf(endpoint, {}, (request) => request)).seen, base.seen)
      const found: Array<string> = []
      for (const field of optionalFields(endpoint)) {
        const fault = yield* faultOf(endpoint, field, base)
        if (fault !== null) found.push(`${nameOf(endpoint, field)}: ${fault}`)
      }
      const expected = Object.keys(unseen).filter((name) => name.startsWith(`${endpoint.id} `))
      assert.deepStrictEqual(
        found.filter((each) => !expected.some((name) => each.startsWith(`${name}:`))),
        [],
        "Add values to `showings`, or a reason to `unseen`, in harness/requestSamples.ts."
      )
      // A field with a visible effect does not belong in the list.
      assert.deepStrictEqual(
        expected.filter((name) => !found.some((each) => each.startsWith(`${name}:`))),
        []
      )
    })
  )
})
