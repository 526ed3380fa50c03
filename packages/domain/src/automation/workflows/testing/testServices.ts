import { Context, Effect } from "effect"
import { AuditLog } from "../../../platform/audit/index.ts"
import { Organizations } from "../../../platform/identity/index.ts"

/**
 * Services of a test. It reads the organization once, because no action changes it. It writes no audit entries, because it is rolled
 * back. Both save statements for each node.
 */
const testServices = Effect.gen(function* () {
  const organizations = yield* Organizations
  const organization = yield* organizations.current()
  return Context.make(
    Organizations,
    Organizations.of({ ...organizations, current: () => Effect.succeed(organization) })
  ).pipe(Context.add(AuditLog, AuditLog.of({ ...(yield* AuditLog), append: () => Effect.void })))
})

/** Provides the services of a test. */
export const inTest = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(testServices, (services) => Effect.provide(effect, services))
