import {
  addMember,
  createUser,
  CurrentActor,
  CurrentOrganization,
  Ids,
  login,
  OrganizationId,
  TokenSigner
} from "@parley/domain"
import { Database } from "@parley/postgres-adapter"
import { DateTime, Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { beginningWith } from "../tenants/seed.ts"
import { organizationAt } from "./seedContacts.ts"

/** A signed-in user of the organization at this place of `seed-contacts`. */
export interface Visitor {
  readonly place: number
  readonly organizationId: string
  readonly accessToken: string
}

/** User id in the organization at this place. The visitor is at 0. */
export const userIdAt = (place: number, agent: number) =>
  `00000000-0000-7000-a${String(agent).padStart(3, "0")}-${place.toString(16).padStart(12, "0")}`

const password = Redacted.make("a passphrase for the bench")

const traces = [
  "audit_events",
  "events",
  "event_heads",
  "contact_fields",
  "idempotency_keys",
  "sessions",
  "members",
  "users",
  "signing_keys"
]

/** Removes all sessions and their traces again: the database then has contacts alone. */
const leave = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(traces, (table) => sql`DELETE FROM ${sql(table)}`, { discard: true })
})

/** Restores the database when the scope ends, and first removes the remains of a killed bench. */
export const leaveNothing = (url: Redacted.Redacted) => {
  const left = Effect.orDie(leave.pipe(Effect.provide(Database.layer({ url, maxConnections: 1 }))))
  return Effect.acquireRelease(left, () => left)
}

// An access token of the service is good for 15 minutes, which is less than a bench takes.
const longLived = (accessToken: Redacted.Redacted) =>
  Effect.gen(function* () {
    const signer = yield* TokenSigner
    const claims = yield* signer.verify(accessToken, ["session"])
    return Redacted.value(yield* signer.sign(claims, DateTime.add(yield* DateTime.now, { hours: 12 })))
  })

const visit = Effect.fnUntraced(function* (place: number) {
  const id = OrganizationId.make(organizationAt(place))
  const email = `visitor-${place}@bench.example`
  const user = yield* createUser({ email, name: `Visitor ${place}`, password, isTemporary: false }).pipe(
    Effect.provideServiceEffect(Ids, beginningWith(userIdAt(place, 0)))
  )
  yield* addMember({ userId: user.id, role: "owner" }).pipe(Effect.provideService(CurrentOrganization, { id }))
  const { accessToken } = yield* login({ email, password, organizationId: null, address: "127.0.0.1" })
  const visitor: Visitor = { place, organizationId: id, accessToken: yield* longLived(accessToken) }
  return visitor
})

/** Opens a session in each of these organizations. */
export const visitors = (places: ReadonlyArray<number>) =>
  Effect.forEach(places, visit).pipe(Effect.provideService(CurrentActor, { kind: "operator", name: "bench" }))
