import { Arbitrary, Effect, Predicate, Random } from "effect"
import { type Endpoint, readsJson, requestFields, type Slot } from "./contract.ts"
import { pathWith, type ValidRequest } from "./requests.ts"
import { uncheckedJson } from "./uncheckedJson.ts"
import { withQuery } from "./withQuery.ts"

/** A changed request, and the names of the changes for the message of a failure. */
export interface FuzzedRequest {
  readonly request: ValidRequest
  readonly changes: ReadonlyArray<string>
}

/** Draws from one seed. It is separate from the random numbers of the service, because these vary with each change of the code. */
interface Draw {
  readonly below: (bound: number) => number
  readonly oneOf: <A>(items: readonly [A, ...ReadonlyArray<A>]) => A
  readonly oneOrNone: <A>(items: ReadonlyArray<A>) => A | undefined
}

const drawFrom = (seed: string): Effect.Effect<Draw> =>
  Effect.map(Random.Random.pipe(Random.withSeed(seed)), (random) => {
    const below = (bound: number) => Math.floor(random.nextDoubleUnsafe() * bound)
    return {
      below,
      oneOf: ([first, ...others]) => [first, ...others][below(others.length + 1)] ?? first,
      oneOrNone: (items) => items[below(items.length)]
    }
  })

/** What a mutation can use: the operation, and the valid request of another tenant. */
interface Material {
  readonly endpoint: Endpoint
  readonly foreign: ValidRequest
  /** A body with the right shape and unchecked values. */
  readonly drawnBody: unknown
}

type Mutation = (request: ValidRequest, draw: Draw, material: Material) => ValidRequest

const values = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  1e21,
  "",
  " ",
  "\u0000",
  "\ud800",
  "\u202eabc",
  "🥐".repeat(300),
  "x".repeat(70_000),
  "00000000-0000-0000-0000-000000000000",
  "2026-02-30T00:00:00Z",
  "+1",
  [],
  [null],
  Array.from({ length: 2_000 }, (_, index) => index),
  {},
  { kind: "odd" },
  { __proto__: null, constructor: 1 }
] as const satisfies ReadonlyArray<unknown>

const texts = [
  "x",
  "\u0000",
  "-1",
  "1e308",
  "null",
  "🥐",
  "a/b",
  "a\r\nb",
  "\\",
  "' OR 1=1 --",
  "y".repeat(3_000),
  "9999-12-31T23:59:59.999999999Z",
  "00000000-0000-0000-0000-000000000000"
] as const

const namesOf = (endpoint: Endpoint, slot: Slot) =>
  requestFields(endpoint).flatMap((field) => (field.slot === slot ? [field.name] : []))

type Path = ReadonlyArray<string>

/** The place of each value inside a JSON value. */
const placesIn = (value: unknown, path: Path = []): ReadonlyArray<Path> =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => [[...path, name], ...placesIn(inner, [...path, name])])
    : []

/** The JSON value with another value at the place; `undefined` removes the place. */
const withPlace = (value: unknown, [name, ...rest]: Path, change: (old: unknown) => unknown): unknown => {
  if (name === undefined) return change(value)
  const entries = Object.entries(value ?? {}).map(
    ([key, inner]) => [key, key === name ? withPlace(inner, rest, change) : inner] as const
  )
  return Array.isArray(value)
    ? entries.flatMap(([, inner]) => (inner === undefined ? [] : [inner]))
    : Object.fromEntries(entries)
}

const changePlace =
  (change: (draw: Draw, old: unknown) => unknown): Mutation =>
  (request, draw) => {
    const place = draw.oneOrNone(placesIn(request.body))
    return place === undefined
      ? request
      : { ...request, body: withPlace(request.body, place, (old) => change(draw, old)) }
  }

const fieldsOf = (body: unknown): object => (Predicate.isObject(body) ? body : {})

const withHeader = (request: ValidRequest, name: string, value: string): ValidRequest => ({
  ...request,
  headers: { ...request.headers, [name]: value }
})

const textOf = (request: ValidRequest) => request.text ?? JSON.stringify(request.body ?? {})

const withoutBody = (request: ValidRequest): ValidRequest => {
  const { body: _, ...others } = request
  return others
}

/** Replaces the JSON body by a text, because JSON.stringify writes valid JSON only. */
const withText = (request: ValidRequest, text: string): ValidRequest => ({ ...withoutBody(request), text })

