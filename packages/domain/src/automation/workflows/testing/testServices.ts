import { Clock, Context, Effect } from "effect"
import { ContactFields } from "../../../crm/index.ts"
import { Ids } from "../../../kernel/index.ts"
import { AuditLog } from "../../../platform/audit/index.ts"
import { Organizations } from "../../../platform/identity/index.ts"

/**
 * Services of a test. It reads the organization and the contact fields once, because no action changes them. It writes no audit entries, because it
 * is rolled back. This saves statements for each node. Its ids have the real time, because an id of the future would move all later ids of the
 * process there.
 */
const testServices = Effect.gen(function* () {
  const organizations = yield* Organizations
  const organization = yield* organizations.current()
  const fields = yield* ContactFields
  const allFields = yield* Effect.cached(fields.all())
  const ids = yield* Ids
  const clock = yield* Clock.Clock
  return Context.make(
    Organizations,
    Organizations.of({ ...organizations, current: () => Effect.succeed(organization) })
  ).pipe(
    Context.add(ContactFields, ContactFields.of({ ...fields, all: () => allFields })),
    Context.add(AuditLog, AuditLog.of({ ...(yield* AuditLog), append: () => Effect.void })),
    Context.add(Ids, Ids.of({ ...ids, next: Effect.provideService(ids.next, Clock.Clock, clock) }))
  )
})

/** Provides the services of a test. */
export const inTest = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(testServices, (services) => Effect.provide(effect, services))
