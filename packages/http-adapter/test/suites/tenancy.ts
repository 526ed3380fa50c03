import { assert } from "@effect/vitest"
import { CurrentActor, CurrentOrganization, type Permission, type Ports, record, transact } from "@parley/domain"
import { Effect, type Layer } from "effect"
import { withoutRequest } from "../harness/answers.ts"
import { type Endpoint, endpoints, type Field, reachable, requestFields } from "../harness/contract.ts"
import { type Answer, call } from "../harness/Http.ts"
import { lists } from "../harness/lists.ts"
import { validRequest, type ValidRequest } from "../harness/requests.ts"
import { overHttp } from "../harness/service.ts"
import {
  freshId,
  givenAutomation,
  givenAutomationToken,
  givenPerson,
  givenTenant,
  type Tenant
} from "../harness/tenants.ts"

/** A field that names something which belongs to a tenant, or may do so. */
interface Place {
  readonly endpoint: Endpoint
  readonly field: Field
  readonly id: string
}

const isUuid = ({ node }: Field) =>
  Array.from(reachable(node)).some((inner) => "format" in inner && inner.format === "uuid")

const isReference = (field: Field) => isUuid(field) || /(?:^id|Ids?|^cursor|^after)$/.test(field.name)

const places: ReadonlyArray<Place> = endpoints.flatMap((endpoint) =>
  requestFields(endpoint)
    .filter(isReference)
    .map((field) => ({ endpoint, field, id: `${endpoint.id} ${field.slot} ${field.name}` }))
)

type Maker = (tenant: Tenant) => Effect.Effect<string, never, Ports>

const inTheTrail = Effect.fnUntraced(function* ({ organization, owner }: Tenant) {
  const id = yield* freshId
  const { sessionId, user } = owner
  yield* transact(record("automation.updated", { kind: "automation", id })).pipe(
    Effect.provideService(CurrentActor, {
      kind: "user",
      userId: user.id,
      sessionId,
      role: "owner",
      permissions: new Set<Permission>()
    }),
    Effect.provideService(CurrentOrganization, { id: organization.id })
  )
  return { actorId: user.id, targetId: id }
})

/** Makes what a field can name, by the area and the name of the field. */
const makers: Readonly<Record<string, Maker>> = {
  "tokens id": (tenant) => Effect.map(givenAutomationToken(tenant), ({ automationToken }) => automationToken.id),
  "members id": ({ organization }) => Effect.map(givenPerson(organization), ({ member }) => member.id),
  "automations id": ({ organization }) => Effect.map(givenAutomation(organization), ({ id }) => id),
  "sessions organizationId": ({ organization }) => Effect.succeed(organization.id),
  "audit actorId": (tenant) => Effect.map(inTheTrail(tenant), ({ actorId }) => actorId),
  "audit targetId": (tenant) => Effect.map(inTheTrail(tenant), ({ targetId }) => targetId)
}

const makerOf = ({ endpoint, field }: Place) => makers[`${endpoint.id.split(".")[0]} ${field.name}`]

const isCursor = ({ field }: Place) => field.name === "cursor" || field.name === "after"

const withValue = (request: ValidRequest, { endpoint, field }: Place, value: string): ValidRequest => {
  if (field.slot === "path") return { ...request, path: endpoint.path.replace(`:${field.name}`, value) }
  if (field.slot === "query") return { ...request, path: `${endpoint.path}?${field.name}=${encodeURIComponent(value)}` }
  if (field.slot === "headers") return { ...request, headers: { ...request.headers, [field.name]: value } }
  const body = typeof request.body === "object" ? request.body : {}
  return { ...request, body: { ...body, [field.name]: value } }
}

const send = ({ method }: Endpoint, { path, ...what }: ValidRequest) => call(method, path, what)

/** Everything that can be seen of a tenant by its owner. */
const sight = Effect.fnUntraced(function* ({ organization, owner }: Tenant) {
  const what = { token: owner.token, organization: organization.id }
  const answers: Array<Answer> = []
  for (const { endpoint } of lists) answers.push(yield* call("GET", `${endpoint.path}?limit=100`, what))
  answers.push(yield* call("GET", "/api/v1/organization", what), yield* call("GET", "/api/v1/auth/me", what))
  return answers.map(({ text }) => text)
})

const byId = <A extends { readonly id: string }>(one: A, other: A) => one.id.localeCompare(other.id)