const ofBodies: Readonly<Record<string, Mutation>> = {
  "remove a field": changePlace(() => undefined),
  "replace a value": changePlace((draw) => draw.oneOf(values)),
  "repeat a value in a list": changePlace((_, old) => (Array.isArray(old) ? [...old, ...old] : [old, old])),
  "lengthen a text": changePlace((_, old) => (typeof old === "string" ? old.repeat(50) : old)),
  "add an unknown field": (request) => ({ ...request, body: { ...fieldsOf(request.body), surplus: { deep: [1] } } }),
  "set a known field": (request, draw, { endpoint }) => ({
    ...request,
    body: { ...fieldsOf(request.body), [draw.oneOrNone(namesOf(endpoint, "body")) ?? "name"]: draw.oneOf(values) }
  }),
  "replace the body": (request, draw) => ({ ...request, body: draw.oneOf(values) }),
  "draw a body from the schema": (request, _, { drawnBody }) => ({ ...request, body: drawnBody }),
  "use a body of another tenant": (request, _, { foreign }) => ({ ...request, body: foreign.body }),
  "duplicate a key": (request, draw) => {
    const name = draw.oneOrNone(Object.keys(fieldsOf(request.body))) ?? "name"
    return withText(
      request,
      textOf(request).replace("{", `{${JSON.stringify(name)}:${JSON.stringify(draw.oneOf(values))},`)
    )
  },
  "cut the text": (request, draw) => withText(request, textOf(request).slice(0, -1 - draw.below(10))),
  "nest deeply": (request) => withText(request, `${"[".repeat(5_000)}${"]".repeat(5_000)}`),
  "write a number out of range": (request, draw) =>
    withText(request, textOf(request).replaceAll(/\d+(?=[,}\]])/g, draw.oneOf(["1e400", "-0", "9".repeat(400)]))),
  "send too many bytes": (request) => withText(request, `{"name":"${"z".repeat(1_200_000)}"}`),
  "send no body": withoutBody
}

const contentTypes = [
  "text/plain",
  "application/xml",
  "application/json; charset=utf-16",
  "multipart/form-data",
  "/"
] as const

const ofAll: Readonly<Record<string, Mutation>> = {
  "use the path of another tenant": (request, _, { foreign }) => ({ ...request, path: foreign.path }),
  "add an unknown parameter": (request, draw) => ({
    ...request,
    path: withQuery(request.path, `surplus=${encodeURIComponent(draw.oneOf(texts))}`)
  }),
  "set a known parameter": (request, draw, { endpoint }) => {
    const name = draw.oneOrNone(namesOf(endpoint, "query")) ?? "limit"
    const written = [encodeURIComponent(draw.oneOf(texts)), "%ZZ", "%00", "", "1&limit=2"] as const
    return { ...request, path: withQuery(request.path, `${name}=${draw.oneOf(written)}`) }
  },
  "send a wrong version": (request, draw) =>
    withHeader(request, "if-match", draw.oneOf(['"99"', '"0"', "*", 'W/"1"', "-1", "x", '"99999999999999999999"'])),
  "send a wrong content type": (request, draw) => withHeader(request, "content-type", draw.oneOf(contentTypes)),
  "send a wrong organization": (request, draw, { foreign }) => ({
    ...request,
    organization: draw.oneOf([foreign.organization, "x", "", "00000000-0000-0000-0000-000000000000"])
  }),
  "send a wrong token": (request, draw) => ({ ...request, token: draw.oneOf(["x", "a.b.c", "y".repeat(5_000)]) }),
  "send an odd key": (request, draw) =>
    withHeader(request, "idempotency-key", draw.oneOf(["", "x", "k".repeat(300), "the-same-key-each-time"]))
}

const ofPaths: Readonly<Record<string, Mutation>> = {
  "replace an id in the path": (request, draw, { endpoint }) => {
    const name = draw.oneOrNone(Object.keys(request.params ?? {}))
    if (name === undefined) return request
    return { ...request, path: pathWith(endpoint, { ...request.params, [name]: draw.oneOf(texts) }) }
  }
}

const mutationsOf = (endpoint: Endpoint) =>
  Object.entries({
    ...ofAll,
    ...(endpoint.path.includes(":") && ofPaths),
    ...(readsJson(endpoint) && ofBodies)
  })

/** Changes a valid request in one to three ways. The same seed gives the same changes. */
export const fuzz = Effect.fnUntraced(function* (
  endpoint: Endpoint,
  request: ValidRequest,
  foreign: ValidRequest,
  seed: string
) {
  const draw = yield* drawFrom(seed)
  const [payload] = endpoint.contract.payload.get("application/json")?.schemas ?? []
  const [drawnBody] =
    payload === undefined
      ? []
      : yield* Arbitrary.sampleEffect(uncheckedJson(payload), { count: 1, seed }).pipe(Effect.orDie)
  const mutations = mutationsOf(endpoint)
  const changes: Array<string> = []
  let changed = request
  for (let more = 1 + draw.below(3); more > 0; more -= 1) {
    const [name, mutate] = draw.oneOrNone(mutations) ?? []
    if (name === undefined || mutate === undefined) continue
    changes.push(name)
    changed = mutate(changed, draw, { endpoint, foreign, drawnBody })
  }
  return { request: changed, changes } satisfies FuzzedRequest
})
