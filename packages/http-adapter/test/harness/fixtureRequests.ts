import { Members, permissionsOfRole } from "@parley/domain/platform"
import { everybodysPassword } from "@parley/testkit"
import { fixtures, type World } from "@parley/testkit/fixtures"
import { Effect, Schema } from "effect"
import { type Endpoint, readsJson, requestFields, type Slot } from "./contract.ts"
import { declarationOf } from "./declarations.ts"
import { noteSecret } from "./Evidence.ts"
import type { Caller, Ingredients, Recipe } from "./Recipe.ts"
import { inside, type Person } from "./tenants.ts"

type Fields = Readonly<Record<string, unknown>>

const actorOf = ({ sessionId, user }: Person): World["ownerActor"] => ({
  kind: "user",
  userId: user.id,
  sessionId,
  role: "owner",
  permissions: permissionsOfRole("owner")
})

/** The organization of the request. The caller prepares the data if it is an owner there. */
const worldOf = Effect.fnUntraced(function* ({ person, tenant: { organization, owner: first } }: Caller) {
  const members = yield* Members
  const member = yield* members.findByUser(person.user.id).pipe(inside(organization))
  const owner = member?.role === "owner" ? person : first
  return {
    organization,
    owner: { user: owner.user, member: owner.member, password: everybodysPassword },
    ownerActor: actorOf(owner),
    caller: actorOf(person)
  } satisfies World
})

/** Fields of the input that the endpoint has in this part of its request. */
const fieldsIn = (endpoint: Endpoint, part: Slot, input: Fields): Fields => {
  const names = new Set(requestFields(endpoint).flatMap(({ name, slot }) => (slot === part ? [name] : [])))
  return Object.fromEntries(Object.entries(input).filter(([name]) => names.has(name)))
}

/** Reflection does not know that no schema of the contract needs a service. */
const encode = (endpoint: Endpoint, schema: Schema.Top, fields: Fields) =>
  Schema.encodeUnknownEffect(schema as Schema.Codec<unknown, unknown>)(fields).pipe(
    Effect.mapError(
      (error) =>
        new Error(
          `The fixture of ${declarationOf(endpoint)?.name} does not fit ${endpoint.id}. Change the fixture, or add the endpoint to harness/ownRequests.ts. ${error.message}`
        )
    ),
    Effect.orDie
  )

/** A query has no `null`: an absent field means the same. */
const queryOf = Effect.fnUntraced(function* (endpoint: Endpoint, input: Fields) {
  const { query } = endpoint.contract
  if (query === undefined) return ""
  const fields = Object.entries(fieldsIn(endpoint, "query", input)).filter(([, value]) => value !== null)
  const encoded = Object(yield* encode(endpoint, query, Object.fromEntries(fields))) as Fields
  const pairs = Object.entries(encoded).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((each) => (each === undefined ? [] : [[name, String(each)]]))
  )
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`
})

const bodyOf = (endpoint: Endpoint, input: Fields): Effect.Effect<unknown> => {
  if (!readsJson(endpoint)) return Effect.void
  const schemas = endpoint.contract.payload.get("application/json")?.schemas ?? []
  return encode(endpoint, Schema.toCodecJson(Schema.Union(schemas)), fieldsIn(endpoint, "body", input))
}

/** The request with this input of the use case: path parameters by name, `ifVersion` as `If-Match`, the rest as query and body. */
export const requestOf = Effect.fnUntraced(function* (endpoint: Endpoint, input: Fields) {
  const names = Array.from(endpoint.path.matchAll(/:(\w+)/g), ([, name = ""]) => name)
  const others = Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)))
  const version = others["ifVersion"]
  return {
    params: Object.fromEntries(names.map((name) => [name, String(input[name])])),
    query: yield* queryOf(endpoint, others),
    body: yield* bodyOf(endpoint, others),
    ...(typeof version === "number" && { headers: { "if-match": `"${version}"` } })
  } satisfies Ingredients
})

/** The request with the input of the fixture. `null`: the use case of the endpoint has no fixture. */
export const fixtureRecipe = (endpoint: Endpoint): Recipe | null => {
  const fixture = fixtures.get(declarationOf(endpoint)?.name ?? "")
  if (fixture === undefined) return null
  return (caller) =>
    Effect.gen(function* () {
      const { input, secrets } = yield* fixture.prepare(yield* worldOf(caller))
      for (const secret of secrets) noteSecret(secret)
      return yield* requestOf(endpoint, Object(input ?? {}) as Fields)
    })
}