/** No sequence of calls reads or changes what belongs to another tenant, or learns that it is there. */
export const tenancySuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it("everything in the contract that names something can be made in another tenant", () => {
      assert.isNotEmpty(places)
      assert.isEmpty(places.filter((place) => !isCursor(place) && makerOf(place) === undefined).map(({ id }) => id))
      const listed = new Set(lists.map(({ endpoint }) => endpoint.id))
      assert.isEmpty(places.filter((place) => isCursor(place) && !listed.has(place.endpoint.id)).map(({ id }) => id))
      const inPaths = endpoints.flatMap(({ id, path }) =>
        Array.from(path.matchAll(/:(\w+)/g), ([, name]) => `${id} path ${name}`)
      )
      assert.deepStrictEqual(
        places
          .filter(({ field }) => field.slot === "path")
          .toSorted(byId)
          .map(({ id }) => id),
        inPaths.toSorted()
      )
    })

    it.effect.each(places.filter((place) => !isCursor(place)))(
      "$id of another tenant is answered like one that nothing has",
      (place) =>
        Effect.gen(function* () {
          const ours = yield* givenTenant()
          const theirs = yield* givenTenant()
          const foreign = yield* makerOf(place)?.(theirs) ?? Effect.die(new Error(`Nothing makes ${place.id}.`))
          const before = yield* sight(theirs)
          const request = yield* validRequest(place.endpoint, { tenant: ours, person: ours.owner })
          const reached = yield* send(place.endpoint, withValue(request, place, foreign))
          const missing = yield* send(place.endpoint, withValue(request, place, yield* freshId))
          assert.deepStrictEqual(withoutRequest(reached), withoutRequest(missing))
          assert.notInclude(reached.text, foreign)
          if (place.field.slot === "path")
            assert.deepStrictEqual([reached.status, reached.body.code], [404, "not_found"])
          assert.deepStrictEqual(yield* sight(theirs), before)

          const own = yield* makerOf(place)?.(ours) ?? Effect.die(new Error(`Nothing makes ${place.id}.`))
          const found = yield* send(place.endpoint, withValue(request, place, own))
          assert.notDeepEqual(withoutRequest(found), withoutRequest(missing), "An id of one's own is not found either.")
        })
    )

    it.effect.each(places.filter(isCursor))(
      "$id of another tenant is answered like one that was never given out",
      (place) =>
        Effect.gen(function* () {
          const ours = yield* givenTenant()
          const theirs = yield* givenTenant()
          const list = lists.find(({ endpoint }) => endpoint.id === place.endpoint.id)
          if (list === undefined) return assert.fail(`Nothing fills ${place.id}.`)
          for (const tenant of [ours, theirs]) {
            yield* list.add(tenant)
            yield* list.add(tenant)
          }
          const firstPage = ({ organization, owner }: Tenant) =>
            call("GET", `${list.endpoint.path}?limit=1`, { token: owner.token, organization: organization.id })
          const foreign = String((yield* firstPage(theirs)).body.nextCursor)
          const request = yield* validRequest(place.endpoint, { tenant: ours, person: ours.owner })
          const reached = yield* send(place.endpoint, withValue(request, place, foreign))
          const missing = yield* send(place.endpoint, withValue(request, place, "A".repeat(foreign.length)))
          assert.deepStrictEqual(withoutRequest(reached), withoutRequest(missing))
          assert.deepStrictEqual([reached.status, reached.body.code], [400, "cursor_invalid"])
        })
    )

    it.effect.each(
      endpoints.filter(({ admission }) => admission === "organization" || admission === "only organization")
    )("$id in another tenant is answered like in one that does not exist", (endpoint) =>
      Effect.gen(function* () {
        const ours = yield* givenTenant()
        const theirs = yield* givenTenant()
        const request = yield* validRequest(endpoint, { tenant: theirs, person: ours.owner })
        const before = yield* sight(theirs)
        const reached = yield* send(endpoint, { ...request, organization: theirs.organization.id })
        const missing = yield* send(endpoint, { ...request, organization: yield* freshId })
        assert.deepStrictEqual(withoutRequest(reached), withoutRequest(missing))
        assert.deepStrictEqual([reached.status, reached.body.code], [403, "organization_forbidden"])
        assert.deepStrictEqual(yield* sight(theirs), before)
      })
    )

    it.effect("what one tenant does is in no list of another", () =>
      Effect.gen(function* () {
        const ours = yield* givenTenant()
        const theirs = yield* givenTenant()
        const before = yield* sight(ours)
        for (const endpoint of endpoints.filter(({ method }) => method !== "GET")) {
          const person = yield* givenPerson(theirs.organization, "owner")
          yield* send(endpoint, yield* validRequest(endpoint, { tenant: theirs, person }))
        }
        assert.deepStrictEqual(yield* sight(ours), before)
      })
    )
  })
