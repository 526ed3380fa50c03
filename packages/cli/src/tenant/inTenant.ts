import { CurrentOrganization } from "@parley/domain"
import { Effect, type Option } from "effect"
import { logged } from "../console/logging.ts"
import type { Failure } from "../console/Failure.ts"
import { onDatabase } from "../operate.ts"
import { sharedSettings } from "../parley.ts"
import { organizationMeant } from "../select.ts"
import { targetOf } from "../target.ts"
import { tenantOnDatabase } from "./onDatabase.ts"
import type { Tenant } from "./Tenant.ts"

/** Runs a command in the organization that is meant, wherever commands act: on the database, or on a service. */
export const inTenant = Effect.fnUntraced(function* <A, E extends Failure, R>(
  named: Option.Option<string>,
  command: (tenant: Tenant) => Effect.Effect<A, E, R>
) {
  const settings = yield* sharedSettings
  const target = yield* targetOf(settings)
  if (target.kind === "database") {
    return yield* onDatabase(
      Effect.gen(function* () {
        const organization = yield* organizationMeant(named)
        return yield* Effect.flatMap(tenantOnDatabase(organization, settings.maxImportBytes.value), command).pipe(
          Effect.provideService(CurrentOrganization, { id: organization.id })
        )
      })
    )
  }
  const { onServer } = yield* Effect.promise(() => import("./onServer.ts"))
  return yield* logged(settings, "Warn")(onServer(settings, target, named, command))
})
