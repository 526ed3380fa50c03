import {
  addMember,
  createOrganization,
  createUser,
  CurrentActor,
  CurrentOrganization,
  Ids,
  login,
  TokenSigner
} from "@parley/domain"
import { DateTime, Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { automationIdAt, seededIds, organizationIdAt } from "./seededIds.ts"
import type { Caller, Population } from "./Population.ts"

/** Amounts of seeded data. */
export interface Size {
  readonly organizations: number
  readonly sessionsEach: number
  readonly automations: number
}

const password = "a passphrase for the bench"

/** Creates ids from this first id on. */
export const beginningWith = (id: string) =>
  Effect.map(Ids, (ids) => {
    let isFirst = true
    return Ids.of({
      ...ids,
      next: Effect.suspend(() => {
        if (!isFirst) return ids.next
        isFirst = false
        return Effect.succeed(id)
      })
    })
  })

// An access token of the service is good for 15 minutes, which is less than a bench takes.
const longLived = (accessToken: string) =>
  Effect.gen(function* () {
    const signer = yield* TokenSigner
    const claims = yield* signer.verify(Redacted.make(accessToken), ["session"])
    return yield* signer.sign(claims, DateTime.add(yield* DateTime.now, { hours: 12 }))
  })

const openSession = Effect.fnUntraced(function* (email: string) {
  const { accessToken } = yield* login({
    email,
    password: Redacted.make(password),
    organizationId: null,
    address: "127.0.0.1"
  })
  return Redacted.value(yield* longLived(Redacted.value(accessToken)))
})

const makeTenant = Effect.fnUntraced(function* (place: number, { automations, organizations, sessionsEach }: Size) {
  const ids = yield* beginningWith(organizationIdAt(place))
  const organization = yield* createOrganization({
    name: `Bench ${place}`,
    slug: `bench-${place}`,
    plan: "growth",
    timezone: "Europe/Berlin",
    locale: "en",
    currency: "EUR"
  }).pipe(Effect.provideService(Ids, ids))
  const email = `owner-${place}@bench.example`
  const user = yield* createUser({
    email,
    name: `Owner ${place}`,
    password: Redacted.make(password),
    isTemporary: false
  })
  yield* addMember({ userId: user.id, role: "owner" }).pipe(
    Effect.provideService(CurrentOrganization, { id: organization.id })
  )
  const tokens = yield* Effect.replicateEffect(openSession(email), sessionsEach)
  const count = Math.floor(automations / organizations)
  return {
    user: { email, password },
    callers: tokens.map((accessToken): Caller => ({
      organizationId: organization.id,
      accessToken,
      first: place * count,
      count
    }))
  }
})

/** Fills the database: tenants and people through the use cases, automations by one statement. */
export const seed = Effect.fnUntraced(
  function* (size: Size) {
    const sql = yield* SqlClient.SqlClient
    const places = Array.from({ length: size.organizations }, (_, place) => place)
    const tenants = yield* Effect.forEach(places, (place) => makeTenant(place, size), { concurrency: 4 })
    const automationsEach = Math.floor(size.automations / size.organizations)
    const { firstAutomation, firstOrganization, start } = seededIds
    yield* sql`
      INSERT INTO automations (organization_id, id, name, name_key, enabled, created_at, updated_at, version)
      SELECT (${start} || (${firstOrganization}::integer + place / ${automationsEach}))::uuid,
        (${start} || (${firstAutomation}::integer + place))::uuid, 'Automation ' || place, 'automation ' || place, place % 2 = 0, now(), now(), 1
      FROM generate_series(0, ${automationsEach * size.organizations - 1}) AS place`
    yield* sql`VACUUM ANALYZE`
    const population: Population = {
      callers: tenants.flatMap(({ callers }) => callers),
      users: tenants.map(({ user }) => user),
      organizations: size.organizations,
      automationsEach
    }
    return population
  },
  Effect.provideService(CurrentActor, { kind: "operator", name: "bench" })
)

/** The path of the automation with this place. */
export const pathOf = (place: number) => `/api/v1/automations/${automationIdAt(place)}`
